"""The counting core finds what cutting and matching text by text finds, in whatever it is given."""

from copy import copy
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from textparity.counting import icu_counter, pieces
from textparity.counting.lexicon import Entry, Lexicon
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import HIDDEN, LAYERS, PAIRED, SPLITTING_SIGNS, Term, TermMatcher
from textparity.counting.text_counter import TextCounter, count_texts
from textparity.counting.tokenizers import IcuTokenizer
from textparity.folding import load_folding

FORMS = [
    "man", "men", "police officer", "mother-in-law", "l'homme", "ta'", "İnci", "dr.", "e. g", "ا.ب", "ΣΟΦΟΣ", "woman",
    "a b", "bc", "แม่", "母亲", "cafe\u0301", "नारीय", "নাৰীয়ে", "the rapist", "therapist", "x\u202fy", "1 man", "s",
]  # fmt: skip
TERMS = [
    *(Term(form.lower(), "masculine") for form in ("man", "police officer", "mother-in-law", "a b", "bc", "ا.ب")),
    Term("men", "masculine", "nouns", "after the ^"),
    Term("men", "unspecified", "nouns", "not before of $; not after -"),
    Term("woman", "feminine", "nouns", "capitalised"),
    Term("i̇nci", "feminine", "names", "capitalised"),
    Term("anna", "feminine", "names", "not capitalised; before *man"),
    Term("mr", "masculine", "titles"),
    Term("king", "masculine", "nouns"),
    Term("he", "masculine", "pronouns"),
    Term("her", "feminine", "pronouns"),
    Term("m", "masculine", "titles", "capitalised; before .; not after . of"),
    *(Term(form, "feminine", "names", "capitalised") for form in ("sharon", "marie", "juan carlos")),
    Term(r"/\b\w{2,}[*_]innen\b/", "unspecified", "inclusive"),
    Term(r"/\b(?P<she>[A-Z]\w+)innen (?:und|oder) (?:die )?(?P=she)e?\b/", "unspecified", "inclusive"),
    Term(r"/(?i:\bil (?:ne )?(?:est|fait) (?:bon|beau)\b)/", HIDDEN, "pronouns"),
    Term(r"/(?i:\bil (?:s'agit|y a)\b)/", HIDDEN, "pronouns"),
    Term("il", "masculine", "pronouns"),
    *(Term(form, "feminine") for form in ("étudiantes", "chanteuse", "actrices")),
    *(Term(form, "unspecified") for form in ("étudiants", "acteurs")),
    Term("/fra/", PAIRED, "inclusive"),
    Term(r"/(?i:\bpadres (?:y|o) (?:las )?madres todos?\b)/", "unspecified", "inclusive"),
]
# Words, and what may stand between, in, before and after them.
PIECES = [
    "กฎหมายการปฏิรูปการทำงานของสมาชิก", "ປະເທດລາວແມ່ນ", "ស្ត្រីនិងបុរស", "အမျိုးသမီးများ",
    "กฎหมายการ", "ປະເທດລາວ", "女性和男性的法律", "女性と男性が", "여성과남성",
    *FORMS, "Man", "MEN", "Woman", "INCI", "Anna",
    "(wo)man", "wo/man", "Lehrer*innen", "Lehrerinnen", "und", "Lehrer", "die",
    "padres", "y",
    "Il", "qu'il", "est", "ne", "fait", "bon", "s'agit", "étudiantes", "étudiants", "d’étudiants", "et", "ou", "tous",
    "étudiantes/étudiants", "chanteuse", "chanteurs,", "actrices", "Acteurs", "les", "/", "et/ou",
    "Mr.", "Mr", "Sharon", "Sharon's", "d'Sharon", "Marie-Sharon", "Smith", "Smith,", "(Smith", "O'Neill", "von", "W.",
    "las", "madres", "todos", "the", "of", "3.5", "A.", "U.S.", "What?Yes", ".", "…", "?", "!»", '"', "'",
    "\u2019", "-",
    "*", "\u0301", "\u200d", "\u200f", "\u00ad", "\ufeff", "👩‍👩‍👧", "🇩🇪🇫🇷", "\u0600", "。", "ไทย", "日本語", "かな",
    "한국어", "ကို",
    "ລາວ", "ខ្មែរ", "\U0001e922", "ﬁ", "ß", "ΌΣΟΣ", "q'aqa", "o'zbek", "dell'amico", "woman's", "\u0345",
    "\u0e33", "\uff9e",
]  # fmt: skip
SPACES = [
    " ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\xa0",
    "\u2003",
    "\u202f",
    "\u2028",
    "\x85",
    "\x0b",
    "\x1f",
    "\u200b",
    "",
]
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(SPACES), st.just(" "), st.characters(exclude_categories=["Cs"])),
    max_size=25,
).map("".join)
NAMES = [
    "Mr.",
    "Mr",
    "M.",
    "of",
    "Juan Carlos",
    "Sharon",
    "Marie",
    "Smith",
    "Smith's",
    "Smith.",
    "Man",
    "von",
    "W.",
    "said",
    "and",
    "the",
    "The",
    "smith",
    "in",
    "Dr.",
    "MARIE",
    "SMITH",
    "l'Smith",
    "McSmith",
    "Marie-Smith-Haus",
    "I-Marie",
    "he",
    "her",
    "they",
    "Holmes",
    "holmes",
    "London",
    "from",
    "was.",
    "al-Marie",
    "King",
    "king",
]
CONTEXTS = [
    "men",
    "the",
    "of",
    "anna",
    "postman",
    "woman",
    "Woman",
    "M.",
    "Sharon/Marie",
    "Marie.Mr",
    "Juan Carlos/Marie",
]
BETWEEN_LINES = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"]
WHITE_SPACE = [" ", *BETWEEN_LINES, *filter(str.isspace, map(chr, [9, *range(0x1C, 0x20), *range(0xA0, 0x3001)]))]
WORDS = st.lists(st.sampled_from([*PIECES, *SPACES]), max_size=30).map(" ".join)
CUTTERS = [
    ("en", True, "'s 'm 're"), ("de", True, ""), ("fr", True, "l' d' qu'"), ("mt", True, "f' b' +'"), ("lg",
    False, "*'"),
    ("tr", True, ""), ("el", True, ""), ("ar", True, ""), ("th", False, ""), ("zh-Hans", True, ""), ("ja", True, ""),
    ("vi", True, ""), ("hi", False, ""),
]  # fmt: skip


# Pieces are read by the compiled reader, if there is one, and by the one in Python.
READERS = list(dict.fromkeys([pieces.CompiledReader, None]))


def read_by(reader, known, procedures=None):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "CompiledReader", reader)
        return TextCounter(*known[:4], procedures, *known[4:])


def tools(locale, split, clitics):
    entries = [Entry(("feminine", "masculine")[number % 2], "singular", form) for number, form in enumerate(FORMS)]
    matcher = TermMatcher(TERMS, LAYERS, name_rules=load_name_rules("eng"))
    return IcuTokenizer(locale, split, clitics), Lexicon(entries), split, matcher


# The published procedure tells white space apart, so texts with any are counted one by one there.
REVISED = [read_by(reader, tools(*cutter), ["revised"]) for cutter in CUTTERS for reader in READERS]
# Without the layer of pairs and inclusive forms.
NOUNS_ALONE = (IcuTokenizer("de"), Lexicon([]), True, TermMatcher([*TERMS, Term("lehrerinnen", "feminine")]))
KNOWN = [
    (known, read_by(reader, known))
    for known in (*(tools(*cutter) for cutter in CUTTERS), NOUNS_ALONE)
    for reader in READERS
]


def check(known, counter, texts):
    counted = count_texts(texts, *known)
    found = counter.count(texts)
    for procedure, columns in found.items():
        assert columns.words.tolist() == [of_text[procedure].words for of_text in counted], (procedure, known[0].label)
        matches = [columns.matches.get(number, []) for number in range(len(texts))]
        assert matches == [of_text[procedure].matches for of_text in counted], (procedure, known[0].label)


def test_no_expression_is_tried_on_whole_texts():
    """Otherwise, the tests below would compare a method with itself."""
    watches = [watch for _, counter in KNOWN for watch in counter._bulk._watches.values()]
    assert watches and not any(watch.filter.unfit for watch in watches)


# In Thai, pieces of letters alone are many words.
@example(["ในการทดลองแบบ PALM นั้น"])
# A line separator without a word beside it ends a sentence.
@example(["man \u2028 MEN"])
@settings(max_examples=300)
@given(st.lists(st.one_of(TEXTS, WORDS), min_size=1, max_size=4))
def test_hostile_texts_are_counted_as_one_by_one(texts):
    for known, counter in KNOWN:
        check(known, counter, texts)


# These have no neighbour but a surname, or a word within names, before them; and a first name of two words.
@example(["Sharon Smith said, and Smith King said"])
@example(["Mr. Dr. King said"])
@example(["Mr. Juan Carlos said Juan Carlos said"])
@given(st.lists(st.lists(st.sampled_from(NAMES), max_size=30).map(" ".join), min_size=1, max_size=4))
def test_names_are_joined_and_surnames_found_as_one_by_one(texts):
    for known, counter in KNOWN[: len(READERS)]:
        check(known, counter, texts)


# Names and contexts of forms, with any white space between them.
SPACED = st.lists(st.tuples(st.sampled_from(NAMES + CONTEXTS), st.sampled_from(WHITE_SPACE)), max_size=20)
SPACED_TEXTS = SPACED.map(lambda pairs: "".join(chain.from_iterable(pairs)))


# A context would be found in the text before, or in the one after.
@example(["they saw the", "men came"])
@example(["the men", "of Sharon"])
# Two names in one piece, before a title; a paragraph end after which nothing follows.
@example(["Sharon/Marie Mr", "Juan Carlos/Marie Mr"])
@example(["Sharon\nMr von\u2029"])
# The slash of a pair is a piece of its own, or a pair is one piece that a sentence ends in.
@example(["étudiantes / étudiants", "étudiantes/étudiants.x"])
# Whether a sentence ends within a piece depends on the next letter.
@example(["U.S.\u200d👩\u200d👩 x"])
@settings(max_examples=200)
@given(st.lists(st.one_of(SPACED_TEXTS, TEXTS, WORDS), min_size=1, max_size=4))
def test_texts_are_counted_alike_together_alone_and_one_by_one(texts):
    for counter in REVISED:
        slow = copy(counter)
        slow._bulk = None
        together, one_by_one = counter.count(texts)["revised"], slow.count(texts)["revised"]
        alone = [counter.count([text])["revised"].matches.get(0, []) for text in texts]
        assert together.words.tolist() == one_by_one.words.tolist()
        assert together.matches == one_by_one.matches == {place: of for place, of in enumerate(alone) if of}


@pytest.mark.parametrize("space", WHITE_SPACE)
def test_white_space_of_any_kind_separates_alike(space):
    plain = "\n" if space in BETWEEN_LINES else " "
    counter = REVISED[0]
    texts = [
        separator.join(["Mr", "Smith", "met", "Juan", "Carlos", "and", "Sharon", "Smith.", "The", "men", "came"])
        for separator in (space, plain)
    ]
    found = counter.count(texts)["revised"]
    assert found.words[0] == found.words[1]
    assert found.matches[0] == found.matches[1] and len(found.matches[0]) == 4


@pytest.mark.parametrize("blank_line", ["\n\n", "\r\n\r\n", " \n \n", "\t\n\t\n"])
def test_a_blank_line_of_any_kind_ends_a_name(blank_line):
    counter = REVISED[0]
    found = counter.count([f"We saw Sharon{blank_line}Marie came and saw the town."])["revised"]
    assert [match.form for match in found.matches[0]] == ["sharon", "marie"]


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_the_secret_seed_of_the_reader_changes_no_count(monkeypatch, seed):
    monkeypatch.setattr(pieces, "randbits", lambda bits: seed)
    known = tools(*CUTTERS[0])
    check(known, TextCounter(*known), [" ".join([*PIECES, *NAMES]), " ".join(reversed(PIECES))])


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_long_texts_are_read_in_parts(texts):
    whole = pieces.WINDOW
    try:
        pieces.WINDOW = 40
        check(*KNOWN[len(READERS) - 1], texts)
    finally:
        pieces.WINDOW = whole


def test_what_is_remembered_is_forgotten_and_learned_again(monkeypatch):
    monkeypatch.setattr(icu_counter, "MOST_BYTES", 3)
    known = tools(*CUTTERS[0])
    counter = TextCounter(*known)
    for text in ("The police officer and men.", "A man of 3.5 men", "The police officer and men."):
        check(known, counter, [text])


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "compiled" if reader else "python")
def test_half_of_a_pair_of_surrogates_is_refused(reader):
    known = tools(*CUTTERS[0])
    counter = read_by(reader, known)
    for count in (lambda texts: count_texts(texts, *known), counter.count):
        with pytest.raises(UnicodeEncodeError):
            count(["a new man", "\ud800"])
    check(known, counter, ["a new man", ""])


def test_an_expression_whose_beginning_is_not_known_is_tried_on_whole_texts():
    matcher = TermMatcher([Term(r"/wom.n of/", "unspecified", "inclusive")], LAYERS)
    known = (IcuTokenizer("en"), Lexicon([]), False, matcher)
    check(known, TextCounter(*known), ["the wom n of", "a woman of", ""])


def test_no_text_is_no_count():
    assert KNOWN[0][1].count([])["corrected"].words.tolist() == []


# A language of its own, in which each rule of what may be folded decides about a match. A wildcard has to see letters.
RULES = [
    Term("zorin", "masculine"), Term("zorina", "feminine"), Term("mp3 zor", "masculine"), Term("jo.an", "feminine"),
    Term("kell", "feminine", "nouns", "before warm"), Term("kell", "masculine", "nouns", "after st."),
    Term("dorn", "feminine", "nouns", "before *ab"), Term("dorn", "masculine", "nouns", "not before *ab"),
    Term("d'", "masculine", "pronouns"), Term("élan", "feminine"), Term("наёмщица", "feminine"),
    Term("madam", "feminine", "titles"), Term(r"/\b\w+xling\b/", "unspecified", "inclusive"),
    Term(r"/\bgraf oder \w+\b/", "unspecified", "inclusive"), Term(r"/\b\w{3,}~e\b/", "unspecified", "inclusive"),
]  # fmt: skip
FOLDING = load_folding("rus")
RULED = (IcuTokenizer("ru", True, "d' l'"), Lexicon([]), True, TermMatcher(RULES, LAYERS, FOLDING), FOLDING)


def without(bit):
    def change(shapes):
        return replace(shapes, runs={run: bits & ~bit for run, bits in shapes.runs.items()})

    return change


def with_signs_as_words(shapes):
    kinds = shapes.kinds.copy()
    kinds[ord("~")] = pieces.SIGN
    return replace(shapes, kinds=kinds)


# What may go wrong, and a text in which it does.
FAULTS = {
    "forms are folded": (without(pieces.FORM), "The zorin came."),
    "forms of several words are folded": (without(pieces.FORM), "An mp3 zor came."),
    "joined parts of forms are folded": (without(pieces.JOINED), "An mp3 zor came."),
    "parts at a full stop are folded": (without(pieces.JOINED), "A jo.an came."),
    "contexts are folded": (without(pieces.CONTEXT), "A kell warm, St. Kell"),
    "clitics are folded": (without(pieces.CLITIC), "It was l'accord."),
    "splitting forms are folded": (without(pieces.GENDERED), "A zorin/a came, and zor(ina)s."),
    "parts of patterns are folded": (lambda shapes: replace(shapes, parts=()), "An oxling came."),
    "signs of patterns are taken for others": (with_signs_as_words, "Many abc~e came."),
    "letters are compared as written": (
        lambda shapes: replace(shapes, lowered=np.arange(pieces.PLANE, dtype=np.uint16)), "Her наемщица, наёмщица",
    ),
}  # fmt: skip


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "compiled" if reader else "python")
@pytest.mark.parametrize("fault", FAULTS)
def test_each_rule_of_folding_decides_about_a_match(monkeypatch, reader, fault):
    change, text = FAULTS[fault]
    check(RULED, read_by(reader, RULED, ["revised"]), [text])
    monkeypatch.setattr(icu_counter, "make_shapes", lambda *known: change(pieces.make_shapes(*known)))
    with pytest.raises(AssertionError):
        check(RULED, read_by(reader, RULED, ["revised"]), [text])


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "compiled" if reader else "python")
def test_every_sign_may_stand_in_a_splitting_form_and_every_apostrophe_before_a_word(reader):
    texts = [f"A zorin{sign}a came." for sign in SPLITTING_SIGNS] + [f"It was l{sign}accord." for sign in "'’‘ʼ´`＇"]
    # A letter that may stand for others, between a mark and a sign.
    texts += ["A zori\u0301q/a", "zorin\u0323q/a", "A zoriq/a came"]
    check(RULED, read_by(reader, RULED, ["revised"]), texts)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "compiled" if reader else "python")
def test_beside_a_wildcard_pieces_are_read_with_their_letters(monkeypatch, reader):
    texts = ["A dorn blab came.", "A dorn blub came.", "The dorn, said"]
    check(RULED, read_by(reader, RULED, ["revised"]), texts)
    monkeypatch.setattr(icu_counter, "LETTERS_BESIDE", 0)
    with pytest.raises(AssertionError):
        check(RULED, read_by(reader, RULED, ["revised"]), texts)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: "compiled" if reader else "python")
def test_surnames_are_told_from_each_other_by_their_letters(monkeypatch, reader):
    text = "Madam Ölberg came. Then Ölberg left with Kolberg, and O'Neill. Ölberg’s mother met ÖLBERG."
    check(RULED, read_by(reader, RULED, ["revised"]), [text])
    monkeypatch.setattr(icu_counter._NameJoiner, "_piece", lambda joiner, text, place: "Qqqq")
    with pytest.raises(AssertionError):
        check(RULED, read_by(reader, RULED, ["revised"]), [text])
