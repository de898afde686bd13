"""The signature of a result: in all that is shown of it, and another one wherever the counting is another one."""

import csv
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing import settings
from textparity.auditing.settings import make_settings
from textparity.auditing.signature import CHANGED, make_signature
from textparity.command import main
from textparity.counting import CLASSES
from textparity.counting.terms import LAYERS
from textparity.files import writable
from textparity.persons.mentions import METHODS


@pytest.fixture
def texts(repository, tmp_path, monkeypatch):
    shutil.copytree(repository / "resources" / "demo" / "texts", tmp_path / "texts")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "texts"


def test_everything_that_is_shown_of_a_result_has_its_signature(texts):
    assert main(["audit", "texts", *WITH_NOUNS, "--write", "out", "--quiet"]) == 0
    result = textparity.audit_files("texts", lexicon_folder=NOUNS)
    line = result.signature
    assert line.startswith(f"textparity {textparity.__version__} | method nouns | lex lexicons/@")
    assert line.endswith(f" | lang arb,cmn,deu,eng,rus,spa | n {result.texts:,}")
    assert result.to_text().endswith(f"\n\n{line}\n")
    assert line in result.to_html()
    assert line in result._repr_html_()
    assert line.replace("_", r"\_").replace("|", r"\textbar{}") in result.to_latex()
    for name in ("audit", "words", "examples"):
        with (texts.parent / "out" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["signature"] for row in rows} == {item.signature for item in result}
        assert all(f" | lang {row['lang']} | n " in row["signature"] for row in rows)
    with (texts.parent / "out" / "left_out.csv").open(encoding="utf-8", newline="") as file:
        assert {row["signature"] for row in csv.DictReader(file)} == {line}


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).map(lambda word: f"a{writable(word)}b")


SETTINGS = st.builds(
    make_settings,
    method=st.just("words"),
    engine=st.sampled_from(["icu", "paper"]),
    layers=st.sampled_from([LAYERS, ("nouns",), ("nouns", "pronouns")]),
    exclude_words=st.lists(WORDS, max_size=3).map(tuple),
    include_words=st.lists(st.tuples(st.sampled_from(CLASSES), WORDS).map(":".join), max_size=3).map(tuple),
    max_samples=st.none() | st.integers(1),
    seed=st.integers(0),
    resamples=st.integers(100, 10_000),
    confidence_level=st.floats(0.01, 0.99),
    minimum_matches=st.integers(1),
    minimum_units=st.integers(2),
) | st.builds(make_settings, method=st.sampled_from(METHODS))


@given(SETTINGS, SETTINGS)
def test_other_settings_have_another_signature(one, other):
    assert (make_signature(one, []) == make_signature(other, [])) is (one == other)


def test_each_setting_is_signed_or_moves_no_number():
    own_parts = {"method", "layers", "lexicon_folder", "engine", "pipeline", "minimum_certainty"}
    moves_no_number = {
        "id_field", "examples", "top", "jobs", "per_file", "max_groups", "keep_mentions", "keep_records",
    }  # fmt: skip
    # A new setting without a part of the signature would let results of two kinds be compared.
    assert {*CHANGED.values(), *own_parts, *moves_no_number} == settings.SETTINGS.keys()


def test_the_content_of_lexicons_is_signed(texts):
    own = texts.parent / "own"
    own.mkdir()
    signatures = []
    for word in ("woman", "lady", "woman"):
        (own / "eng.json").write_text(f'{{"feminine": [{{"singular": "{word}"}}], "masculine": [], "unspecified": []}}')
        signatures.append(textparity.audit_files("texts/eng.txt", "eng", lexicon_folder="own").signature)
    assert signatures[0] == signatures[2] != signatures[1]
    assert all(" | lex own/@" in signature for signature in signatures)
