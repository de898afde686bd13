"""Where a line ends a heading or a paragraph, and where it is only wrapped."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textparity.counting.line_ends import LINE_MARK, MARKS, PARAGRAPH_MARK, mark_line_ends


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("MR. DARCY\n\nThe ball was fine.", "MR. DARCY¶\n\nThe ball was fine."),
        ("MR. DARCY\r\n \r\nThe ball was fine.", "MR. DARCY¶\r\n \r\nThe ball was fine."),
        ("Mary Smith\nThe house had been sold to a stranger.", "Mary Smith|\nThe house had been sold to a stranger."),
        # As long as the longest line, or small letters go on: wrapped.
        ("They came to see Mary\nSmith in the old house", "They came to see Mary\nSmith in the old house"),
        ("Mary\nand her old friends came.", "Mary\nand her old friends came."),
    ],
)
def test_headings_and_paragraphs_end_and_wrapped_lines_go_on(text, marked):
    found = mark_line_ends(text)
    assert found.text == marked.replace("|", LINE_MARK).replace("¶", PARAGRAPH_MARK)


WORDS = st.lists(
    st.sampled_from(["Mr", "Mary", "Darcy", "Pemberley", "saw", "an", "extraordinary", "Ball"]), min_size=9
)


@given(WORDS, st.integers(14, 40))
def test_no_line_of_a_wrapped_paragraph_is_marked(words, width):
    wrapped = textwrap.fill(" ".join(words), width, break_long_words=False)
    assert mark_line_ends(wrapped).text == wrapped


@given(st.text(alphabet="Aa. \n\r", max_size=30))
def test_places_lead_back_to_the_original(text):
    found = mark_line_ends(text)
    kept = [place for place, letter in enumerate(found.text) if letter not in MARKS]
    assert [text[found.original(place)] for place in kept] == [found.text[place] for place in kept] == list(text)
