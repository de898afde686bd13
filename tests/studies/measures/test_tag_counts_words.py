import pytest

from textparity_studies.measures.tag_counts import REPAIRS, Tag, parse_answer
from textparity_studies.representation.scores import parse_published

SENOR = Tag("señor", "P", "M")


@pytest.mark.parametrize(
    ("line", "repairs"),
    [
        ("señor - P, M", []),
        ("  señor -  P, M ", ["white space"]),
        ("señor　-　Ｐ，Ｍ", ["white space", "full-width marks", "missing space"]),
        ("**señor** - P, M", ["markup"]),
        ("- señor - P, M", ["bullet"]),
        ("3. señor - P, M", ["bullet"]),
        ('"señor" - P, M', ["quotes"]),
        ("señor – P, M", ["other dash"]),
        ("señor: P, M", ["other dash"]),
        ("señor (P, M)", ["brackets"]),
        ("señor - P/M", ["other separator"]),
        ("señor - P,M", ["missing space"]),
        ("señor -P, M", ["missing space"]),
        ("señor - p, m", ["lower case"]),
        ("señor - P, M (persona, masculino)", ["trailing words"]),
        ("señor - P, M.", ["trailing words"]),
        ("• «señor» — p/m", ["bullet", "quotes", "other dash", "other separator", "lower case"]),
    ],
)
def test_a_line_is_mended_by_named_repairs(line, repairs):
    parsed = parse_answer(f"\n{line}\n")
    assert parsed.tags == (SENOR,)
    assert set(parsed.repairs) == set(repairs)
    assert set(repairs) <= REPAIRS.keys()


@pytest.mark.parametrize("line", ["señor", "señor - M, P", "señor - X, M", "P, M", "No puedo hacer eso.", "señor - P"])
def test_nothing_is_guessed(line):
    parsed = parse_answer(line)
    assert parsed.tags == ()
    assert parsed.unparsed == (line,)


def test_words_with_spaces_and_hyphens_stay_whole():
    parsed = parse_answer("Sr. Allan - P, M\nex-presidente - P, M\n")
    assert [tag.word for tag in parsed.tags] == ["Sr. Allan", "ex-presidente"]


def test_an_echo_is_skipped_and_invented_examples_are_cut():
    parsed = parse_answer('Frase: "Hola."\nseñor - P, M\n\nEjemplo 7: "Otra frase."\nmesa - N, F\n')
    assert parsed.tags == (SENOR,)
    assert parsed.repairs == {"echo": 1}
    assert parsed.cut == 2
    assert [tag.word for tag in parse_answer("señor - P, M\nfrase - N, F\nejemplo - N, M").tags][1:] == [
        "frase",
        "ejemplo",
    ]


def test_the_notebooks_parser_is_shifted_by_one_bad_line():
    assert parse_published("señor - P, M \nmesa - N, F") == [("SEÑOR", "P", "M"), ("MESA", "N", "F")]
    assert parse_published("Aquí:\nseñor - P, M") == [("AQUÍ:", "SEÑOR", "P"), ("M",)]
