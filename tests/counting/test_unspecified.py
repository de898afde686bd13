"""What the forms of no specified gender show of the persons: the third column."""

import pytest

from textparity.auditing.languages import load_registry
from textparity.counting import CLASSES, SPLIT
from textparity.counting.terms import Match
from textparity.counting.unspecified import NEITHER_WORDS, UnspecifiedForms, read_neither_words
from textparity.files import read_tsv

UNSPECIFIED = frozenset({"unspecified"})
HEAD = "lemma\tmeaning\tclass\tplural_class\tlayer\tsingular\tplural\tcontext\tcounterpart\tevidence\texample\n"


@pytest.fixture
def forms(tmp_path):
    rows = [
        "person\tperson\tunspecified\t\tnouns\tperson\tpersoner\t\t\tours\tx",
        "barn\tchild\tunspecified\t\tnouns\tbarn\tbarn|barnen\t\t\tours\tx",
        "lärare\tteacher\tmasculine\tunspecified\tnouns\tlärare\tlärarna\t\t\tours\tx",
        "hen\tthey\tunspecified\t\tinclusive\t\t\t\t\tours\tx",
    ]
    path = tmp_path / "swe.tsv"
    path.write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    return UnspecifiedForms.of("swe", None, path)


@pytest.mark.parametrize(
    ("form", "layer", "part"),
    [
        ("hen", "inclusive", "neither"),
        ("alla/alle", "inclusive", "inclusive"),
        ("personer", "nouns", "groups"),
        ("lärarna", "nouns", "groups"),
        ("person", "nouns", "unknown"),
        # One child, or several.
        ("barn", "nouns", "unknown"),
        # Not in the lexicon, such as a word of the user's.
        ("kollegor", "nouns", "unknown"),
    ],
)
def test_a_form_shows_one_of_four(forms, form, layer, part):
    (match,) = forms.split([Match(form, UNSPECIFIED, layer)])
    assert match.unspecified_as == part
    assert part in SPLIT


def test_a_match_that_shows_a_gender_is_not_split(forms):
    matches = [Match("personer", frozenset({"masculine"})), Match("personer", UNSPECIFIED, unspecified_as="unknown")]
    assert forms.split(matches) == matches


def test_a_list_of_nouns_tells_the_number(tmp_path):
    path = tmp_path / "eng.json"
    path.write_text(
        '{"feminine": [], "masculine": [], "unspecified": [{"singular": "child", "plural": "children"}, '
        '{"singular": "offspring", "plural": "offspring"}]}'
    )
    found = UnspecifiedForms.of("eng", path, None).split(
        Match(form, UNSPECIFIED) for form in ("child", "children", "offspring")
    )
    assert [match.unspecified_as for match in found] == ["unknown", "groups", "unknown"]


def test_pronouns_that_are_also_other_words_are_not_in_the_list():
    assert {"hen", "henom"} <= read_neither_words("swe").keys()
    assert "hen" not in read_neither_words("dan") and not {"hen", "die", "hun"} & read_neither_words("nld").keys()
    # In the plural, they may name women and men.
    assert "iel" in read_neither_words("fra") and "iels" not in read_neither_words("fra")
    # Pronouns without a gender are every person's.
    for lang in ("fin", "tur", "hun", "est"):
        assert "pronoun" not in read_neither_words(lang).values()


def test_each_word_has_a_source_and_a_language_of_the_table():
    rows = read_tsv(NEITHER_WORDS)
    languages = {*load_registry().languages, "*"}
    assert all(row["source"].startswith("https://") and row["lang"] in languages for row in rows)
    assert len({(row["lang"], row["word"]) for row in rows}) == len(rows)
    assert set(SPLIT).isdisjoint(CLASSES)
