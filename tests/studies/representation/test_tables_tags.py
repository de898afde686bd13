"""Tables of what a language model tagged in corpora."""

import math

import pandas as pd
import pytest

from textparity.corpora.reading import write_batches
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Caption
from textparity_studies.llm.answering import ANSWERS_SCHEMA
from textparity_studies.measures.gender_ratios import summarise_tags
from textparity_studies.measures.tag_counts import parse_answers
from textparity_studies.representation.tables import tabulate_answers, tabulate_epicene, tabulate_tag_ratios

EPICENE = "lang\tword\nspa\tpersonas\nspa\tmiembro\nspa\tgente\ncat\tgent\n"
NAMES = {"news": "News 1", "talks": "Talks"}
NO_KEY = "the environment variable TEST_KEY is not set"
WORDS = ["señor - P, M", "Personas - P, F", "miembro - P, M", "mesa - N, F"]
# Two runs over two texts: 5 masculine and 3 feminine person words, of them 1 and 2 epicene.
NEWS = [
    ["\n".join(WORDS), "jefe - P, M\nusted - P, M"],
    ["\n".join(WORDS[:2]), "jefe - P, M\nella - P, F\nlibro, N, M"],
]
TALKS = [["gente - P, F\npersonas - P, F\nhola"]]


@pytest.fixture
def tag(tmp_path):
    """Write the tags of runs of answers; returns their path. Without a text, an answer's own words are its text."""

    def tag(name, runs, missing=0, reason="", lang="spa", error="", text=None):
        def batches():
            whole = {"finish_reason": "", "error": error}
            cells = [(run, number, answer) for run, answers in enumerate(runs) for number, answer in enumerate(answers)]
            yield [
                whole | {"id": f"{name}/{number}", "run": run, "answer": answer}
                | {"text": (answer or "") if text is None else text}
                for run, number, answer in cells
            ]  # fmt: skip
            answers = len(cells) - missing
            return {"tagger": "small", "runs": len(runs), "missing": missing, "reason": reason, "answers": answers}

        (tmp_path / "skip.txt").write_text("usted", "utf-8")
        (tmp_path / "epicene.tsv").write_text(EPICENE, "utf-8")
        answers, tags = tmp_path / "answers.parquet", tmp_path / f"{name}.parquet"
        write_batches(answers, ANSWERS_SCHEMA, batches())
        skipped, epicene = tmp_path / "skip.txt", tmp_path / "epicene.tsv"
        parse_answers(answers, skipped, epicene, tags, tmp_path / "problems.csv", f"corpora/{name}/{lang}", lang)
        return tags

    return tag


@pytest.fixture
def news(tag):
    return tag("news", NEWS)


@pytest.fixture
def without_key(tag):
    return tag("talks", [["señor - P, M", None]], missing=1, reason=NO_KEY, text="El hombre.")


def summarise_frame(*tags):
    rows = [row for path in tags for row in summarise_tags(path, path.stem, "spa", Bootstrap(1, 200, 0.95))]
    return pd.DataFrame(rows)


def summarise(*tags):
    """Summarise files of tags; returns the rows by corpus and procedure."""
    return {(row["corpus"], row["procedure"]): row for row in summarise_frame(*tags).to_dict("records")}


def tabulate(procedure, *tags):
    """Return the rows of the table of ratios, and its lines in LaTeX."""
    table = tabulate_tag_ratios(summarise_frame(*tags), NAMES, procedure)
    latex = table.to_latex(Caption("Tags", "By corpus."), "tab:tags").splitlines()
    return table.frame.to_dict("records"), latex


COLUMNS = ("masculine", "feminine", "not_person", "person", "person_masculine", "person_feminine")


def test_counts_are_means_over_runs(news):
    rows = summarise(news)
    corrected, published = rows["news", "corrected"], rows["news", "published"]
    assert [corrected[name] for name in COLUMNS] == [2.5, 2.0, 0.5, 4.0, 2.5, 1.5]
    # "libro, N, M" is no tag, but has two of the notebook's marks.
    assert [published[name] for name in COLUMNS] == [3.0, 2.0, 1.0, 4.0, 2.5, 1.5]
    assert (corrected["texts"], corrected["runs"], corrected["lang"], corrected["tagger"]) == (2, 2, "spa", "small")
    assert (corrected["epicene_masculine"], corrected["epicene_feminine"]) == (0.5, 1.0)


def test_the_ratio_is_of_sums_with_and_without_epicene_words(news):
    row = summarise(news)["news", "corrected"]
    assert row["person_masculine_per_feminine"] == pytest.approx(5 / 3)
    assert row["person_masculine_per_feminine_without_epicene"] == pytest.approx(4 / 1)


def test_the_interval_is_over_texts_and_brackets_the_ratio(tag):
    texts = ["señor - P, M\nella - P, F", "él - P, M\njefe - P, M\nella - P, F", "ella - P, F"] * 10
    row = summarise(tag("news", [texts]))["news", "corrected"]
    name = "person_masculine_per_feminine"
    assert 0.5 < row[f"{name}_low"] < row[name] == 1.0 < row[f"{name}_high"] < 2.0
    assert row[f"{name}_without_epicene_low"] == row[f"{name}_low"]


def test_words_that_the_text_does_not_have_are_shown_and_not_counted(tag):
    # As a tagger that answers the same to every text.
    answers = ["mujer - P, F\nhombre - P, M\nhombre - P, M\nrey - P, M"] * 2
    rows = summarise(tag("news", [answers], text="La mujer vio a un hombre."))
    corrected, published = rows["news", "corrected"], rows["news", "published"]
    assert [corrected[name] for name in ("person_masculine", "person_feminine", "not_in_text")] == [2, 2, 4]
    assert [published[name] for name in ("person_masculine", "person_feminine")] == [6, 2]


def test_a_ratio_to_nothing_is_not_a_number(tag):
    row = summarise(tag("news", [["señor - P, M", "señor - P, M"]]))["news", "corrected"]
    assert math.isnan(row["person_masculine_per_feminine"])
    assert math.isnan(row["person_masculine_per_feminine_high"])


def test_a_corpus_without_all_answers_has_a_reason_and_no_numbers(news, without_key):
    rows = summarise(news, without_key)
    for procedure in ("published", "corrected"):
        row = rows["talks", procedure]
        assert (row["reason"], rows["news", procedure]["reason"]) == (NO_KEY, "")
        assert all(math.isnan(row[name]) for name in (*COLUMNS, "texts", "person_masculine_per_feminine"))
        shown, latex = tabulate(procedure, news, without_key)
        assert [row["corpus"] for row in shown] == ["News 1"]
        assert "Talks" not in "".join(latex)


def test_tables_without_any_whole_corpus_are_empty(without_key):
    for procedure in ("published", "corrected"):
        shown, latex = tabulate(procedure, without_key)
        assert shown == [] and any("LP,M : LP,F" in line for line in latex)
    assert tabulate_epicene([without_key]).frame.empty


@pytest.mark.parametrize(
    ("procedure", "line"),
    [
        ("published", r"News 1 & spa & small & 4 & 3 & 2 & 5 & 3 & 2 & 1.50 : 1 & -- \\"),
        ("corrected", r"News 1 & spa & small & 3 & 3 & 1 & 5 & 3 & 2 & 1.50 : 1 & -- & 2.00 : 1 & 0 \\"),
    ],
)
def test_the_table_names_corpora_and_counts(tag, procedure, line):
    (row,), latex = tabulate(procedure, tag("news", [["\n".join([*WORDS, "ella - P, F"]), "jefe - P, M\nlibro, N, M"]]))
    assert (row["corpus"], row["tagger"], row["person"]) == ("News 1", "small", 5)
    assert ("epicene_masculine" in row) == (procedure == "corrected")
    assert line in latex


def test_epicene_words_are_counted_over_all_corpora_of_a_language(tag, news, without_key):
    catalan = tag("bulletin", [["gent - P, F"]], lang="cat")
    talks = tag("more", TALKS)
    rows = list(tabulate_epicene([news, without_key, catalan, talks]).frame.itertuples(index=False, name=None))
    assert [row[:-1] for row in rows] == [
        ("cat", "small", "gent", "feminine", 1.0),
        ("spa", "small", "personas", "feminine", 2.0),
        ("spa", "small", "gente", "feminine", 1.0),
        ("spa", "small", "miembro", "masculine", 0.5),
    ]
    # Of one person word in Catalan, of 4 (the mean over runs) + 2 in Spanish.
    assert [row[-1] for row in rows] == pytest.approx([100, 100 / 3, 50 / 3, 25 / 3], abs=1e-6)


def test_answers_are_listed_by_how_they_could_be_read(tag, news, without_key):
    broken = tag("broken", [["", ""]], error="HTTP 400: no")
    (table,) = tabulate_answers([news, without_key, broken])
    whole, part, errors = table.frame.astype(str).to_dict("records")
    columns = ("texts", "runs", "answers", "missing", "parsed", "partly_parsed", "unparsed", "no_words", "error")
    assert [whole[name] for name in columns] == ["corpora/news/spa", "2", "4", "0", "3", "1", "0", "0", "0"]
    assert [part[name] for name in columns] == ["corpora/talks/spa", "1", "1", "1", "1", "0", "0", "0", "0"]
    assert [errors[name] for name in columns] == ["corpora/broken/spa", "1", "2", "0", "0", "0", "0", "0", "2"]
    assert (whole["words"], whole["word_not_in_the_text"], whole["repaired_bullet"]) == ("10", "0", "0")
    assert (part["words"], part["word_not_in_the_text"]) == ("1", "1")


def test_a_mean_that_is_no_whole_number_is_shown_as_such(tag):
    _, latex = tabulate("corrected", tag("news", [["a - P, M\nb - P, F"], ["a - P, M\nc - P, M\nb - P, F"]]))
    assert " & 1.5 & 1 & 1.50 : 1" in "".join(latex)


def test_the_columns_do_not_depend_on_the_data(tag):
    ((row,), _) = tabulate("published", tag("news", [["a - P, M"]]))
    assert "person_masculine_per_feminine" in row
