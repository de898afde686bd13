"""The signature of a result: in all that is shown of it, read back, and checked by a rerun."""

import csv
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity import __version__
from textparity.auditing.settings import AuditSettings
from textparity.auditing.signature import make_signature, read_signature, signed_settings
from textparity.command import main
from textparity.counting.terms import CLASSES, LAYERS
from textparity.errors import ConfigError
from textparity.files import writable
from textparity.persons.mentions import METHODS


@pytest.fixture
def texts(repository, tmp_path, monkeypatch):
    shutil.copytree(repository / "resources" / "demo" / "texts", tmp_path / "texts")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "texts"


def test_everything_that_is_shown_of_a_result_has_its_signature(texts):
    assert main(["audit", "texts", *WITH_NOUNS, "--output", "out", "--quiet"]) == 0
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


@given(
    st.builds(
        AuditSettings,
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
    )
    | st.builds(AuditSettings, method=st.sampled_from(METHODS))
)
def test_what_is_signed_is_read_back(settings):
    signed = signed_settings(read_signature(make_signature(settings, [])), None)
    assert AuditSettings(**signed) == settings


@pytest.mark.parametrize(
    ("options", "changed", "said"),
    [
        ([], {}, []),
        (["--method", "published"], {}, []),
        ([], {"textparity 0": "textparity 9"}, [f"textparity is {__version__}, in the signature 9{__version__[1:]}"]),
        ([], {"tok icu": "tok icu1"}, ["tok is icu"]),
        ([], {"lexicons/@": "lexicons/@0"}, ["lex is lexicons/@"]),
        ([], {"n 36": "n 3,600"}, ["n is 36, in the signature 3,600"]),
    ],
)
def test_a_rerun_is_the_same_or_names_what_differs(texts, capsys, options, changed, said):
    signature = textparity.audit_files("texts/eng.txt", "eng", lexicon_folder=NOUNS).signature
    for old, new in changed.items():
        assert old in signature
        signature = signature.replace(old, new)
    # The signature says the settings, whatever the options are.
    assert main(["rerun", signature, "texts/eng.txt", *WITH_NOUNS, *options, "--top", "0"]) == (4 if said else 0)
    captured = capsys.readouterr()
    found = [line for line in captured.err.splitlines() if "not the same" in line]
    assert len(found) == len(said) and all(part in line for part, line in zip(said, found, strict=True))
    assert "1 file, 36 lines" in captured.out
    assert ("textparity: the same: " + signature in captured.err) is not bool(said)


def test_a_rerun_of_several_languages_that_were_given_asks_for_them(texts, capsys):
    files = [f"texts/{lang}.txt" for lang in ("eng", "spa")]
    signature = textparity.audit_files([f"{file}:{Path(file).stem}" for file in files], lexicon_folder=NOUNS).signature
    assert main(["rerun", signature, *files, *WITH_NOUNS, "--quiet"]) == 4
    assert "FILE:LANG names that of a file" in capsys.readouterr().err
    assert main(["rerun", signature, *(f"{file}:{Path(file).stem}" for file in files), *WITH_NOUNS, "--quiet"]) == 0


def test_a_row_is_checked_among_the_languages_of_its_files(texts, capsys):
    row = textparity.audit_files(
        "texts", lexicon_folder=NOUNS, resamples=200, exclude_words=("hombre",), detect="file"
    )["spa"]
    assert main(["rerun", row.signature, "texts", *WITH_NOUNS, "--quiet"]) == 0
    assert main(["rerun", row.signature.replace("resamples 200 | ", ""), "texts", *WITH_NOUNS, "--quiet"]) == 0
    (texts / "spa.txt").write_text("La mujer canta en la casa de su madre.\n" * 3, encoding="utf-8")
    assert main(["rerun", row.signature, "texts", *WITH_NOUNS, "--quiet"]) == 4
    assert capsys.readouterr().err.startswith("textparity: not the same: n is ")


def test_lexicons_of_a_folder_are_named_and_their_content_is_signed(texts, capsys):
    own = texts.parent / "own"
    own.mkdir()
    (own / "eng.json").write_text('{"feminine": [{"singular": "woman"}], "masculine": [], "unspecified": []}')
    signature = textparity.audit_files("texts/eng.txt", "eng", lexicon_folder="own").signature
    assert main(["rerun", signature, "texts/eng.txt"]) == 2
    assert "lexicons of a folder own/" in capsys.readouterr().err
    assert main(["rerun", signature, "texts/eng.txt", "--lexicon-folder", "own", "--quiet"]) == 0
    (own / "eng.json").write_text('{"feminine": [{"singular": "lady"}], "masculine": [], "unspecified": []}')
    assert main(["rerun", signature, "texts/eng.txt", "--lexicon-folder", "own", "--quiet"]) == 4
    assert "lex is own/@" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["", "textparity 0.1.0", "a | b | c", "textparity 1 | n 5 | colour red"])
def test_what_is_no_signature_is_said(wrong):
    with pytest.raises(ConfigError, match="copy the whole last line of a result"):
        read_signature(wrong)


def test_a_number_of_a_signature_that_is_none_is_said():
    signature = make_signature(AuditSettings(seed=5), []).replace("seed 5", "seed five")
    with pytest.raises(ConfigError, match="seed 'five' is no number"):
        signed_settings(read_signature(signature), None)
