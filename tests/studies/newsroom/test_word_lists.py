"""The German word lists: the shipped ones, and malformed ones."""

import pytest
from annotated import LISTS, annotate, shipped_lists

from textparity.errors import TextparityError
from textparity.persons.quotes import is_speech_verb
from textparity_studies.newsroom.measuring import stem_counter
from textparity_studies.newsroom.word_lists import load_study_lists


def count_by(table):
    return {gender: list(table.values()).count(gender) for gender in sorted(set(table.values()))}


def test_the_shipped_lists_are_the_papers_where_it_has_one():
    words = shipped_lists()
    assert count_by(words.generic_persons) == {"feminine": 9, "masculine": 9}
    assert count_by(words.coded_stems) == {"feminine": 61, "masculine": 58}
    assert (len(words.speech_verbs), len(words.stop_words)) == (32, 543)
    assert not words.speech_verbs & words.quotation_verbs


def test_the_shipped_titles_have_as_many_women_as_men():
    genders = count_by(shipped_lists().titles)
    assert genders["feminine"] == genders["masculine"]


def test_titles_whose_compounds_are_titles():
    endings = shipped_lists().title_endings
    assert {name: endings[name] for name in ("chef", "chefin", "frau", "mann")} == {
        "chef": "masculine", "chefin": "feminine", "frau": "feminine", "mann": "masculine",
    }  # fmt: skip
    assert not {"dr", "doktor", "mr", "ms", "sir"} & endings.keys()


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Sie ist ehrlich.", (1, 0)),
        # Anywhere in a word; several in one word; each in each word.
        ("Die EHRLICHKEIT", (1, 0)),
        ("Unabhängigkeitskraft", (0, 2)),
        ("Kraft und Kraft", (0, 2)),
        ("Gemeinschaft\n\tführt", (1, 1)),
        # einfluss and einflussreich.
        ("einflussreich", (0, 2)),
        ("zusam men", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_stems_count_once_in_every_word_that_has_them(text, counts):
    assert stem_counter(shipped_lists())(text) == counts


@pytest.mark.parametrize(
    ("scheme", "text", "says"),
    [
        ("ud", "sagte sagen VERB root 0", True),
        ("ud", "Sagen sagen NOUN root 0", False),
        ("ud", "kündigte kündigen VERB root 0", False),
        ("ud", "kündigte kündigen VERB root 0\nan an ADP compound:prt 1", True),
        ("tiger", "kündigte kündigen VERB ROOT 0\nan an ADP svp 1", True),
        ("tiger", "kündigte kündigen VERB ROOT 0\nan an ADP mo 1", False),
        # "sagte ab" is no saying.
        ("ud", "sagte sagen VERB root 0\nab ab ADP compound:prt 1", False),
        ("ud", "antwortete Antworten VERB root 0", True),
    ],
)
def test_all_speech_verbs_are_known_with_their_prefix(scheme, text, says):
    assert is_speech_verb(annotate(text, scheme), 0, shipped_lists()) is says


@pytest.fixture
def lists(tmp_path):
    """Return the files of the lists with one of them replaced."""

    def lists(name, content):
        path = tmp_path / LISTS[name].name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return LISTS | {name: path}

    return lists


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("titles", "title\tgender\nFrau\tfemale\n", "line 2: gender 'female'"),
        ("coded_stems", "stem\tcoding\nnett\t\n", "line 2: coding ''"),
        ("titles", "title\tgender\nDr\t\ndr\tmasculine\n", "line 3: dr is a duplicate with another gender"),
        ("generic_persons", "term\tgender\n", "has no rows"),
        ("speech_verbs", "# nothing\n\n", "has no words; list one per line"),
        ("stop_words", "für\n".encode("latin-1"), "not UTF-8 .* re-encode it"),
    ],
)
def test_a_malformed_list_is_named(lists, name, content, said):
    with pytest.raises(TextparityError, match=rf"{LISTS[name].name}.*{said}"):
        load_study_lists(**lists(name, content))


def test_words_are_listed_in_any_case_and_may_stand_twice(lists):
    assert load_study_lists(**lists("titles", "title\tgender\nFrau\tfeminine\nfrau\tfeminine\nDr\t\n")).titles == {
        "frau": "feminine",
        "dr": "",
    }
    assert load_study_lists(**lists("stop_words", "# of mine\nUnd\n und \n")).stop_words == {"und"}
