"""The demo's texts, counted, against counts made by reading them."""

import csv

import pytest

from textparity.counting.lexicon import Lexicon, read_lexicon
from textparity.counting.text_counter import count_texts
from textparity.counting.tokenizers import load_tokenizer
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

CLASSES = ("feminine", "masculine", "unspecified")


@pytest.mark.parametrize("lang", ["arb", "cmn", "deu", "eng", "rus", "spa"])
def test_the_corrected_count_agrees_with_a_reader(repository, lang):
    demo = repository / "resources" / "demo"
    tokenizer = load_tokenizer(StudyRegistry(Tables().model_dump(), repository).tokenizer(lang, "icu"))
    words = Lexicon(read_lexicon(demo / "lexicons" / f"{lang}.json"))
    texts = (demo / "texts" / f"{lang}.txt").read_text("utf-8").splitlines()
    gold = list(csv.DictReader((demo / "gold" / f"{lang}.csv").open(encoding="utf-8")))
    assert len(gold) == len(texts) == 36
    for expected, counted in zip(gold, count_texts(texts, tokenizer, words, first_sentence=True), strict=True):
        found = counted["corrected"].matches
        counts = [str(sum(name in match.classes for match in found)) for name in CLASSES]
        assert counts == [expected[name] for name in CLASSES], expected
        assert "; ".join(match.form for match in found) == expected["forms"]


@pytest.mark.parametrize("lang", ["arb", "cmn", "deu", "eng", "fra", "hin", "ita", "pol", "rus", "spa"])
def test_a_form_is_of_one_gender_and_spelt_as_it_is_found(repository, lang):
    entries = read_lexicon(repository / "resources" / "demo" / "lexicons" / f"{lang}.json")
    forms = [{entry.form.lower() for entry in entries if entry.gender_class == name} - {""} for name in CLASSES]
    assert min(map(len, forms)) > 9 and not forms[0] & forms[1]
    repairs = Lexicon(entries).repairs
    assert not any(repairs[name] for name in ("no_letter", "trimmed", "not_nfc"))
