"""Sentences that the paper publishes, for whoever has them."""

import pytest

from textparity.errors import InputError
from textparity_studies.stereotypes.sentences import read_first_attempts, read_generated, read_published_sentences
from textparity_studies.stereotypes.tables import count_published_sentences

ROWS = ["kind,word,text", "MM,bold,He was bold.", "FM,bold,She was bold.", 'MF,kind,"He was kind, she said."']


def read(tmp_path, lines):
    source, sentences, all_sentences = (tmp_path / name for name in ("set.csv", "sentences.csv", "all.csv"))
    source.write_text("\n".join(lines) + "\n", "utf-8")
    read_published_sentences(source, sentences, all_sentences, "cryan.published.set1")
    return sentences, all_sentences


def test_a_published_set_is_read_as_a_generators_sentences(tmp_path):
    sentences, all_sentences = read(tmp_path, ROWS)
    found = read_generated(sentences)
    assert list(found["label"]) == ["consistent", "contradictory", "contradictory"]
    assert list(found["gender"]) == ["masculine", "feminine", "masculine"]
    assert found["id"][0] == "cryan.published.set1/00001"
    # What the paper classifies: all of a set.
    assert list(read_first_attempts(all_sentences)["text"]) == list(found["text"])
    (table,) = count_published_sentences([sentences], [["cryan", "published", 1]])
    (row,) = table.frame.to_dict("records")
    assert (row["lexicon"], row["MM"], row["FM"], row["contradictory"], row["sentences"]) == ("cryan", 1, 1, 2, 3)
    assert row["contradictory_percent"] == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ["kind,sentence", "MM,x"],
            r"set\.csv: has no column word, text; it has kind, sentence\. Name its columns",
        ),
        ([*ROWS, "XX,bold,Text."], r"set\.csv, line 5: kind 'XX'"),
        ([*ROWS, "MM,,Text."], r"set\.csv, line 5: a word without spaces and a text are needed"),
        ([*ROWS, "MM,bold, "], r"set\.csv, line 5: a word without spaces and a text are needed"),
    ],
)
def test_a_file_that_is_not_such_a_set_is_named(tmp_path, lines, said):
    with pytest.raises(InputError, match=said):
        read(tmp_path, lines)
