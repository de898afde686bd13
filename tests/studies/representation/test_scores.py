"""Language models against annotators: counts and measures worked out by hand, confusion, hardest words."""

import csv
import io

import pandas as pd
import pytest

from textparity.corpora.reading import write_batches
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Caption
from textparity_studies.llm.answering import ANSWERS_SCHEMA
from textparity_studies.measures.tag_counts import parse_answers
from textparity_studies.representation.scores import score_tagger, summarise_scores

GOLD = """\
"El señor y la mujer." "señor - P, M
mujer - P, F"

"El jefe llama a usted." "jefe - P, M
usted - P, M"

"La mesa, null y nan." "mesa - N, F
null - N, M
nan - P, F"

"La zorra." "zorra - N, F"
"""
RUNS = [
    ["Señor - P, M\nmujer - P, M", "lluvia - N, F", "mesa - N, F\nnan - P, F", ""],
    # The notebook reads the first answer as (Aquí, señor, P), (M, mujer, P), (F).
    ["Aquí:\nseñor - P, M\nmujer - P, F", "jefe - P, M\njefe - P, M", "null - N, M\nnan - N, F\nusted - P, F", ""],
]
NO_KEY = "the environment variable TEST_KEY is not set"


@pytest.fixture
def score(tmp_path):
    """Score runs of answers to so many copies of `GOLD`; returns the three tables."""

    def score(runs=RUNS, tagger="small", resamples=200, copies=1, **metadata):
        metadata = {"tagger": tagger, "runs": len(runs), "missing": 0, "reason": ""} | metadata

        def batches():
            yield [
                {"id": f"demo/{number}", "run": run, "text": "", "answer": answer, "finish_reason": "", "error": ""}
                for run, answers in enumerate(runs)
                for number, answer in enumerate(answers * copies)
            ]
            return metadata

        (tmp_path / "gold.txt").write_text("\n".join([GOLD] * copies), "utf-8")
        (tmp_path / "skip.txt").write_text("USTED", "utf-8")
        (tmp_path / "epicene.tsv").write_text("lang\tword\n", "utf-8")
        answers, tags, skipped = tmp_path / "answers.parquet", tmp_path / "tags.parquet", tmp_path / "skip.txt"
        write_batches(answers, ANSWERS_SCHEMA, batches())
        parse_answers(answers, skipped, tmp_path / "epicene.tsv", tags, tmp_path / "problems.csv", "gold/demo", "spa")
        return score_tagger(tmp_path / "gold.txt", answers, tags, "demo", Bootstrap(1, resamples, 0.95))

    return score


def read(table):
    """Return the rows of a table as text."""
    return list(csv.DictReader(io.StringIO(table.to_csv(index=False))))


def numbers(row, *columns):
    return tuple(float(row[column]) for column in columns)


def test_counts_and_measures_are_those_worked_out_by_hand(score):
    rows = read(score()[0])
    assert {(row["gold"], row["tagger"], row["reason"]) for row in rows} == {("demo", "small", "")}
    found = [numbers(row, "correct", "incorrect", "missed", "extra") for row in rows]
    assert [row["procedure"] for row in rows] == ["published", "published", "corrected", "corrected"]
    # To the notebook an answer without words has an empty one.
    assert found == [(3, 1, 3, 2), (2, 1, 4, 5), (3, 1, 3, 1), (4, 1, 2, 1)]
    measures = [numbers(row, "accuracy", "precision", "recall", "f1") for row in rows]
    assert measures == [
        pytest.approx(values, abs=1e-6)
        for values in (
            (300 / 7, 50, 50, 50),
            (200 / 7, 25, 100 / 3, 200 / 7),
            (300 / 7, 60, 50, 600 / 11),
            (400 / 7, 200 / 3, 200 / 3, 200 / 3),
        )
    ]
    assert [numbers(row, "unlabelled_recall", "labelled_f1") for row in rows[2:]] == [
        pytest.approx((400 / 7, 50), abs=1e-6),
        pytest.approx((500 / 7, 800 / 13), abs=1e-6),
    ]


def test_the_interval_brackets_the_score_and_is_the_same_in_each_run(score):
    rows = read(score(copies=3)[0])
    assert len({(row["procedure"], row["f1_low"], row["f1_high"]) for row in rows}) == 2
    low, high = numbers(rows[-1], "f1_low", "f1_high")
    # 7 correct of 14 annotated, two of these found with a wrong mark, and 11 found words.
    assert 0 <= low < 100 * 14 / 23 < high <= 100


def test_the_interval_is_of_all_runs_together(score):
    perfect = ["señor - P, M\nmujer - P, F", "jefe - P, M", "mesa - N, F\nnull - N, M\nnan - P, F", "zorra - N, F"]
    rows = read(score([perfect, [""] * 4], copies=3)[0])
    assert [float(row["f1"]) for row in rows if row["f1"]] == [100, 100]
    assert numbers(rows[-1], "f1_low", "f1_high") == pytest.approx((200 / 3, 200 / 3), abs=1e-6)


def test_confusion_has_missed_and_extra_words(score):
    header = ["gold_person", "gold_gender", "predicted_person", "predicted_gender", "words"]
    assert [" ".join(row[name] for name in header) for row in read(score()[1])] == [
        "- - N F 1",
        "- - P M 1",
        "N F - - 3",
        "N F N F 1",
        "N M - - 1",
        "N M N M 1",
        "P F N F 1",
        "P F P F 2",
        "P F P M 1",
        "P M - - 1",
        "P M P M 3",
    ]


def test_the_hardest_words_come_first_and_none_is_read_as_missing(score):
    rows = read(score().hardest_words)
    columns = ("occurrences", "correct", "incorrect", "missed", "correct_percent")
    assert [(row["word"], *numbers(row, *columns)) for row in rows] == [
        ("zorra", 2, 0, 0, 2, 0),
        ("jefe", 2, 1, 0, 1, 50),
        ("mesa", 2, 1, 0, 1, 50),
        ("mujer", 2, 1, 1, 0, 50),
        ("nan", 2, 1, 1, 0, 50),
        ("null", 2, 1, 0, 1, 50),
        ("señor", 2, 2, 0, 0, 100),
    ]


def test_missing_answers_give_a_reason_and_no_numbers(score):
    whole = score()
    part = score([RUNS[0][:3], [None] * 4], tagger="big", missing=5, reason=NO_KEY)
    (row,) = read(part[0])
    assert {name: cell for name, cell in row.items() if cell} == {"gold": "demo", "tagger": "big", "reason": NO_KEY}
    assert read(part[1]) == read(part[2]) == []
    assert [list(table.columns) for table in part] == [list(table.columns) for table in whole]
    for lists in zip(part[1:], whole[1:], strict=True):
        assert read(pd.concat(lists)) == read(lists[1])


@pytest.mark.parametrize(
    ("procedure", "accuracy", "recall", "shown"),
    [
        ("published", (250 / 7, 10.101525), (125 / 3, 11.785113), "35.71 ± 10.10"),
        ("corrected", (50, 10.101525), (175 / 3, 11.785113), "50.00 ± 10.10"),
    ],
)
def test_the_table_has_mean_and_sample_deviation_over_runs(score, procedure, accuracy, recall, shown):
    scores = [
        score()[0],
        score(RUNS[1:], tagger="once")[0],
        score([[None] * 4], tagger="big", missing=4, reason=NO_KEY)[0],
    ]
    table = summarise_scores(pd.concat(scores), procedure)
    twice, once = read(table.frame)
    assert (twice["tagger"], twice["runs"], once["tagger"], once["runs"]) == ("small", "2", "once", "1")
    assert numbers(twice, "accuracy", "accuracy_sd") == pytest.approx(accuracy, abs=1e-6)
    assert numbers(twice, "recall", "recall_sd") == pytest.approx(recall, abs=1e-6)
    assert once["accuracy_sd"] == ""
    latex = table.to_latex(Caption("Scores", "By run."), "tab:scores")
    lines = [line for line in latex.splitlines() if line.startswith("demo & ")]
    assert lines[0].startswith(f"demo & small & {shown} & ")
    assert "±" not in lines[1]


def test_a_table_without_any_answers_is_empty(score):
    scores = score([[None] * 4], missing=4, reason=NO_KEY).scores
    assert read(summarise_scores(scores, "corrected").frame) == []
