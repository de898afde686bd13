"""Titles, first names and surnames beside each other are one mention; surnames alone are found again."""

from dataclasses import replace

import pytest

from textparity.counting.lexicon import Lexicon
from textparity.counting.name_pieces import read_piece
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import IcuTokenizer

TERMS = [
    *(Term(form, "masculine", "titles", "capitalised") for form in ("mr", "lord")),
    *(Term(form, "feminine", "titles", "capitalised") for form in ("mrs", "frau")),
    Term("dr", "unspecified", "titles"),
    *(Term(form, "feminine", "names", "capitalised") for form in ("mary", "anne", "marie", "sharon", "ursula")),
    *(Term(form, "masculine", "names", "capitalised") for form in ("george", "warren")),
    Term("kim", "unspecified", "names", "capitalised"),
    Term("kanzlerin", "feminine"),
    Term("king", "masculine"),
    Term("president", "unspecified"),
]
RULES = replace(load_name_rules("eng"), role=frozenset({"king", "kanzlerin"}))


def find(text, locale="en", layers=LAYERS):
    matcher = TermMatcher(TERMS, layers, name_rules=RULES)
    counter = TextCounter(IcuTokenizer(locale), Lexicon([]), True, matcher, ["revised"])
    matches = counter.count([text])["revised"].matches.get(0, [])
    return " ".join(f"{match.form}:{''.join(name[0] for name in match.classes)}" for match in matches)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mrs. Mary Anne Smith came.", "mrs:f"),
        ("Dr Mary Smith came.", "mary:f"),
        ("Anne-Marie came.", "anne:f"),
        ("George, Mary and Anne came.", "george:m mary:f anne:f"),
        # The full stop after a name ends the sentence, that after a title or an initial does not.
        ("We met George. Mary came.", "george:m mary:f"),
        # As lines of one document are joined: each ends what stands in it.
        ("Mary Smith met\n\nSmith and George\n\nAnne", "mary:f smith:f george:m anne:f"),
        ("George W. Bush came. Bush went.", "george:m bush:m"),
        ("Ursula von der Leyen came. Leyen's team went with “Leyen”.", "ursula:f leyen:f leyen:f"),
        ("Mr Sharon came. Sharon went.", "mr:m sharon:m"),
        ("Mary Warren came. Warren went.", "mary:f warren:f"),
        # A first name outweighs an office also for a surname.
        ("Mary Smith came. King Smith went. Smith spoke.", "mary:f king:f smith:f"),
        ("Mr Kim came. Kim went.", "mr:m kim:m"),
        ("Kim Sharon came.", "kim:u"),
        ("We met J. Sharon.", ""),
        ("Mary Sharon met J. Sharon.", "mary:f sharon:f"),
        ("King Alphonso came. Alphonso went.", "king:m alphonso:m"),
        # Nobody's surname: of both genders, of a couple, a word that is another match, an acronym.
        ("Mary Smith met George Smith. Smith went.", "mary:f george:m"),
        ("There came Mr and Mrs Smith. Smith went.", "mr:m mrs:f"),
        ("Mr President came. The President went.", "mr:m president:u president:u"),
        ("Mary UN came. UN went.", "mary:f"),
        # Things are named after persons.
        ("The Mary-Smith-House and the I-Mary stood at Mary-House.", "mary:f"),
        # In a longer name, and before its bearer is named.
        ("Mary Smith met Jo Smith on Smith Street.", "mary:f"),
        ("Smith went. Then Mary Smith came.", "smith:f mary:f"),
        ("Mary Smith came. But Smith said no.", "mary:f smith:f"),
    ],
)
def test_full_names_are_one_mention(text, found):
    assert find(text) == found


def test_a_noun_beside_a_surname_is_the_same_mention():
    assert find("Kanzlerin Merkel kam. Merkel ging, die Kanzlerin Merkel auch.", "de") == (
        "kanzlerin:f merkel:f kanzlerin:f"
    )


def test_names_that_are_not_counted_change_nothing():
    assert find("King Alphonso came. Alphonso went.", layers=("nouns",)) == "king:m"
    assert find("Mrs Mary Smith came. Smith went.", layers=("nouns", "titles")) == "mrs:f"


def test_pieces_without_spaces_between_words_are_no_names():
    assert not read_piece("王Smith先生").key and not read_piece("王Smith先生").is_open


@pytest.mark.parametrize(
    ("piece", "key"),
    [("Smith", "smith"), ("Smith's", "smith"), ("(O’Neill).", "o’neill"), ("d'Obama", "obama"), ("al-Sisi", "al-sisi"),
     ("Erdoğan’ın", "erdoğan"), ("smith", ""), ("UN", ""), ("A.", ""), ("Путин,", "путин"), ("", ""), ("3.5", "")],
)  # fmt: skip
def test_surnames_are_read_without_what_stands_beside_them(piece, key):
    assert read_piece(piece).key == key
