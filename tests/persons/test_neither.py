"""Persons whom a text calls neither women nor men, in parses written by hand."""

import pytest

pytest.importorskip("spacy")

import spacy
from spacy.tokens import Doc

from textparity.persons.mentions import Mention
from textparity.persons.neither import NeitherFinder

WORDS = {"non-binary": "person", "enby": "person", "xe": "pronoun", "fae": "pronoun"}
VOCAB = spacy.blank("en").vocab


def marked(line, *kinds):
    """List the mentions that are marked. Each word is `text/dep/head`; those with a kind are mentions.

    A kind is `word number: kind`, and each mention is a person of its own.
    """
    cells = [word.split("/") for word in line.split()]
    doc = Doc(
        VOCAB,
        words=[cell[0] for cell in cells],
        deps=[cell[1] for cell in cells],
        heads=[int(cell[2]) for cell in cells],
    )
    mentions = []
    for entity, (number, kind) in enumerate(kinds):
        token = doc[number]
        mentions.append(Mention(token.idx, token.idx + len(token), token.text, kind, "unspecified", entity))
    return [mention.text for mention in NeitherFinder(WORDS).mark(doc, mentions) if mention.is_neither]


@pytest.mark.parametrize(
    ("line", "kinds", "found"),
    [
        ("A/det/2 non-binary/amod/2 artist/nsubj/3 sang/ROOT/3", [(2, "noun")], ["artist"]),
        ("Kim/nsubj/1 is/ROOT/1 non-binary/acomp/1", [(0, "name")], ["Kim"]),
        # In other grammars, the word is the head of its clause.
        ("Kim/nsubj/2 est/cop/2 non-binary/ROOT/2", [(0, "name")], ["Kim"]),
        ("Kim/nsubj/1 came/ROOT/1 out/prt/1 as/prep/1 non-binary/pobj/3", [(0, "name")], ["Kim"]),
        ("Kim/nsubj/1 identifies/ROOT/1 as/case/3 non-binary/obl/1", [(0, "name")], ["Kim"]),
        ("An/det/1 artist/nsubj/5 who/nsubj/3 is/relcl/1 non-binary/acomp/3 sang/ROOT/5", [(1, "noun")], ["artist"]),
        ("Then/advmod/2 xe/nsubj/2 sang/ROOT/2", [(1, "pronoun")], ["xe"]),
        # Nobody else in the sentence is.
        ("A/det/1 student/nsubj/2 met/ROOT/2 an/det/4 enby/dobj/2", [(1, "noun"), (4, "noun")], ["enby"]),
        ("A/det/1 student/ROOT/1 and/cc/1 an/det/4 enby/conj/1", [(1, "noun"), (4, "noun")], ["enby"]),
        # As a name, the word may be anybody's.
        ("Fae/nsubj/1 sang/ROOT/1", [(0, "name")], []),
        ("A/det/1 student/nsubj/2 sang/ROOT/2", [(1, "noun")], []),
    ],
)
def test_a_word_marks_the_person_whom_it_describes(line, kinds, found):
    assert marked(line, *kinds) == found


def test_all_mentions_of_a_person_are_marked():
    doc = Doc(VOCAB, words=["Kim", "sang"], deps=["nsubj", "ROOT"], heads=[1, 1])
    mentions = [
        Mention(0, 3, "Kim", "name", "unspecified", 1, is_neither=True),
        Mention(4, 8, "singer", "noun", "unspecified", 1),
        Mention(9, 12, "student", "noun", "unspecified", 2),
    ]
    found = NeitherFinder({}).mark(doc, mentions)
    assert [mention.unspecified_as for mention in found] == ["neither", "neither", "unknown"]
