"""Lexicons of gender-coded words: reading both forms, the paper's selection, and finding their words."""

import pytest

from textparity.errors import TableError
from textparity.tables import Caption
from textparity_studies.stereotypes.sentences import (
    CodedLexicon,
    load_coded_lexicon,
    select_scored,
)
from textparity_studies.stereotypes.tables import describe_coded_lexicons
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

SCORED = "word\tpart_of_speech\tscore\tcoding"
STEMS = "stem\tcoding\texample"


@pytest.fixture
def lexicon(tmp_path):
    def write(header, *rows):
        path = tmp_path / "lexicon.tsv"
        path.write_text("\n".join([header, *("\t".join(row) for row in rows)]) + "\n", "utf-8")
        return path

    return write


@pytest.mark.parametrize(("name", "masculine", "feminine"), [("gaucher", 42, 40), ("gender_decoder", 52, 50)])
def test_every_word_of_the_shipped_lexicons_is_found_in_its_example(repository, name, masculine, feminine):
    registry = StudyRegistry(Tables().model_dump(), repository)
    row = registry.coded_lexicons[name]
    found = load_coded_lexicon(repository / row.path, row.form)
    assert (len(found.of("masculine")), len(found.of("feminine"))) == (masculine, feminine)
    for word in found.words:
        assert found.find(f"The {found.example(word)}, they said.") == [(word, found.example(word))]
        assert word.removesuffix("*") == word or word in found.examples


def test_the_longest_word_that_fits_is_found():
    words = CodedLexicon(dict.fromkeys(["domina*", "dominant", "interpersona*", "interpersonal", "self-confiden*"], ""))
    assert words.find("A dominant, DOMINATING, interpersonal talk; interpersonally self-confident") == [
        ("dominant", "dominant"), ("domina*", "DOMINATING"), ("interpersonal", "interpersonal"),
        ("interpersona*", "interpersonally"), ("self-confiden*", "self-confident"),
    ]  # fmt: skip


def test_a_whole_word_is_no_beginning_and_no_part_of_another():
    words = CodedLexicon({"kind": "feminine", "confident": "masculine", "warm*": "feminine"})
    assert words.find("Kindness in mankind: self-confident, lukewarm, kind-hearted") == []
    assert words.find("Kind! warm-hearted; warm's") == [
        ("kind", "Kind"), ("warm*", "warm-hearted"), ("warm*", "warm"),
    ]  # fmt: skip


def test_adjectives_more_than_a_deviation_from_their_mean_are_kept(lexicon):
    path = lexicon(
        SCORED,
        # Of the adjectives: mean 0, sample deviation 6.28; 5.8 would be kept by the deviation of a population (5.73).
        ("daring", "adjective", "8", ""), ("bold", "adjective", "5.8", ""), ("calm", "adjective", "1", ""),
        ("mild", "adjective", "-1", ""), ("tearful", "adjective", "-5.8", ""), ("frail", "noun adjective", "-8", ""),
        # With these, the mean would be 5 and "daring" within a deviation.
        ("hammer", "noun", "20", ""), ("army", "noun", "20", "masculine"),
        # Of a word cloud: no score.
        ("muscular", "adjective", "", "masculine"), ("glamorous", "adjective", "", "feminine"),
        ("engine", "noun", "", "masculine"),
    )  # fmt: skip
    assert load_coded_lexicon(path, "scores").words == {
        "daring": "masculine", "frail": "feminine", "muscular": "masculine", "glamorous": "feminine",
    }  # fmt: skip


def test_a_coding_is_that_of_the_score_not_of_its_side_of_the_mean(lexicon):
    rows = [("gentle", "-1"), ("frail", "-12"), ("meek", "-12.5"), ("shy", "-11.5")]
    path = lexicon(SCORED, *((word, "adjective", score, "feminine") for word, score in rows))
    assert select_scored(path) == {"gentle": "feminine"}


@pytest.mark.parametrize(
    ("form", "header", "row", "message"),
    [
        ("stems", STEMS, ("kind", "female", ""), "line 3: coding 'female' is neither feminine nor masculine"),
        ("stems", STEMS, ("bold", "feminine", ""), "line 3: 'bold' is empty, .* or is a duplicate"),
        ("stems", STEMS, ("*", "feminine", ""), r"line 3: '\*' is empty"),
        ("stems", STEMS, ("se*ne", "feminine", ""), r"line 3: 'se\*ne' is empty, has a \* inside"),
        ("stems", STEMS, ("warm*", "feminine", "kind"), r"line 3: 'kind' is no example of 'warm\*'"),
        ("stems", "stem\tcoding", ("warm*", "feminine"), "the header is stem, coding; it must be stem, coding, ex"),
        ("stems", STEMS, ("brave", "masculine", ""), "has no feminine words; both codings are needed"),
        ("scores", SCORED, ("kind", "adjective", "high", ""), "line 3: score 'high' is no number"),
        ("scores", SCORED, ("kind", "adjective", "0", ""), "line 3: score '0' is no number, or neither side of 0"),
        ("scores", SCORED, ("kind", "adjective", "-3", "masculine"), "line 3: coding 'masculine', but score -3 is fem"),
        ("scores", SCORED, ("kind", "adjective", "", ""), "line 3: coding '' is neither"),
        ("scores", SCORED, ("bold", "noun", "1", ""), "line 3: 'bold' is empty, has a"),
    ],
)
def test_a_line_that_will_not_do_is_named(lexicon, form, header, row, message):
    first = {"stems": ("bold", "masculine", "")[: len(row)], "scores": ("bold", "adjective", "2", "")}[form]
    with pytest.raises(TableError, match=rf"lexicon\.tsv.*{message}"):
        load_coded_lexicon(lexicon(header, first, row), form)


def test_the_table_counts_words_by_coding(lexicon):
    path = lexicon(STEMS, ("kind", "feminine", ""), ("bold", "masculine", ""), ("brave", "masculine", ""))
    (table,) = describe_coded_lexicons([path], names=["own"], forms=["stems"])
    (row,) = table.frame.to_dict("records")
    assert row == {
        "lexicon": "own", "feminine": 1, "masculine": 2, "words": 3,
        "feminine_percent": pytest.approx(100 / 3), "masculine_percent": pytest.approx(200 / 3),
    }  # fmt: skip
    assert "own & 1 & 2 & 3 & 33.33 & 66.67" in table.to_latex(Caption("Words", "By coding."), "tab:words")
