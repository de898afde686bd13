"""Answers of language models in the forms that chat models give: all tags are read, and what is cut off is listed."""

import pytest

from textparity_studies.measures.tag_counts import Tag, parse_answer

TAGS = (Tag("presidenta", "P", "F"), Tag("hombre", "P", "M"))


@pytest.mark.parametrize("bullet", ["- ", "* ", "  * ", "*   ", "• ", "1. ", "* **"])
def test_bullets_of_every_kind(bullet):
    bold = "**" * bullet.endswith("**")
    parsed = parse_answer(f"{bullet}presidenta{bold} - P, F\n{bullet}hombre{bold} - P, M")
    assert (parsed.tags, parsed.unparsed) == (TAGS, ())


@pytest.mark.parametrize("between", ["; ", ", ", " ", " | ", ". ", "\t", " / "])
@pytest.mark.parametrize("form", ["{} - {}, {}", "{} ({}, {})", "{}: {}/{}", "* {} – {}, {}"])
def test_several_tags_on_a_line(form, between):
    parsed = parse_answer(between.join(form.format(*tag) for tag in TAGS))
    assert (parsed.tags, parsed.unparsed) == (TAGS, ())


def test_what_else_is_on_a_line_of_several_tags_is_listed():
    parsed = parse_answer("presidenta - P, F; hombre - P, M; y nada más")
    assert (parsed.tags, parsed.unparsed) == (TAGS, ("y nada más",))


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nmesa - N, F\n</think>\npresidenta - P, F\nhombre - P, M",
        "<Thinking>mesa - N, F</Thinking>\n\n* presidenta - P, F\n* hombre - P, M",
        # Templates of chats write the first mark themselves.
        "mesa - N, F\n</think>\npresidenta - P, F\nhombre - P, M",
        # An answer that was cut in its second thought.
        "presidenta - P, F; hombre - P, M\n<think>\nmesa - N, F",
    ],
)
def test_what_a_model_thinks_is_listed_and_not_counted(answer):
    parsed = parse_answer(answer)
    assert (parsed.tags, parsed.unparsed) == (TAGS, ("mesa - N, F",))
