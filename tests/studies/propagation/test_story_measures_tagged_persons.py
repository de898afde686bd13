"""Persons in stories, by tags of their sentences."""

import pyarrow.parquet as pq
import pytest

from textparity.corpora.reading import TEXT_SCHEMA, write_batches
from textparity.errors import MissingResourceError
from textparity_studies.llm.answering import ANSWERS_SCHEMA
from textparity_studies.measures.tag_counts import parse_answers
from textparity_studies.propagation.story_measures import count_tagged_persons, split_stories

STORIES = {"1/1/1": "El jefe llegó. Su madre lo vio.", "1/1/2": "", "1/2/1": "Una mesa."}
# By sentence, in two runs.
ANSWERS = {
    "1/1/1/1": ["jefe - P, M", "jefe - P, M\njefa - P, F"],
    "1/1/1/2": ["madre - P, F\nlo - P, M", "madre - P, F"],
    "1/2/1/1": ["mesa - N, F", "mesa - N, F"],
}


@pytest.fixture
def count(tmp_path):
    """Split the stories, tag their sentences with `ANSWERS`, and count; returns the rows of sentences and counts."""

    def count(missing=0):
        stories, texts, tags, counts = (tmp_path / f"{name}.parquet" for name in ("s", "texts", "tags", "counts"))
        rows = [{"id": key, "doc_id": "1", "lang": "spa", "text": text} for key, text in STORIES.items()]
        write_batches(stories, TEXT_SCHEMA, [rows])
        split_stories(stories, texts, "es")

        def batches():
            whole = {"text": "El jefe y la jefa; la madre lo vio; una mesa.", "finish_reason": "", "error": ""}
            yield [
                whole | {"id": key, "run": run, "answer": runs[run]} for run in (0, 1) for key, runs in ANSWERS.items()
            ]
            return {"tagger": "small", "runs": 2, "missing": missing, "reason": "no key" if missing else ""}

        write_batches(tmp_path / "answers.parquet", ANSWERS_SCHEMA, batches())
        (tmp_path / "epicene.tsv").write_text("lang\tword\n", "utf-8")
        paths = [tmp_path / name for name in ("answers.parquet", "epicene.tsv", "problems.csv")]
        parse_answers(paths[0], None, paths[1], tags, paths[2], "stories", "spa")
        count_tagged_persons(stories, texts, tags, counts)
        return pq.read_table(texts).to_pylist(), pq.read_table(counts).to_pylist()

    return count


def test_sentences_are_tagged_and_counted_for_their_story(count):
    sentences, counts = count()
    assert [(one["id"], one["doc_id"], one["text"]) for one in sentences] == [
        ("1/1/1/1", "1/1/1", "El jefe llegó."), ("1/1/1/2", "1/1/1", "Su madre lo vio."),
        ("1/2/1/1", "1/2/1", "Una mesa."),
    ]  # fmt: skip
    assert [one["id"] for one in counts] == list(STORIES)
    for procedure in ("published", "corrected"):
        found = [[one[f"{procedure}_{name}"] for name in ("words", "masculine", "feminine")] for one in counts]
        # Means of two runs; "mesa" is no person.
        assert found == [[3, 1.5, 1.5], [0, 0, 0], [1, 0, 0]]


def test_missing_answers_are_no_zero(count, tmp_path):
    with pytest.raises(MissingResourceError, match=r"1 answers are missing \(no key\)"):
        count(missing=1)
    assert not (tmp_path / "counts.parquet").exists()
