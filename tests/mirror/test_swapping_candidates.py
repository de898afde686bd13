"""Candidates for the real corpus: what is asked, from a server on loopback to reviews that are read back."""

import csv
import os
import re
import subprocess
import sys
from ast import literal_eval
from collections import Counter
from pathlib import Path

import pytest

from textparity_studies.swapping.asking import select_sentences
from textparity_studies.swapping.candidates import Review, read_candidates, write_review_file
from textparity_studies.swapping.corpora import read_documents

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

from llm_server import LanguageModelServer, prompt_of

pytestmark = [pytest.mark.mirror, pytest.mark.slow]

MODELS = "name\tbase_url\tmodel\tmode\tapi_key_env\ttemperature\ttop_p\tmax_tokens\tseed\tstop\textra\t" + (
    "price_per_million_input\tprice_per_million_output\trequests_at_once\ttimeout_seconds\twithdrawn\n"
)
SYSTEM = Path("results/swapping/swapped/small")


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


class Study:
    """The study in a folder of its own, with one model: a server on loopback that answers with the sentence itself."""

    def __init__(self, repository, folder, url):
        self.repository = repository
        self.folder = folder
        row = f"small\t{url}\torg/small\tchat\t\t0.8\t1\t250\t\t\t\t0\t0\t8\t60\t\n"
        (folder / "models.tsv").write_text(MODELS + row, "utf-8")

    def run(self, *targets):
        done = subprocess.run(
            [
                sys.executable, "-m", "snakemake", *targets, "--cores", "1",
                "--snakefile", str(self.repository / "Snakefile"), "--directory", str(self.folder), "--config",
                "studies=[swapping]", "tables={language_models: models.tsv}",
                "swapping={swappers: [small], evaluated_swappers: [small]}",
            ],
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def server():
    with LanguageModelServer() as running:
        running.reply = lambda body: prompt_of(body).partition("\n")[0].rpartition(": ")[2]
        yield running


@pytest.fixture(scope="module")
def study(repository, tmp_path_factory, server):
    study = Study(repository, tmp_path_factory.mktemp("swapping"), server.url)
    study.said = study.run(
        f"{SYSTEM}/reviews.csv", "results/swapping/outputs/small.csv", f"{SYSTEM.parent}/recorded/reviews.csv"
    )
    return study


def test_sentences_and_entities_are_those_of_the_published_reviews(study):
    folder = study.folder / "results"
    reviewed = {}
    for part in ("dev", "test"):
        reviews = "sources/ner_for_fem/annotation_project/sentences_after_annotation"
        for row in table(folder / reviews / f"{part}_swapped.csv"):
            reviewed[row["Оригінальне речення"]] = literal_eval(row["Анотації"])
    documents = read_documents(*(folder / "swapping/ner_uk" / f"{name}.parquet" for name in ("documents", "entities")))
    sentences = select_sentences(documents, "published")
    ours = {sentence.original: list(sentence.entities.items()) for sentence in sentences}
    assert ours == {text: list(entities.items()) for text, entities in reviewed.items()}
    assert (len(sentences), len(ours)) == (1550, 1542)
    corrected = select_sentences(documents, "corrected")
    assert (len(corrected), len({sentence.original for sentence in corrected})) == (1516, 1508)


def test_published_reviews_come_into_the_same_form(study):
    recorded = study.folder / SYSTEM.parent / "recorded"
    decisions = Counter({row["original"]: row["decision"] for row in table(recorded / "reviews.csv")}.values())
    assert decisions == {"accept": 901, "correct": 579, "dismiss": 59}
    originals = [row["original"] for row in table(recorded / "candidates.csv")]
    assert (len(set(originals)), len(originals)) == (901 + 579 + 59 + 3, 1550)


def test_each_sentence_and_item_is_asked_once(study, server):
    assert server.total == 1542 + 2 * 523
    assert len(table(study.folder / SYSTEM / "candidates.csv")) == 1550
    outputs = table(study.folder / "results/swapping/outputs/small.csv")
    assert len(outputs) == 523
    assert [row["kind"] for row in outputs].count("word") == 208
    study.run(f"{SYSTEM}/reviews.csv", "--forcerun", "ask_swapper")
    assert server.total == 1542 + 2 * 523


def test_decisions_are_read_back_and_the_file_of_people_is_left_alone(study):
    assert f"Copy {SYSTEM}/candidates.csv to reviews/small.csv" in study.said
    assert table(study.folder / SYSTEM / "reviews.csv") == []
    people = study.folder / "reviews" / "small.csv"
    candidates = read_candidates(study.folder / SYSTEM / "candidates.csv")
    first, second = candidates[1], candidates[3]
    decided = [
        Review(*first.key, first.original, "Вона.", "correct"),
        Review(*second.key, second.original, second.swapped, "accept"),
    ]
    write_review_file(people, {review.key: review for review in decided}, candidates)
    written = people.read_bytes()
    study.run(f"{SYSTEM}/reviews.csv")
    assert [row["decision"] for row in table(study.folder / SYSTEM / "reviews.csv")] == ["correct", "accept"]
    assert people.read_bytes() == written


def test_reviewed_candidates_go_the_way_of_the_rules(study):
    """Runs after the decisions above: the sentence itself was accepted, another corrected to a single word."""
    planned = study.run("swapping", "--dry-run", "--quiet", "rules")
    jobs = {name: int(count) for name, count in re.findall(r"^(\w+)\s+(\d+)$", planned, re.M)}
    # Rules, the model, the recorded candidates and those that were left of them.
    assert (jobs["swap_by_rules"], jobs["parse_swaps"], jobs["import_reviews"]) == (1, 1, 1)
    # Two recorded sets, rules, the model.
    assert (jobs["read_outputs"], jobs["score_outputs"]) == (2, 4)
    study.run(f"{SYSTEM}/documents.parquet", f"{SYSTEM}/checks.csv")
    reasons = Counter(row["reason"] for row in table(study.folder / SYSTEM / "left_out.csv"))
    assert reasons == {"undecided": 1548, "unchanged": 1, "not anchored": 1}
    assert len(table(study.folder / SYSTEM / "checks.csv")) == 7 * 1550
