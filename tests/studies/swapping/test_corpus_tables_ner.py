"""Original and balanced recognizers side by side, and their rows of the ledger."""

import pandas as pd
import pyarrow as pa
import pytest
from ledgers import ledger_rows, write_published

from textparity.corpora.reading import write_batches
from textparity.errors import InputError
from textparity.estimating.intervals import mean_interval
from textparity.tables import Caption, write_csv
from textparity_studies.swapping.corpus_tables import compare_models, compare_trainings, measure_job_recall
from textparity_studies.swapping.figures import plot_job_recall
from textparity_studies.swapping.ner_models import JOB_SCHEMA
from textparity_studies.swapping.settings import RUN

GENDER_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("document", "entity", "gender_published_with_exceptions", "gender_corrected")]
)
# Three titles: by the corrected rules one is of common gender.
GENDERS = [
    ("a", "T1", "masculine", "masculine"), ("a", "T2", "masculine", "common"), ("b", "T1", "feminine", "feminine"),
]  # fmt: skip
RUNS = [
    [procedure, data, seed]
    for procedure in ("published", "corrected")
    for data in ("original", "balanced")
    for seed in (1, 2)
]


def write_genders(folder):
    paths = [folder / "own.parquet", folder / "other.parquet"]
    for path, rows in zip(paths, (GENDERS[:2], GENDERS[2:]), strict=True):
        write_batches(path, GENDER_SCHEMA, [[dict(zip(GENDER_SCHEMA.names, row, strict=True)) for row in rows]])
    return paths


def write_jobs(path, found, run):
    keys = dict(zip(RUN, run, strict=True)) | {"test_set": "augmented", "text": "лікар"}
    rows = [
        keys | {"document": document, "entity": entity, "found": is_found}
        for (document, entity, *_), is_found in zip(GENDERS, found, strict=True)
    ]
    write_batches(path, JOB_SCHEMA, [rows])
    return path


def write_scores(path, precision, run):
    rows = [
        [*run, test_set, label, precision, 0.5, 0.6, 10, 8, 4]
        for test_set in ("original", "augmented")
        for label in ("JOB", "PERS", "all", "weighted average")
    ]
    columns = [*RUN, "test_set", "label", "precision", "recall", "f1", "support", "predicted", "true_positives"]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    return path


@pytest.fixture
def recall(tmp_path):
    """The first job title is found by all, the second by models of seed 2, the third by balanced ones."""
    jobs = [
        write_jobs(tmp_path / f"{place}.parquet", (True, seed == 2, data == "balanced"), (procedure, data, seed))
        for place, (procedure, data, seed) in enumerate(RUNS)
    ]
    measure_job_recall(jobs, write_genders(tmp_path), tmp_path / "recall.csv")
    return tmp_path / "recall.csv"


@pytest.fixture
def tables(tmp_path, recall):
    scores = [
        write_scores(tmp_path / f"{place}.csv", 0.7 + 0.1 * (data == "balanced") + 0.01 * seed, (procedure, data, seed))
        for place, (procedure, data, seed) in enumerate(RUNS)
    ]
    for table in compare_trainings(scores, recall, confidence_level=0.95):
        write_csv(table.frame, tmp_path / f"{table.name}.csv")
        latex = table.to_latex(Caption("Recognizers", "Compared."), f"tab:{table.name}")
        (tmp_path / f"{table.name}.tex").write_text(latex)
    return tmp_path


def test_recall_is_by_gender_of_each_procedure(recall):
    rows = pd.read_csv(recall).set_index(["procedure", "data", "seed", "gender"])["recall"]
    assert rows["published", "original", 1, "masculine"] == 0.5
    assert rows["corrected", "original", 1, "masculine"] == 1.0
    assert rows["corrected", "original", 1, "common"] == 0.0
    assert rows["published", "balanced", 1, "feminine"] == 1.0
    assert rows["published", "original", 2, "feminine"] == 0.0


def test_a_title_without_a_gender_is_an_error(tmp_path):
    genders = write_genders(tmp_path)
    jobs = write_jobs(tmp_path / "jobs.parquet", (True, True, True), ("corrected", "original", 1))
    with pytest.raises(InputError, match=r"no row of b, T1"):
        measure_job_recall([jobs], genders[:1], tmp_path / "recall.csv")


def test_means_and_paired_differences_over_seeds():
    rows = pd.DataFrame(
        [("corrected", data, seed, "JOB", value * (seed + 1))
         for data, value in (("original", 10), ("balanced", 11)) for seed in range(3)],
        columns=["procedure", "data", "seed", "label", "f1"],
    )  # fmt: skip
    (found,) = compare_models(rows, ["procedure", "label"], ("f1",), 0.95).to_dict("records")
    assert (found["seeds"], found["original_f1"], found["balanced_f1"], found["difference_f1"]) == (3, 20, 22, 2)
    # Of 1, 2 and 3: the mean, plus and minus 4.303 standard errors.
    assert found["difference_f1_low"] == pytest.approx(2 - 4.3027 / 3**0.5, abs=1e-3)
    assert found["original_f1_high"] == pytest.approx(20 + 4.3027 * 10 / 3**0.5, abs=1e-2)


def test_what_duplicates_give_as_well_is_told_from_what_swapping_gives():
    rows = pd.DataFrame(
        [("corrected", data, seed, "JOB", value)
         for data, value in (("original", 10), ("duplicated", 11), ("balanced", 14)) for seed in range(2)],
        columns=["procedure", "data", "seed", "label", "f1"],
    )  # fmt: skip
    (found,) = compare_models(rows, ["procedure", "label"], ("f1",), 0.95).to_dict("records")
    assert (found["duplicated_f1"], found["difference_f1"], found["beyond_duplicates_f1"]) == (11, 4, 3)


def test_a_type_that_a_model_never_had_counts_as_zero():
    rows = pd.DataFrame(
        [("corrected", 1, "original", "JOB", 0.5), ("corrected", 1, "balanced", "JOB", 0.5),
         ("corrected", 1, "balanced", "TIME", 0.4)],
        columns=["procedure", "seed", "data", "label", "f1"],
    )  # fmt: skip
    found = compare_models(rows, ["procedure", "label"], ("f1",), 0.95).set_index("label")
    assert found.loc["TIME", "difference_f1"] == 0.4


def test_one_seed_has_no_interval_and_one_model_no_difference():
    rows = pd.DataFrame([{"procedure": "corrected", "seed": 1, "data": "balanced", "label": "JOB", "f1": 0.5}])
    (found,) = compare_models(rows, ["procedure", "label"], ("f1",), 0.95).to_dict("records")
    assert pd.isna(found["balanced_f1_low"])
    assert "difference_f1" not in found


def test_interval_of_equal_values_is_their_value():
    interval = mean_interval(pd.Series([0.5, 0.5, 0.5]).to_numpy(), 0.95)
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_tables_show_percent_and_differences(tables):
    scores = pd.read_csv(tables / "ner_scores.csv").set_index(["procedure", "test_set", "label"])
    row = scores.loc[("published", "augmented", "JOB")]
    assert row["original_precision"] == pytest.approx(71.5)
    assert row["difference_precision"] == pytest.approx(10)
    assert "+0.0" in (tables / "ner_scores.tex").read_text()
    recall = pd.read_csv(tables / "job_recall.csv").set_index(["procedure", "gender"])
    assert recall.loc[("published", "feminine"), "difference_recall"] == 1.0
    assert recall.loc[("published", "masculine"), "titles"] == 2


def build_rows(tables, setup="tok2vec", not_run=(), measured=True):
    printed = {
        ("5", "augmented, JOB", "balanced_precision"): "81.50",
        ("11", "augmented, weighted average", "original_recall"): "50.00",
        ("11", "original, DOC", "original_recall"): "1.00",
        ("6", "feminine", "balanced_recall"): "1.00",
        ("3", "aya-101", "job_match"): "0.3",
    }
    names = ("ner_scores", "job_recall") if measured else ()
    paths = {f"swapping/tables/{name}.csv": tables / f"{name}.csv" for name in names}
    published = write_published("swapping", tables / "published.csv", printed)
    computed = {"run": [{"recognizer_setup": setup}]}
    rows = ledger_rows("swapping", tables, paths, not_run, published, computed=computed)
    return {key[:2]: row for key, row in rows.items()}


def test_a_smaller_model_is_another_setup(tables):
    rows = build_rows(tables)
    score = rows["5", "augmented, JOB"]
    assert (score["ours_published"], score["verdict"]) == ("81.5000", "other setup")
    assert (score["setup"].startswith("tok2vec"), score["reason"]) == (True, "mean of 2 seeds")
    assert float(rows["6", "feminine"]["ours_corrected"]) == 1
    assert "all entities together" in rows["11", "augmented, weighted average"]["reason"]
    assert rows["11", "original, DOC"]["verdict"] == "not run"


def test_the_papers_own_model_may_be_exact(tables):
    row = build_rows(tables, setup="")["5", "augmented, JOB"]
    assert (row["verdict"], row["setup"]) == ("exact", "")


def test_without_spacy_its_tables_say_so_and_others_do_not(tables):
    gap = "published, not here: spaCy is not installed"
    rows = build_rows(tables, not_run=[["recognition", "ukr", "tok2vec", gap]], measured=False)
    assert rows["6", "feminine"]["reason"] == gap
    assert "spaCy" not in rows["3", "aya-101"]["reason"]


def test_figures_are_the_same_twice(recall, tmp_path):
    for name in ("one", "two"):
        (chart,) = plot_job_recall(recall)
        for form in ("svg", "pdf"):
            chart.save(tmp_path / f"{name}.{form}")
    for form in ("svg", "pdf"):
        first, second = ((tmp_path / f"{name}.{form}").read_bytes() for name in ("one", "two"))
        assert first == second and len(first) > 1000
    rows = pd.read_csv(recall).set_index(["procedure", "gender"]).sort_index().loc[("corrected", "feminine")]
    means = rows.groupby("data")["recall"].mean()
    said = (tmp_path / "one.svg").read_text("utf-8")
    assert f"titles: {means['original']:.2f} trained on original texts, " in said
    assert f"{means['balanced']:.2f} trained on balanced texts</title>" in said
