import csv
import io
import json

import pandas as pd
import pytest

from textparity.corpora.rows import write_batches
from textparity.errors import InputError
from textparity.llm.tagging import ANSWERS_SCHEMA
from textparity.measures.statistics import Bootstrap
from textparity.measures.tag_counts import Tag, parse_answers, parse_tag
from textparity.measures.tokenizers import TokenizerChoice
from textparity.studies.representation.gold import TaggedSentence, read_gold
from textparity.studies.representation.method_comparison import (
    evaluate_lexicon,
    evaluate_tagger,
    tabulate_method_comparison,
)

GOLD = """\ufeff"Dos mujeres y un señor." "mujeres - P, F
señor - P, M"

"Es un tipo de coche." "tipo - N, M
coche - N, M"

"Llueve." ""

"El padre y sus niños." "padre - P, M
niños - P, M"
"""


def test_gold_blocks_are_read(tmp_path):
    (tmp_path / "gold.txt").write_text(GOLD, "utf-8")
    sentences = read_gold(tmp_path / "gold.txt")
    assert [len(one.tags) for one in sentences] == [2, 2, 0, 2]
    expected = (Tag("mujeres", "P", "F"), Tag("señor", "P", "M"))
    assert sentences[0] == TaggedSentence("Dos mujeres y un señor.", expected)


@pytest.mark.parametrize("line", ["señor – P, M", "señor - P,M", "señor - p, m", " - P, M", "señor - P, M.", ""])
def test_a_tag_is_spelt_exactly(line):
    assert parse_tag(line) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no annotated sentences"),
        ('"Uno."\n', "block 1: must be"),
        ('"Uno." "uno - P, M"\n\n"Dos." "dos - P"', "block 2: 'dos - P' must be word"),
        ('"Uno "dos"." "uno - P, M"', "block 1: must be"),
        ('" " ""', "block 1: the sentence is empty"),
    ],
)
def test_malformed_gold_is_named_with_its_block(tmp_path, content, said):
    path = tmp_path / "gold.txt"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        read_gold(path)
    assert str(path) in str(error.value)
    assert said in str(error.value)


BOOTSTRAP = Bootstrap(1, 100, 0.95)
COUNTS = ("person_words", "found", "as_masculine", "as_feminine", "as_unspecified")


@pytest.fixture
def measure_lexicon(tmp_path):
    (tmp_path / "gold.txt").write_text(GOLD, "utf-8")
    nouns = {"feminine": [{"plural": "mujeres"}], "masculine": [{"singular": "padre"}, {"singular": "tipo"}],
             "unspecified": [{"plural": "niños"}]}  # fmt: skip
    (tmp_path / "lexicon.json").write_text(json.dumps(nouns), "utf-8")
    tokenizer = TokenizerChoice("icu", "es")
    return evaluate_lexicon(tmp_path / "gold.txt", tmp_path / "lexicon.json", "demo", tokenizer, BOOTSTRAP)


@pytest.fixture
def measure_tagger(tmp_path):
    """Measure runs of answers to `GOLD`; returns words and ratios."""

    def measure(tagger, runs, missing=0):
        def batches():
            whole = {"id": "x", "text": "", "finish_reason": "", "error": ""}
            yield [whole | {"run": run, "answer": text} for run, answers in enumerate(runs) for text in answers]
            return {"tagger": tagger, "runs": len(runs), "missing": missing, "reason": "no key" if missing else ""}

        for name, text in (("gold", GOLD), ("skip", "usted"), ("epicene", "lang\tword\n")):
            (tmp_path / f"{name}.txt").write_text(text, "utf-8")
        answers, tags = tmp_path / "answers.parquet", tmp_path / "tags.parquet"
        write_batches(answers, ANSWERS_SCHEMA, batches())
        lists = [tmp_path / "skip.txt", tmp_path / "epicene.txt"]
        parse_answers(answers, *lists, tags, tmp_path / "problems.csv", "gold/demo", "spa")
        return evaluate_tagger(tmp_path / "gold.txt", tags, "demo", BOOTSTRAP)

    return measure


def read(table):
    """Return the rows of a table, or of a file, as text."""
    file = io.StringIO(table.to_csv(index=False)) if isinstance(table, pd.DataFrame) else table.open(encoding="utf-8")
    with file:
        return list(csv.DictReader(file))


def test_the_lexicon_is_measured_on_gold(measure_lexicon):
    words, ratios = measure_lexicon
    assert [(row["gender"], row["word"], *(int(row[name]) for name in COUNTS)) for row in read(words)] == [
        ("masculine", "niños", 1, 1, 0, 0, 1),
        ("masculine", "padre", 1, 1, 1, 0, 0),
        ("masculine", "señor", 1, 0, 0, 0, 0),
        ("feminine", "mujeres", 1, 1, 0, 1, 0),
        # Beside the annotators' person words.
        ("", "tipo", 0, 1, 1, 0, 0),
    ]
    by_method = {row["method"]: (row["masculine"], row["feminine"]) for row in read(ratios)}
    assert by_method == {"annotators": ("3", "1"), "lexicon": ("2", "1")}


# Of the second run, the first sentence's words are found in the wrong gender, and one in the wrong sentence.
RUNS = [
    ["Mujeres - P, F\nseñor - P, M\nusted - P, F", "tipo - N, M\ncoche - N, M", "", "padre - P, M\nniños - P, M"],
    ["mujeres - P, M", "", "padre - P, M", "padre - P, M\nniños - N, M"],
]


def test_a_language_model_is_measured_by_means_over_its_runs(measure_tagger):
    words, ratios = measure_tagger("small", RUNS)
    assert [(row["gender"], row["word"], *(float(row[name]) for name in COUNTS)) for row in read(words)] == [
        ("masculine", "padre", 1, 1, 1, 0, 0),
        ("masculine", "niños", 1, 0.5, 0.5, 0, 0),
        ("masculine", "señor", 1, 0.5, 0.5, 0, 0),
        ("feminine", "mujeres", 1, 1, 0.5, 0.5, 0),
        ("", "padre", 0, 0.5, 0.5, 0, 0),
    ]
    (row,) = read(ratios)
    assert [float(row[name]) for name in ("sentences", "masculine", "feminine")] == [4, 3, 0.5]
    assert (row["gold"], row["method"], float(row["masculine_per_feminine"])) == ("demo", "small", 6)


def test_methods_stand_side_by_side_on_the_same_sentences(measure_lexicon, measure_tagger, tmp_path):
    measured = [measure_lexicon, measure_tagger("small", RUNS), measure_tagger("big", [[None] * 4], missing=4)]
    assert read(measured[2].words) == read(measured[2].ratios) == []
    every = tmp_path / "words.csv"
    tabulate_method_comparison(measured, tmp_path / "table.csv", tmp_path / "table.tex", every, 0.95)
    words = pd.concat([one.words for one in measured[:2]])
    assert pd.read_csv(every, keep_default_na=False).to_numpy().tolist() == words.to_numpy().tolist()
    rows = {row["method"]: row for row in read(tmp_path / "table.csv")}
    assert list(rows) == ["annotators", "lexicon", "small"]
    assert {row["gold"] for row in rows.values()} == {"demo"}
    shares = [f"{share}_percent_{gender}" for share in ("found", "recall") for gender in ("masculine", "feminine")]
    assert {name: [row[share] for share in shares] for name, row in rows.items()} == {
        "annotators": ["", "", "", ""],
        "lexicon": ["66.666667", "100.0", "33.333333", "100.0"],
        "small": ["66.666667", "100.0", "66.666667", "50.0"],
    }
    ends = [float(rows["lexicon"][f"recall_percent_masculine_{end}"]) for end in ("low", "high")]
    assert ends == pytest.approx([6.149, 79.234], abs=0.01)
    shown = (tmp_path / "table.tex").read_text("utf-8")
    assert "demo & annotators & 3 & 1 & 3.00 : 1 & " in shown
    assert " & 67 / 100 & 33 / 100 \\\\" in shown
