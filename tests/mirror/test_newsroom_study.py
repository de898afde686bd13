"""The newsroom study on the mirror's articles, with a real spaCy pipeline."""

import csv
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

if not os.environ.get("TEXTPARITY_MIRROR") or not os.environ.get("TEXTPARITY_SPACY_MODEL"):
    pytest.skip("TEXTPARITY_MIRROR or TEXTPARITY_SPACY_MODEL not set", allow_module_level=True)

pytestmark = [pytest.mark.mirror, pytest.mark.spacy, pytest.mark.slow]

CORPUS = "ntrex_deu"


class Study:
    """The study on German NTREX, 123 documents; more settings of `newsroom` may be given."""

    def __init__(self, repository, folder):
        self.repository = repository
        self.folder = folder
        self.results = folder / "results" / "newsroom"

    def run(self, *arguments, settings=""):
        model = os.environ["TEXTPARITY_SPACY_MODEL"]
        newsroom = f"newsroom={{corpora: [{CORPUS}, taz], spacy_model: {model}{settings}}}"
        return subprocess.run(
            [
                sys.executable, "-m", "snakemake", "newsroom", *arguments, "--cores", "2",
                "--snakefile", str(self.repository / "Snakefile"), "--directory", str(self.folder),
                "--config", newsroom,
            ],
            capture_output=True, text=True,
        )  # fmt: skip

    def rows(self, name, procedure="corrected"):
        with (self.results / CORPUS / procedure / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def study(repository, tmp_path_factory):
    study = Study(repository, tmp_path_factory.mktemp("newsroom"))
    done = study.run()
    assert done.returncode == 0, done.stdout + done.stderr
    return study


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_the_balanced_corpus_is_in_the_range(study, procedure):
    excluded = {row["id"] for row in study.rows("excluded.csv", procedure)}
    measures = pq.read_table(study.results / CORPUS / procedure / "measures" / "0.parquet").to_pylist()
    kept = [row for row in measures if row["id"] not in excluded]
    assert 0 < len(kept) < len(measures) == 123
    for what in ("actors", "mentions"):
        feminine, masculine = (sum(row[f"{gender}_{what}"] for row in kept) for gender in ("feminine", "masculine"))
        assert 0.75 <= feminine / masculine <= 1.25
    # The corpus that was written is the one that was counted.
    ids = (study.results / CORPUS / procedure / "balanced" / "DOCUMENT_IDS.tsv").read_text("utf-8").split()
    assert {f"{CORPUS}/{name}" for name in ids} == {row["id"] for row in kept}


def test_the_corrected_rules_find_more_of_the_annotated_passages(study):
    with (study.results / "tables" / "quality.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["passages"] == "held out"]
    f1 = {(row["procedure"], row["phenomenon"]): float(row["f1"] or 0) for row in rows}
    phenomena = {phenomenon for _, phenomenon in f1}
    assert len(phenomena) == 13
    assert all(f1["corrected", name] > f1["published", name] for name in phenomena)


def test_the_papers_corpus_is_not_run_and_its_reports_are_compared(study):
    with (study.folder / "results" / "ledger" / "newsroom.csv").open(encoding="utf-8") as file:
        rows = {(row["row"], row["column"]): row for row in csv.DictReader(file)}
    assert rows["2004", "actors"]["ours_published"] == "23580"
    assert {rows["2004", f"{name}actors"]["verdict"] for name in ("", "feminine_", "masculine_")} == {"exact"}
    assert rows["taz2024full, balanced", "actor_ratio_lower_bound"]["verdict"] == "contradicted by the authors' data"
    assert rows["2023, mean", "feminine_actors"]["evidence"] == "authors' report"
    assert "taz2024full is not fetched" in rows["taz2024full, excluded", "articles_without_flag"]["reason"]


def test_another_threshold_parses_and_measures_nothing(study):
    said = study.run("--dry-run", "--quiet", "rules", settings=", flags: {subject_gap: 0.7}").stdout
    assert "balance_corpus" in said and "write_balanced_corpus" in said
    assert not any(
        rule in said for rule in ("parse_articles", "measure_articles", "summarise_articles", "read_articles")
    )


def test_a_range_out_of_reach_ends_in_an_error_that_says_how_far_it_got(study):
    done = study.run(settings=", balance: {lower: 30, upper: 40, procedures: [published]}")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "the corpus is not balanced" in said and "Feminine per masculine actors went from" in said
    assert not (study.results / CORPUS / "published" / "balanced").exists()
    assert study.rows("ratios.csv", "published")[-1]["in_range"] == "false"
