"""The recorded outputs and reviews of Nahurna and Romanyshyn 2025: the numbers that the issue asks for."""

import csv
import os
import subprocess
import sys

import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)
for package in ("pymorphy3", "rouge_score", "sacrebleu", "spacy"):
    pytest.importorskip(package)

pytestmark = [pytest.mark.mirror, pytest.mark.slow]

GPT, AYA = "gpt-4o-mini", "aya-101"


@pytest.fixture(scope="module")
def results(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("swapping")
    done = subprocess.run(
        [
            sys.executable, "-m", "snakemake", "swapping", "--cores", "1",
            "--snakefile", str(repository / "Snakefile"), "--directory", str(folder),
            # The mirror lacks what the fine-tuned Aya wrote.
            "--config", "skip_unavailable=true", "swapping={recognition: {seeds: []}}",
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results"


@pytest.fixture(scope="module")
def ledger(results):
    with (results / "ledger" / "swapping.csv").open(encoding="utf-8", newline="") as file:
        return {(row["table"], row["row"], row["column"]): row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def scores(results):
    with (results / "swapping" / "tables" / "swap_scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    keys = ("direction", "items", "metric", "procedure")
    return {tuple(row[key] for key in keys): row for row in rows}


@pytest.mark.parametrize(
    ("table", "system", "metric", "published", "digits"),
    [
        ("3", AYA, "exact_match", "0.15", "0.1491"),
        ("3", GPT, "exact_match", "0.45", "0.4532"),
        ("3", AYA, "bleu", "0.65", "0.6472"),
        ("3", GPT, "bleu", "0.82", "0.8197"),
        ("8", AYA, "exact_match", "0.21", "0.2122"),
        ("8", GPT, "exact_match", "0.51", "0.5105"),
        ("8", AYA, "bleu", "0.79", "0.7933"),
        ("3", AYA, "rouge_l", "0.21", "0.2135"),
        ("3", GPT, "rouge_l", "0.22", "0.2221"),
        ("8", AYA, "token_count_match", "0.64", "0.6424"),
        ("3", GPT, "token_count_match", "0.91", "0.9082"),
        ("8", GPT, "token_count_match", "0.91", "0.9082"),
    ],
)
def test_scores_are_the_papers(ledger, table, system, metric, published, digits):
    row = ledger[table, system, metric]
    assert (row["published"], row["ours_published"], row["verdict"]) == (published, digits, "exact")


def test_what_the_paper_cuts_off_agrees_to_four_digits(ledger):
    # As printed by the authors' notebooks; the tables have 0.85 and 0.69.
    assert ledger["8", GPT, "bleu"]["ours_published"] == "0.8552"
    assert ledger["3", AYA, "token_count_match"]["ours_published"] == "0.6960"


def test_rouge_with_a_unicode_tokenizer_is_another_number(ledger):
    assert [f"{float(ledger['3', system, 'rouge_l']['ours_corrected']):.2f}" for system in (AYA, GPT)] == [
        "0.66",
        "0.90",
    ]


def test_what_needs_the_authors_model_is_another_setup(ledger):
    for table in ("3", "8"):
        for system in (AYA, GPT):
            for metric in ("exact_match_without_persons", "job_match"):
                row = ledger[table, system, metric]
                assert row["verdict"] == "other setup"
                assert "uk_ner_web_trf_13class" in row["setup"]


def test_what_the_mirror_lacks_is_published_and_not_here(ledger):
    keys = [(table, "aya-101-fine-tuned", "bleu") for table in ("3", "8")] + [("6", "feminine", "balanced_recall")]
    for key in keys:
        row = ledger[key]
        # Where the mirror has the files, they are read.
        if row["verdict"] == "not run":
            assert row["reason"].startswith("published, not here: https://")


def test_rules_and_model_by_kind_of_item(results):
    with (results / "swapping" / "tables" / "swap_differences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["other"] for row in rows if row["system"] == "rules"} >= {GPT, AYA, "unchanged"}
    found = {
        (row["items"], row["metric"]): (float(row["difference"]), float(row["difference_low"]), row["count"])
        for row in rows
        if (row["direction"], row["procedure"], row["system"], row["other"])
        == ("one_way", "corrected", "rules", GPT)
    }  # fmt: skip
    # On all items the rules are ahead; on sentences, whatever the names, nobody is; the model has more titles.
    assert found["all", "exact_match"][1] > 0
    assert abs(found["sentences", "exact_match_without_persons"][0]) < 0.02
    assert found["all", "job_match"][0] < -0.05
    assert [found[items, "exact_match"][2] for items in ("sentences with persons", "sentences without persons")] == [
        "183", "120",
    ]  # fmt: skip


def test_an_unchanged_input_has_most_of_rouge_l_and_all_of_the_way_back(scores):
    there = float(scores["one_way", "sentences", "rouge_l", "corrected"]["unchanged"])
    assert round(there, 2) == 0.82
    assert float(scores["round_trip", "all", "exact_match", "published"]["unchanged"]) == 1


def test_half_of_the_exact_matches_are_single_words(scores):
    counts = {items: int(scores["one_way", items, "exact_match", "published"][f"{GPT}_count"])
              for items in ("all", "sentences", "words")}  # fmt: skip
    assert counts == {"all": 523, "sentences": 315, "words": 208}
    words, sentences = (
        float(scores["one_way", items, "exact_match", "published"][GPT]) for items in ("words", "sentences")
    )
    assert (round(words, 2), round(sentences, 2)) == (0.89, 0.17)


def test_no_output_is_blank_and_every_title_is_known(scores):
    for direction in ("one_way", "round_trip"):
        for system in (GPT, AYA):
            assert float(scores[direction, "all", "blank_outputs", "corrected"][system]) == 0
            assert scores[direction, "all", "job_match", "corrected"][f"{system}_count"] == "401"
            assert scores[direction, "all", "job_match", "corrected"][f"{system}_reason"] == ""


@pytest.mark.parametrize(
    ("table", "row", "column", "ours", "verdict"),
    [
        ("2", "original, generated", "token_count_match", "0.9702", "exact"),
        ("2", "generated, reviewed", "token_count_match", "0.9620", "exact"),
        ("2", "original, reviewed", "token_count_match", "0.9499", "exact"),
        ("§4.1", "reviews", "accepted_percent", "58.545", "exact"),
        ("§4.1", "reviews", "corrected_percent", "37.622", "exact"),
        # 59 of 1,539; the paper prints what is missing to 100.
        ("§4.1", "reviews", "dismissed_percent", "3.834", "within tolerance"),
        ("§4.1", "reviews", "unchanged_percent", "3.89", "exact"),
        ("§4.1", "parallel sentences", "pairs", "1403", "exact"),
        ("§4.1", "parallel sentences", "JOB", "1733", "exact"),
        ("§4.1", "gender pairs dictionary", "entries", "1101", "within tolerance"),
    ],
)
def test_reviews_are_the_papers(ledger, table, row, column, ours, verdict):
    found = ledger[table, row, column]
    assert (found["ours_published"], found["verdict"]) == (ours, verdict)


def test_name_bias_is_a_table_and_a_figure(results):
    with (results / "swapping" / "tables" / "name_bias.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["procedure"] == "corrected" and row["rank"] == "1"]
    first = {(row["system"], row["gender"]): row["name"] for row in rows}
    assert first[GPT, "feminine"] == "Олександра"
    assert first["reviewed", "feminine"] == "Олена"
    assert (results / "swapping" / "figures" / "name_bias.pdf").read_bytes().startswith(b"%PDF")
