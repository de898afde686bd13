"""Pairs of a feminine and a masculine noun are one mention of any gender, in every language that has such nouns."""

from itertools import islice

import pytest

import textparity
from textparity.auditing.languages import find_lexicon
from textparity.counting import OWN_LEXICON
from textparity.counting.lexicon import revised_terms
from textparity.counting.pairs import PAIRS, read_pair_words
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.files import read_tsv
from textparity.folding import load_folding

pytestmark = pytest.mark.mirror

LANGUAGES = sorted({row["lang"] for row in read_tsv(PAIRS)})
# So many pairs of each language are tried, or all of them.
MOST_PAIRS, LONGEST_ENDING = 40, 5
# One pair in each language, in sentences with what may stand between.
EXAMPLES = [
    ("arb", "يضم القسم نحو 70 طالباً وطالبة."),
    ("arb", "كرمت المدرسة المعلمين والمعلمات."),
    ("arb", "200 طالب وطالبة"),
    ("bel", "студэнты і студэнткі"),
    ("bul", "учителите и учителките"),
    ("cat", "els nens i les nenes"),
    ("cat", "els alumnes i les alumnes"),
    ("ces", "učitelky a učitelé"),
    ("ces", "žákyně a žáci"),
    ("cym", "athrawon ac athrawesau"),
    ("deu", "Der Schüler oder die Schülerin meldet sich."),
    ("ell", "οι μαθητές και οι μαθήτριες"),
    ("eng", "waitresses and waiters"),
    ("fra", "Les étudiantes et étudiants attendent."),
    ("fra", "Toutes les enseignantes et tous les enseignants étaient invités."),
    ("fra", "Nous parlons d’étudiants et d'étudiantes."),
    ("fra", "étudiantes / étudiants"),
    ("fra", "étudiants/étudiantes"),
    ("hin", "लड़के और लड़कियां"),
    ("ita", "gli studenti e le studentesse"),
    ("lit", "mokytojai ir mokytojos"),
    ("lvs", "skolotāji un skolotājas"),
    ("mar", "विद्यार्थी आणि विद्यार्थिनी"),
    ("nld", "de leraren en de leraressen"),
    ("pol", "Uczniowie i uczennice czekają na autobus."),
    ("pol", "Dziękujemy obywatelom i obywatelkom."),
    ("por", "Todas as professoras e todos os professores"),
    ("por", "irmãos e irmãs"),
    ("ron", "elevi și eleve"),
    ("rus", "граждане и гражданки"),
    ("slk", "študenti a študentky"),
    ("slv", "učiteljice in učitelji"),
    ("spa", "las profesoras y los profesores"),
    ("swe", "skådespelare och skådespelerskor"),
    ("ukr", "вчителі та вчительки"),
    ("urd", "طلبہ اور طالبات"),
]


@pytest.mark.parametrize(
    ("lang", "text"), EXAMPLES, ids=[f"{lang} {number}" for number, (lang, _) in enumerate(EXAMPLES)]
)
def test_a_pair_is_one_mention_of_any_gender(lang, text):
    row = textparity.audit([text], lang, method="words")[lang].matches
    assert (row["feminine"], row["masculine"], row["unspecified"]) == (0, 0, 1)


@pytest.mark.parametrize(
    ("lang", "text", "feminine", "masculine"),
    [
        ("deu", "Männer und Frauen", 1, 1),
        ("eng", "women and men", 1, 1),
        ("eng", "mothers and fathers", 1, 1),
        ("fra", "Les infirmières et les médecins se parlent.", 1, 0),
        ("fra", "Les étudiants attendent. Les lycéennes aussi.", 1, 0),
        ("fra", "Le prince et la princesse attendent.", 1, 1),
        ("fra", "Les lycéennes, les étudiants et les lycéens", 1, 0),
    ],
)
def test_other_nouns_beside_each_other_stay_two_mentions(lang, text, feminine, masculine):
    row = textparity.audit([text], lang, method="words")[lang].matches
    assert (row["feminine"], row["masculine"]) == (feminine, masculine)


def load_matcher(lang, layers):
    files = find_lexicon(OWN_LEXICON, lang)
    return TermMatcher(revised_terms([], files.table), layers, load_folding(lang))


def pairs_of(matcher):
    """List the feminine forms that are a form of any gender and an ending, as far as neither has a context."""
    for feminine, rules in matcher.rules.items():
        if (rules.layer, rules.plain) != ("nouns", {"feminine"}) or rules.by_context or " " in feminine:
            continue
        for end in range(max(4, len(feminine) - LONGEST_ENDING), len(feminine)):
            other = matcher.rules.get(feminine[:end])
            if other and (other.layer, other.plain) == ("nouns", {"unspecified"}) and not other.by_context:
                yield feminine, feminine[:end]


def some_pairs(matcher):
    pairs = list(islice(pairs_of(matcher), MOST_PAIRS))
    if not pairs:
        pytest.skip("the language has no feminine that is a generic form and an ending")
    return pairs


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_conjunction_joins_the_nouns_of_the_lexicon_in_both_orders(lang):
    matcher, words = load_matcher(lang, LAYERS), read_pair_words(lang)
    joining = [*words.conjunctions, *words.alternatives]
    for feminine, other in some_pairs(matcher):
        for one, two in ((feminine, other), (other, feminine)):
            for conjunction in joining:
                text = matcher.folding.fold(f"{one} {conjunction} {two}")
                assert matcher.find_patterns(text) == [(0, len(text))], text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_by_nouns_alone_a_pair_has_as_many_women_as_men(lang):
    matcher, words = load_matcher(lang, ("nouns",)), read_pair_words(lang)
    for feminine, other in some_pairs(matcher):
        tokens = [feminine, *words.conjunctions[0].split(), other]
        matches = matcher.match([tokens], " ".join(tokens))
        assert [match.classes for match in matches] == [{"feminine"}, {"masculine"}], tokens
