"""From answers to words and counts, by the paper's notebook and corrected."""

import csv

import pyarrow.parquet as pq
import pytest

from textparity.corpora.reading import read_metadata, write_batches
from textparity.errors import TableError
from textparity_studies.llm.answering import ANSWERS_SCHEMA
from textparity_studies.measures.tag_counts import (
    COUNTS,
    PROBLEMS,
    parse_answers,
    read_epicene_words,
    read_skip_list,
)

TEXT = "El Señor dice que las personas y la mesa del jefe son de usted."
SKIP_LIST = "USTED\n\n  se \n"
EPICENE = "lang\tword\nspa\tPersonas\ncat\tjefe\n"


@pytest.fixture
def parse(tmp_path):
    """Parse answers (a text, or a dict of other cells); returns rows and problems."""

    def parse(*answers, skip_list=SKIP_LIST, lang="spa", **metadata):
        def batches():
            whole = {"run": 0, "text": TEXT, "finish_reason": "stop", "error": ""}
            yield [
                whole | {"id": f"t{number}"} | (answer if isinstance(answer, dict) else {"answer": answer})
                for number, answer in enumerate(answers)
            ]
            return metadata

        write_batches(tmp_path / "answers.parquet", ANSWERS_SCHEMA, batches())
        (tmp_path / "epicene.tsv").write_text(EPICENE, "utf-8")
        skipped = tmp_path / "skip.txt" if skip_list else None
        if skipped:
            skipped.write_text(skip_list, "utf-8")
        paths = [tmp_path / name for name in ("answers.parquet", "epicene.tsv", "tags.parquet", "problems.csv")]
        parse_answers(paths[0], skipped, *paths[1:], "corpora/demo", lang)
        with paths[3].open(encoding="utf-8", newline="") as file:
            return pq.read_table(paths[2]).to_pylist(), list(csv.DictReader(file))

    return parse


def counts(row, procedure):
    return tuple(row[f"{procedure}_{name}"] for name in COUNTS)


def test_every_answer_has_one_row_with_its_status(parse, tmp_path):
    answers = {
        "señor - P, M\nmesa - N, F": "parsed",
        "señor - P, M\nNo hay más.": "partly parsed",
        "Lo siento.": "unparsed",
        "": "no words",
    }
    error = {"answer": "", "error": "HTTP 400: too long"}
    rows, _ = parse(*answers, error, {"answer": None}, tagger="m", missing=1, reason="no key")
    assert [(row["id"], row["status"]) for row in rows] == [
        *((f"t{number}", status) for number, status in enumerate(answers.values())),
        ("t4", "error"),
    ]
    metadata = read_metadata(tmp_path / "tags.parquet")
    statuses = {"error": 1, "no words": 1, "parsed": 1, "partly parsed": 1, "unparsed": 1}
    problems = dict.fromkeys(PROBLEMS, 0) | {"error": 1, "unparsed line": 2}
    carried_on = {"tagger": "m", "missing": 1, "reason": "no key"}
    carried_on |= {"texts": "corpora/demo", "lang": "spa", "skip_list": ["SE", "USTED"]}
    assert metadata == carried_on | {"statuses": statuses, "repairs": {}, "problems": problems}


def test_repairs_are_counted_over_all_answers(parse, tmp_path):
    parse("señor - p, m\n- mesa - N, F", "Frase: x\njefe - p, M")
    assert read_metadata(tmp_path / "tags.parquet")["repairs"] == {"bullet": 1, "echo": 1, "lower case": 2}


def test_invented_examples_are_counted(parse, tmp_path):
    parse("señor - P, M\nEjemplo 7: x\nhija - P, F")
    assert read_metadata(tmp_path / "tags.parquet")["repairs"] == {"further examples": 1}


def test_a_word_inside_another_is_not_in_the_text_and_one_too_many_is_repeated(parse):
    _, problems = parse("son - P, M\nse - P, M\nson - N, F", skip_list=None)
    found = [(row["problem"], row["line"]) for row in problems]
    assert found == [("word not in the text", "se"), ("word more often than in the text", "son")]


@pytest.mark.parametrize("text", ["La sen\u0303ora", "La se\u00adñora", "LA SEÑORA"])
def test_a_word_is_in_the_text_however_it_is_written(parse, text):
    (row,), problems = parse({"answer": "señora - P, F", "text": text})
    assert (row["corrected_person_feminine"], row["corrected_not_in_text"], problems) == (1, 0, [])


def test_problems_say_what_went_wrong_where(parse):
    _, problems = parse(
        "señor - P, M\nGato - N, M\nNada, más",
        {"answer": "señor - P, M\nmesa - N", "finish_reason": "length", "run": 1},
        {"answer": "", "error": "refusal: no"},
        "JEFE - P, M",
    )
    assert [tuple(problem.values()) for problem in problems] == [
        ("t0", "0", "unparsed line", TEXT, "Nada, más"),
        ("t0", "0", "word not in the text", TEXT, "Gato"),
        ("t1", "1", "cut at max_tokens", TEXT, "mesa - N"),
        ("t1", "1", "unparsed line", TEXT, "mesa - N"),
        ("t2", "0", "error", TEXT, "refusal: no"),
    ]


@pytest.mark.parametrize(
    ("answer", "published", "corrected"),
    [
        ("señor - P, M\npersonas - P, F\nmesa - N, F", (1, 2, 1, 2, 1, 1), (1, 2, 1, 2, 1, 1)),
        # A line counts once, and once for each mark that it has anywhere.
        ("señor - P, M, M", (1, 0, 0, 1, 1, 0), (1, 0, 0, 1, 1, 0)),
        ("señor - P, M o P, F", (1, 1, 0, 1, 1, 1), (1, 0, 0, 1, 1, 0)),
        ("La lista, Miguel: UN, DOS y P, M", (1, 0, 1, 1, 1, 0), (0, 0, 0, 0, 0, 0)),
        ("señor - p, m", (0, 0, 0, 0, 0, 0), (1, 0, 0, 1, 1, 0)),
        ("señor - P,M", (0, 0, 0, 0, 0, 0), (1, 0, 0, 1, 1, 0)),
        ("señor - P, M\nEjemplo 7: x\nhija - P, F", (1, 1, 0, 2, 1, 1), (1, 0, 0, 1, 1, 0)),
        ("", (0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)),
    ],
)
def test_a_line_is_counted_by_both_procedures(parse, answer, published, corrected):
    (row,), _ = parse(answer)
    assert (counts(row, "published"), counts(row, "corrected")) == (published, corrected)


def test_skipped_words_are_kept_but_not_counted(parse):
    (row,), _ = parse("usted - P, M\n Se  - P, M\nUsted – P, F\nseñor - P, M")
    assert [(word["word"], word["skipped"]) for word in row["words"]] == [
        ("usted", True), ("Se", True), ("Usted", True), ("señor", False),
    ]  # fmt: skip
    # The notebook knows the word only before " - ".
    assert counts(row, "published") == (1, 1, 0, 2, 1, 1)
    assert counts(row, "corrected") == (1, 0, 0, 1, 1, 0)
    (row,), _ = parse("usted - P, M", skip_list=None)
    assert counts(row, "published") == counts(row, "corrected") == (1, 0, 0, 1, 1, 0)


def test_epicene_words_are_counted_where_they_are_persons_of_the_language(parse):
    answer = "PERSONAS - P, F\npersonas - N, F\njefe - P, M"
    (spanish,), _ = parse(answer)
    (catalan,), _ = parse(answer, lang="cat")
    assert [[word["epicene"] for word in row["words"]] for row in (spanish, catalan)] == [
        [True, False, False], [False, False, True],
    ]  # fmt: skip
    found = [(row["corrected_epicene_masculine"], row["corrected_epicene_feminine"]) for row in (spanish, catalan)]
    assert found == [(0, 1), (1, 0)]


def test_word_lists_are_read(tmp_path):
    (tmp_path / "skip.txt").write_text(SKIP_LIST, "utf-8")
    assert read_skip_list(tmp_path / "skip.txt") == {"USTED", "SE"}
    assert read_skip_list(None) == frozenset()
    (tmp_path / "epicene.tsv").write_text(EPICENE, "utf-8")
    assert read_epicene_words(tmp_path / "epicene.tsv", "spa") == {"personas"}
    (tmp_path / "epicene.tsv").write_text("word\tlang\n", "utf-8")
    with pytest.raises(TableError, match=r"epicene\.tsv: the header is word, lang; it must be lang, word"):
        read_epicene_words(tmp_path / "epicene.tsv", "spa")
