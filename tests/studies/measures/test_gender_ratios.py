import pytest

from textparity.corpora.reading import read_batches, read_corpus
from textparity.errors import TableError
from textparity_studies.measures.gender_ratios import count_polarity, read_polarity_words

WORDS = "resources/lexicons/gender_polarity_eng.tsv"


def test_the_shipped_list_is_the_papers(repository):
    words = read_polarity_words(repository / WORDS)
    assert {gender: len(these) for gender, these in words.items()} == {"masculine": 9, "feminine": 9}
    assert "he's" in words["masculine"]


@pytest.mark.parametrize(
    ("text", "published", "corrected"),
    [
        ("He met him.", (1, 0), (2, 0)),
        ("She, a girl, left", (0, 0), (0, 2)),
        ("HE’S a boy and she`s a woman", (2, 2), (2, 2)),
        ("he'll see the woman's hers", (0, 1), (1, 2)),
        ("The human manual, 'man'", (0, 0), (1, 0)),
        ("", (0, 0), (0, 0)),
    ],
)
def test_words_are_counted_by_both_procedures(repository, tmp_path, text, published, corrected):
    (tmp_path / "texts.txt").write_text(f"{text}\nno one\n")
    read_corpus(tmp_path / "texts.txt", tmp_path / "texts.parquet", "demo", "eng")
    count_polarity(tmp_path / "texts.parquet", repository / WORDS, tmp_path / "counts.parquet", "corpora/demo/eng")
    counts = next(read_batches(tmp_path / "counts.parquet", 10))
    assert (counts["published_masculine"][0], counts["published_feminine"][0]) == published
    assert (counts["corrected_masculine"][0], counts["corrected_feminine"][0]) == corrected


@pytest.mark.parametrize(
    ("rows", "said"),
    [("he\tmale\n", "line 2: gender 'male'"), ("he\tmasculine\n", "has no feminine words")],
)
def test_a_malformed_list_is_named(tmp_path, rows, said):
    (tmp_path / "words.tsv").write_text(f"word\tgender\n{rows}")
    with pytest.raises(TableError, match=said):
        read_polarity_words(tmp_path / "words.tsv")
