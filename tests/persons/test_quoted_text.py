"""Lines, sentences and marks of the text in which quotes are searched for."""

import pytest
from annotated import annotate

from textparity.persons.quoted_text import (
    has_lines,
    spans_in_apostrophes,
    with_lines,
    with_whole_sentences,
)


def article_of(*sentences):
    """Return an article of sentences of words; `/` is the end of a line, and `~` after a word: no space follows."""
    blocks = []
    for sentence in sentences:
        lines = []
        for number, word in enumerate(sentence.split()):
            relation = "dep 1" if number else "root 0"
            lines.append(f"{word.rstrip('~')} - X {relation}{' ~' if word.endswith('~') else ''}")
        blocks.append("\n".join(lines))
    article = annotate("\n\n".join(blocks))
    article.tokens = ["\n" if token == "/" else token for token in article.tokens]
    return article


def sentences_of(article):
    return [" ".join(article.tokens[start:end]).replace("\n", "/") for start, end in article.sentences]


def test_a_headline_ends_with_its_line():
    article = article_of("Shark bites boy / A shark bit him . /", "He lives . /")
    assert has_lines(article)
    assert sentences_of(with_lines(article)) == ["Shark bites boy /", "A shark bit him . /", "He lives . /"]


def test_lines_may_be_parts_of_sentences():
    assert not has_lines(article_of("A shark bit / the boy at / sea . /"))


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        (("She said", "that he left ."), ["She said that he left ."]),
        (("She said .", "He left ."), ["She said .", "He left ."]),
        # The parser missed the end of a sentence, but not after a short word.
        (("She left . He stayed .",), ["She left .", "He stayed ."]),
        (("Det . Smith left .",), ["Det . Smith left ."]),
    ],
)
def test_sentences_are_whole(sentences, found):
    assert sentences_of(with_whole_sentences(article_of(*sentences))) == found


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("He said : '~ We go~ .~ '", ["' We go . '"]),
        ("It 's '~ so~ ' good", []),
        ("The boys ' toys~ ,~ ' he said", []),
    ],
)
def test_typewriter_apostrophes_may_be_marks(sentence, found):
    article = article_of(sentence)
    spans = spans_in_apostrophes(article, set())
    assert [" ".join(article.tokens[start:end]) for start, end in spans] == found
    assert spans_in_apostrophes(article, set(range(len(article)))) == []
