"""The ledger of the stereotypes study: Table I, and what of §IV, V and VII the paper's model wrote and was told of."""

import csv

import pytest
from ledgers import ledger_rows

ACCURACY = ("VII", "gaucher", "accuracy_percent")
KAPPA = ("§IV", "all annotators", "cohen_kappa")
KINDS = ["MM", "FF", "consistent", "MF", "FM", "contradictory"]


@pytest.fixture
def ledger(tmp_path):
    """Build the ledger from rows of tables; returns its rows by table, row and column."""
    sizes = {"lexicon": "gaucher", "feminine": 40, "masculine": 42, "words": 82}

    def build(not_run=(), **tables):
        tables = {"coded_lexicons": [sizes]} | tables
        named = {f"stereotypes/tables/{name}.csv": rows for name, rows in tables.items()}
        return ledger_rows("stereotypes", tmp_path, named, not_run)

    return build


def set_of(generator, number, procedure, counts):
    sizes = dict(zip(KINDS, counts, strict=True))
    names = {"lexicon": "gaucher", "generator": generator, "set": number, "procedure": procedure}
    percents = {f"{kind}_percent": 100 * count / 164 for kind, count in sizes.items()}
    return names | sizes | percents | {"sentences": sizes["consistent"] + sizes["contradictory"]}


def test_the_size_of_a_lexicon_is_compared_and_that_of_a_private_one_not_run(ledger):
    rows = ledger()
    assert rows["I", "gaucher", "masculine"]["verdict"] == "exact"
    for table, row, column in (("I", "cryan", "masculine"), ("§III", "cryan, adjectives", "feminine")):
        found = rows[table, row, column]
        assert (found["verdict"], found["reason"]) == (
            "not run",
            "unpublished: the lexicon of Cryan et al. is not public",
        )
    assert (rows["I", "cryan", "words"]["evidence"], rows["I", "gaucher", "words"]["evidence"]) == (
        "arithmetic",
        "counted",
    )
    # The sentences made with it are public.
    reason = rows["V", "cryan, set 1", "MM"]["reason"]
    assert reason.startswith("published, not here: the paper's own sentences (https://doi.org/")


def test_sentences_are_compared_where_the_papers_model_wrote_them(ledger):
    rows = ledger(
        sentences=[
            set_of("gpt-3.5-turbo", 1, "published", [42, 40, 82, 38, 42, 80]),
            set_of("gpt-3.5-turbo", 1, "corrected", [41, 40, 81, 38, 42, 80]),
            set_of("gpt-3.5-turbo", 2, "published", [1] * 6),
            set_of("gpt-3.5-turbo", 2, "corrected", [1] * 6),
        ]
    )  # fmt: skip
    found = rows["V", "gaucher", "MM"]
    assert (found["verdict"], found["ours_published"], found["ours_corrected"]) == ("exact", "42", "41")
    assert rows["V", "gaucher", "MF"]["verdict"] == "within tolerance"
    assert rows["V", "gaucher", "sentences"]["ours_published"] == "162"


@pytest.mark.parametrize(("generator", "counts"), [("other", [42, 40, 82, 40, 42, 82]), ("gpt-3.5-turbo", [0] * 6)])
def test_sentences_of_another_model_or_none_are_not_run(ledger, generator, counts):
    rows = ledger(sentences=[set_of(generator, 1, procedure, counts) for procedure in ("published", "corrected")])
    found = rows["V", "gaucher", "MM"]
    assert found["verdict"] == "not run"
    assert found["reason"].startswith("not asked for: gpt-3.5-turbo in stereotypes.generators;")


def test_a_model_that_was_asked_for_and_cannot_run_says_why(ledger, tmp_path):
    not_run = [["", "eng", "gpt-3.5-turbo", "gated: no key"], ["", "eng", "bert-base-uncased", "unused"]]
    rows = ledger(not_run)
    for key in (("V", "gaucher", "MM"), ("VII", "gaucher", "accuracy_percent")):
        assert rows[key]["reason"].startswith("gated: no key;")
    # It is in the file, too.
    with (tmp_path / "gaps.csv").open(encoding="utf-8") as file:
        assert [list(row.values()) for row in csv.DictReader(file)] == not_run


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
    assert (other[KAPPA]["verdict"], other[KAPPA]["evidence"]) == ("exact", "arithmetic")
    assert "; not measured: unpublished: the annotators' labels" in other[KAPPA]["reason"]


def test_the_papers_own_sentences_go_before_those_asked_for_anew(ledger):
    counts = {"MM": 707, "MM_percent": 53.89, "sentences": 2631}
    rows = ledger(published_sentences=[{"lexicon": "cryan", "set": 1} | counts])
    assert [rows["V", "cryan, set 1", column]["verdict"] for column in counts] == ["exact"] * 3
    assert rows["V", "cryan, set 2", "MM"]["verdict"] == "not run"
    assert "resources/stereotypes/published_sentences.tsv" in rows["V", "cryan, set 2", "MM"]["reason"]
