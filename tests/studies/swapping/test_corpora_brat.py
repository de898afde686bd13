"""BRAT annotations: what standard and real files look like, and what is refused."""

import random

import pytest

from textparity.errors import InputError
from textparity_studies.swapping.corpora import (
    BLANK_LINE,
    CUT_TEXT,
    NO_ENTITY,
    SEPARATORS,
    WHITE_SPACE,
    Entity,
    Repair,
    format_brat,
    parse_brat,
)

TEXT = "Директорка Олена Гнатюк\nживе у Львові .\n"
TITLE = Entity("T1", "JOB", 0, 10, "Директорка")
NAME = Entity("T2", "PERS", 11, 23, "Олена Гнатюк")
ACROSS = Entity("T1", "PERS", 17, 28, "Гнатюк\nживе")


def parse(annotations, text=TEXT):
    """Return the entities, and the repairs as (line, repair)."""
    entities, repairs = parse_brat(text, annotations, "x.ann")
    return entities, [(repair.line, repair.repair) for repair in repairs]


@pytest.mark.parametrize(
    ("annotations", "entities", "repairs"),
    [
        ("", [], []),
        ("T1\tJOB 0 10\tДиректорка\nT2\tPERS 11 23\tОлена Гнатюк\n", [TITLE, NAME], []),
        ("T1\tJOB 0 10\tДиректорка", [TITLE], []),
        # In file order.
        ("T2\tPERS 11 23\tОлена Гнатюк\nT1\tJOB 0 10\tДиректорка\n", [NAME, TITLE], []),
        # Tabs, spaces and both.
        ("T1\tJOB\t0\t10\tДиректорка\n", [TITLE], [(1, SEPARATORS)]),
        ("T2 PERS 11 23 Олена Гнатюк\n", [NAME], [(1, SEPARATORS)]),
        ("T1\tJOB\t0 10 Директорка\nT2\tPERS 11 23\tОлена Гнатюк\n", [TITLE, NAME], [(1, SEPARATORS)]),
        # Blank lines, at the end too.
        ("\nT1\tJOB 0 10\tДиректорка\n \n\n", [TITLE], [(1, BLANK_LINE), (3, BLANK_LINE), (4, BLANK_LINE)]),
        # White space that only one of the two has.
        ("T1\tJOB 0 10\tДиректорка \n", [TITLE], [(1, WHITE_SPACE)]),
        ("T1\tJOB 0 10 \tДиректорка\n", [TITLE], [(1, SEPARATORS), (1, WHITE_SPACE)]),
        ("T2\tPERS 11 24\tОлена Гнатюк\n", [Entity("T2", "PERS", 11, 24, "Олена Гнатюк\n")], [(1, WHITE_SPACE)]),
        # A line end in the text, as BRAT writes it, and cut there.
        ("T1\tPERS 17 28\tГнатюк живе\n", [ACROSS], []),
        ("T1\tPERS 17 28\tГнатюк живе \n", [ACROSS], [(1, WHITE_SPACE)]),
        ("T1\tPERS 17 28\tГнатюк\nживе\n", [ACROSS], [(1, CUT_TEXT), (2, CUT_TEXT)]),
        (
            "T1\tPERS\t17\t28\tГнатюк\nживе\nT2\tPERS 11 23\tОлена Гнатюк\n",
            [ACROSS, NAME],
            [(1, SEPARATORS), (1, CUT_TEXT), (2, CUT_TEXT)],
        ),
        # Other kinds are told, not read.
        (
            "T1\tJOB 0 10\tДиректорка\nR1\tholds Arg1:T2 Arg2:T1\n#1\tAnnotatorNotes T1\tперевірити\n*\tEquiv T1 T2\n",
            [TITLE],
            [(2, NO_ENTITY), (3, NO_ENTITY), (4, NO_ENTITY)],
        ),
    ],
)
def test_lines_as_they_are_found(annotations, entities, repairs):
    assert parse(annotations) == (entities, repairs)


def test_a_text_cut_at_two_line_ends_goes_on_with_or_without_its_blank_line():
    text = "Міністерка\n\nосвіти\nі науки"
    entity = Entity("T1", "JOB", 0, len(text), text)
    first, second, third = (CUT_TEXT,) * 3
    assert parse("T1\tJOB 0 26\tМіністерка\nосвіти\nі науки\n", text) == (
        [entity],
        [(1, first), (2, second), (3, third)],
    )
    assert parse("T1\tJOB 0 26\tМіністерка\n\nосвіти\nі науки\n", text)[1] == [
        (1, CUT_TEXT), (2, BLANK_LINE), (3, CUT_TEXT), (4, CUT_TEXT),
    ]  # fmt: skip


def test_a_repair_shows_what_was_found():
    assert parse_brat(TEXT, "T1\tJOB\t0\t10\tДиректорка\n", "x.ann")[1] == [
        Repair(1, SEPARATORS, "T1\tJOB\t0\t10\tДиректорка")
    ]


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        (
            "T1\tJOB 1 11\tДиректорка\n",
            r", line 1: the text from 1 to 11 is 'иректорка ', not 'Директорка'; correct the",
        ),
        ("T1\tJOB 0 10\tдиректорка\n", ", line 1: the text from 0 to 10 is 'Директорка', not 'директорка'"),
        # Cut in the middle of a line.
        ("T2\tPERS 11 23\tОлена\n", ", line 1: the text from 11 to 23"),
        ("\nT2\tPERS 11 400\tОлена\n", ", line 2: 11 to 400 is not a place in a text of 40 characters"),
        ("T1\tJOB 10 10\t\n", ", line 1: 10 to 10 is not a place"),
        ("T1\tPERS 17 28\tГнатюк\nжила\n", ", line 2: the text of the entity above goes on with 'живе', not 'жила'"),
        ("T1\tPERS 17 28\tГнатюк\nT2\tPERS 11 23\tОлена Гнатюк\n", ", line 2: the text of the entity above goes on"),
        ("T1\tPERS 17 28\tГнатюк\n", ": ends before the text of its last entity does; 'живе' is missing"),
        ("T1\tJOB 0 10\tДиректорка\nT1\tPERS 11 23\tОлена Гнатюк\n", ", line 2: the id T1 is a duplicate"),
        ("T1\tJOB 0 5;6 10\tДирек орка\n", ", line 1: an entity in pieces, which are not read"),
        ("T1\tJOB 0\tДиректорка\n", ", line 1: no line of BRAT"),
        ("T1\tJOB -1 10\tДиректорка\n", ", line 1: no line of BRAT"),
        # No relation, though it begins as one.
        ("Roman Hnatiuk\n", ", line 1: no line of BRAT: 'Roman Hnatiuk'"),
    ],
)
def test_what_is_no_annotation_of_the_text_is_named_with_its_line(annotations, said):
    with pytest.raises(InputError, match=rf"^x\.ann{said}"):
        parse(annotations)


def test_what_is_written_is_read_again():
    draw = random.Random(13)
    for _ in range(500):
        # Line ends, tabs, characters beyond 16 bits, combining ones and punctuation of the format itself.
        text = "".join(draw.choices("абвїґ \n\t\r\u2028;#*T1😀е\u0301", k=draw.randrange(1, 60)))
        entities = []
        for number in range(draw.randrange(6)):
            start, end = sorted((draw.randrange(len(text)), draw.randrange(1, len(text) + 1)))
            if start < end:
                entities.append(Entity(f"T{number}", draw.choice(["JOB", "PERS"]), start, end, text[start:end]))
        assert parse_brat(text, format_brat(entities), "x.ann") == (entities, []), repr(text)
