import csv

import pandas as pd
import pytest

from textparity.files import write_rows
from textparity.studies.stereotypes.ledger import build_stereotypes_ledger

ACCURACY = ("VII", "gaucher", "accuracy_percent")
KAPPA = ("§IV", "all annotators", "cohen_kappa")


@pytest.fixture
def ledger(repository, tmp_path):
    """Build the ledger from tables; return its rows by table, row and column."""
    sizes = {"lexicon": "gaucher", "feminine": 40, "masculine": 42, "words": 82}
    pd.DataFrame([sizes]).to_csv(tmp_path / "sizes.csv", index=False)
    write_rows(tmp_path / "gaps.csv", ["corpus", "lang", "engine", "reason"], [])

    def build(**tables):
        paths = {name: tmp_path / f"{name}.csv" for name in tables}
        for name, rows in tables.items():
            pd.DataFrame(rows).to_csv(paths[name], index=False)
        published = repository / "resources" / "stereotypes" / "published.csv"
        build_stereotypes_ledger(
            published=published, lexicon_sizes=tmp_path / "sizes.csv",
            gaps=tmp_path / "gaps.csv",
            ledger=tmp_path / "ledger.csv", **paths,
        )  # fmt: skip
        with (tmp_path / "ledger.csv").open(encoding="utf-8") as file:
            return {(row["table"], row["row"], row["column"]): row for row in csv.DictReader(file)}

    return build


def results(generator, classifier):
    return [
        {"lexicon": "gaucher", "generator": generator, "procedure": procedure, "classifier": classifier}
        | {"accuracy_percent": accuracy}
        for procedure, accuracy in (("published", 68.2), ("corrected", 55.5))
    ]


def test_the_papers_model_and_classifier_fill_table_vii(ledger):
    row = ledger(classification=results("gpt-3.5-turbo", "bert-base-uncased"))[ACCURACY]
    assert (row["ours_published"], row["ours_corrected"], row["verdict"]) == ("68.200", "55.500", "within tolerance")


@pytest.mark.parametrize(
    ("generator", "classifier"), [("a-model", "bert-base-uncased"), ("gpt-3.5-turbo", "logistic_regression")]
)
def test_another_model_or_classifier_is_not_compared(ledger, generator, classifier):
    row = ledger(classification=results(generator, classifier))[ACCURACY]
    assert (row["ours_published"], row["verdict"]) == ("", "not run")
    settings = "gpt-3.5-turbo in stereotypes.generators and bert-base-uncased in stereotypes.classifiers"
    assert row["reason"].startswith(f"not asked for: {settings};")


def test_the_mean_kappa_on_the_papers_model_is_compared(ledger):
    mean = {"sample": "gaucher.gpt-3.5-turbo", "annotator": "all annotators", "cohen_kappa": 0.8}
    found = ledger(agreement=[mean | {"annotator": "anna"}, mean])
    assert (found[KAPPA]["ours_published"], found[KAPPA]["verdict"]) == ("0.8000", "other setup")
    assert found[KAPPA]["setup"] == "other annotators; sentences of gaucher.gpt-3.5-turbo"
    assert found["§IV", "annotator 1", "cohen_kappa"]["verdict"] == "not run"
    other = ledger(agreement=[mean | {"sample": "gaucher.a-model"}])
    assert other[KAPPA]["verdict"] == "not run"
    assert other[KAPPA]["reason"].startswith("unpublished: the annotators' labels")
