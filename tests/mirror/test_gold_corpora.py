"""Readers of annotated corpora, on files of the mirror."""

import logging
import os
from collections import Counter
from pathlib import Path

import pytest

from textparity.files import read_tsv
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity_studies.instruments.annotated_texts import GivenNames, GoldWords, NewsReadings
from textparity_studies.instruments.gold_readers import READERS
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


@pytest.fixture(scope="module")
def read_corpus(repository, tmp_path_factory):
    """Count the texts and the mentions by gender of a corpus in a language; a file has its own name and folder."""
    mirror = Path(os.environ["TEXTPARITY_MIRROR"])
    registry = StudyRegistry(Tables().model_dump(), repository)
    paths = {row["url"]: mirror / row["path"] for row in read_tsv(mirror / "urls.tsv")}
    rows = read_tsv(repository / "resources/registry/person_gold.tsv")
    instruments = repository / "resources" / "instruments"
    given_names = GivenNames(instruments / "given_names.tsv")
    tables = (instruments / "news" / f"{name}.tsv" for name in ("articles", "mentions", "quotes"))
    news = NewsReadings.load(*tables)

    def run(gold, lang):
        words = GoldWords(repository / "resources/persons/gold_words.tsv", lang, given_names, news)
        counts = Counter()
        for row in rows:
            if (row["gold"], row["lang"]) == (gold, lang):
                files = [row["path"], *row["beside"].split()]
                annotated = files if row["format"] == "marked" else files[:1]
                for file in annotated:
                    for text in READERS[row["format"]](paths[registry.url(row["source"], file)], words):
                        counts["texts"] += 1
                        counts.update(mention.gender for mention in text.mentions)
        return counts

    return run


@pytest.mark.parametrize(
    ("gold", "lang", "texts", "feminine", "masculine"),
    [
        ("koconovel", "kor", 384, 2026, 1534),
        ("italian_litbank", "ita", 54, 1509, 2090),
        ("fullstack", "lvs", 254, 147, 224),
        ("gebio", "eng", 596, 1313, 1322),
        ("gebio", "spa", 596, 348, 392),
        ("mt_geneval", "hin", 2400, 1980, 1967),
        ("mt_geneval", "ita", 2400, 1934, 1934),
        ("mt_geneval", "por", 2400, 2417, 2417),
        ("mt_geneval", "rus", 2400, 2472, 2472),
        ("names", "bel", 20, 55, 141),
        ("names", "ces", 8, 51, 57),
        ("names", "ell", 1, 69, 58),
        ("names", "lit", 17, 12, 50),
        ("names", "pol", 1, 98, 209),
        ("names", "por", 244, 60, 320),
        ("names", "rus", 9, 45, 65),
        ("names", "slk", 1, 7, 148),
        ("names", "slv", 74, 40, 152),
        ("names", "ukr", 66, 29, 76),
    ],
)
def test_a_corpus_has_its_texts_and_mentions(read_corpus, caplog, gold, lang, texts, feminine, masculine):
    counts = read_corpus(gold, lang)
    assert (counts["texts"], counts[FEMININE], counts[MASCULINE]) == (texts, feminine, masculine)
    assert caplog.messages == []


def test_sentences_with_a_mark_in_a_mark_are_skipped(read_corpus, caplog):
    with caplog.at_level(logging.WARNING):
        counts = read_corpus("mt_geneval", "arb")
    assert counts["texts"] == 2400 - 4 - 2
    assert [message.partition(": line")[0].rpartition(": ")[2] for message in caplog.messages] == [
        "skipped 4 of 1200 sentences", "skipped 2 of 1200 sentences",
    ]  # fmt: skip
