"""Pronouns that may refer to things count only among persons."""

import pytest

from textparity.counting.lexicon import Lexicon
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.text_counter import TextCounter, count_texts
from textparity.counting.tokenizers import IcuTokenizer

TERMS = [
    Term("elle", "feminine", "pronouns", "before dit"),
    Term("elle", "feminine", "pronouns", "not before dit; among persons"),
    Term("femme", "feminine"),
    Term("homme", "masculine"),
]
OPEN, SURE, OTHERS = "Elle court.", "Elle dit oui.", "Un homme et une femme."


@pytest.mark.parametrize(
    ("text", "women"),
    [
        # A few such pronouns show nothing about the text.
        (" ".join([OPEN] * 3), 3),
        (" ".join([OPEN] * 4), 0),
        # Four of them need five other mentions, of any gender.
        (" ".join([OPEN] * 4 + [OTHERS] * 2), 2),
        (" ".join([OPEN] * 4 + [OTHERS] * 2 + [SURE]), 7),
        (" ".join([OPEN] * 4 + [SURE] * 5), 9),
    ],
)
@pytest.mark.parametrize("layers", [LAYERS, ("nouns", "pronouns")])
def test_pronouns_count_if_the_text_has_other_persons(text, women, layers):
    known = (IcuTokenizer("fr"), Lexicon([]), False, TermMatcher(TERMS, layers))
    found = TextCounter(*known, ["revised"]).count(["Un homme.", text])["revised"]
    assert sum("feminine" in match.classes for match in found.matches.get(1, [])) == women
    (one_by_one,) = count_texts([text], *known)
    assert found.matches.get(1, []) == one_by_one["revised"].matches
