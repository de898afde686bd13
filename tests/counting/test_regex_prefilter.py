"""Where a regular expression finds something, a piece of the text said so before."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textparity.counting.lexicon import read_revision
from textparity.counting.regex_prefilter import PieceFilter
from textparity.counting.terms import is_pattern

# What the revisions look for, and what is near it.
WORDS = [
    "Lehrerinnen", "Lehrer*innen", "LehrerInnen", "Lehrer", "Lehrern", "und", "oder", "bzw.", "die", "den",
    "Leser/-innen",
    "Autor(inn)en", "todos", "todas", "Todas", "y", "los", "a", "amig@s", "xs", "amigxs", "niño/a", "niño(a)s",
    "padres",
    "madres", "las", "actrices", "o", "actores", "tutti", "tutte", "e", "gli", "lettori", "lettrici", "lettor",
    "figlie",
    "figli", "étudiant·e·s", "étudiant.e.s", "étudiant(e)s", "ragazz*", "ragazzə", "student*en", "студент_ка",
    ",", "(y)",
]  # fmt: skip
ALPHABET = "abcABCüé@*:_/-·.() oseaxinnundoderyi"


def patterns(repository):
    for path in sorted((repository / "resources" / "lexicons" / "textparity_v1").glob("*.tsv")):
        found = [change.form[1:-1] for change in read_revision(path) if is_pattern(change.form)]
        if found:
            yield path.stem, [f"(?:{pattern})" for pattern in found]


def check(filter_, pattern, text):
    pieces = text.split(" ")
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece) + 1)
    for found in pattern.finditer(text):
        first, last = (sum(start <= place for start in starts) - 1 for place in (found.start(), found.end() - 1))
        within = any(map(filter_.may_match, pieces[first : last + 1]))
        opens = filter_.may_open(pieces[first]) and last > first and filter_.may_follow(pieces[first + 1])
        assert within or (opens and filter_.goes_on(" ".join(pieces[first : last + 1]))), found
        assert last - first <= filter_.reach


@pytest.fixture(scope="module")
def filters(repository):
    return [(PieceFilter(found), re.compile("|".join(found))) for _, found in patterns(repository)]


def test_no_expression_of_the_revisions_is_unfit(filters):
    assert filters
    assert not any(filter_.unfit for filter_, _ in filters)


@given(
    st.one_of(
        st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
        st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(list(ALPHABET))), max_size=20).map("".join),
    )
)
def test_no_match_is_missed(filters, text):
    for filter_, pattern in filters:
        check(filter_, pattern, text)


@pytest.mark.parametrize(
    ("pattern", "reach"),
    [
        ("ab", 0),
        ("a b|c d e", 2),
        (r"(?P<x>\w+)in (?:und |oder )?(?P=x)e", 2),
        (r"[ab]\*(?!c)", 0),
        (r"(?i:(?:a|b) c)", 1),
    ],
)
def test_how_far_a_match_may_reach(pattern, reach):
    filter_ = PieceFilter([pattern])
    assert (filter_.unfit, filter_.reach) == (False, reach)


@pytest.mark.parametrize(
    "pattern", ["a.c", r"a\sb", r"a[^b]", r"a(?: b)*c", r"a ?b", r"a(?! b)", r"a(?: b)?", r"(?:a b|c)d", r"\Wa", "a +b"]
)
def test_what_may_hide_a_space_is_tried_on_whole_texts(pattern):
    assert PieceFilter([pattern]).unfit
