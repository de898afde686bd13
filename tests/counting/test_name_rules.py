"""A name needs evidence, in every language with names and capitals: `name_words.tsv` and the rules that use it."""

from functools import cache

import pytest

from textparity.auditing.languages import load_registry
from textparity.counting.first_names import first_names
from textparity.counting.lexicon import Lexicon
from textparity.counting.name_rules import COLUMNS, NAME_WORDS, load_name_rules
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import load_tokenizer
from textparity.files import read_tsv
from textparity.folding import load_folding

ROWS = read_tsv(NAME_WORDS, COLUMNS)
NAMED = {lang for lang, row in load_registry().languages.items() if row.first_names}


def languages_with(kind):
    return sorted({row["lang"] for row in ROWS if row["kind"] == kind} & NAMED)


@cache
def names_of(lang):
    """First names of one gender that are no closed words and no forms of both genders."""
    rules = load_name_rules(lang)
    terms = first_names(lang, load_registry().languages[lang].first_names.split("|")[0].split() or ["en_US"])
    return [
        term
        for term in terms
        if term.gender_class != "unspecified" and term.form.isalpha() and not rules.is_doubtful(term.form)
    ]


def woman_of(lang):
    women = [term.form for term in names_of(lang) if term.gender_class == "feminine" and len(term.form) > 4]
    # Turkish has a capital of its own for this letter.
    return min(name for name in women if "i" not in name)


@cache
def load_counter(lang, terms):
    matcher = TermMatcher([*names_of(lang), *terms], LAYERS, load_folding(lang), load_name_rules(lang))
    tokenizer = load_tokenizer(load_registry().tokenizer(lang, "icu"))
    return TextCounter(tokenizer, Lexicon([]), False, matcher, ["revised"], load_folding(lang))


def count(lang, text, terms=()):
    """Count a text with first names and the given terms; lists form and gender of each match."""
    found = load_counter(lang, tuple(terms)).count([text])["revised"]
    return [(match.form, *match.classes) for match in found.matches.get(0, [])]


def capital(word):
    return word[:1].upper() + word[1:]


@pytest.mark.parametrize("lang", languages_with("closed"))
def test_no_closed_word_is_learned(lang):
    name = woman_of(lang)
    rules = load_name_rules(lang)
    closed = sorted(word for word in rules.closed if len(word) > 2 and word.isalpha() and capital(word) != word)
    assert len(closed) > 50
    for word in closed[:: len(closed) // 20]:
        text = f"{capital(name)} {capital(word)}. {capital(word)} zzyx. {capital(word)} zzyv."
        assert count(lang, text) == [(name, "feminine")], word


@pytest.mark.parametrize("lang", languages_with("closed"))
def test_an_unknown_word_is_learned_within_its_paragraph(lang):
    name = capital(woman_of(lang))
    surname = capital("zzorbat") if name.isascii() or name[0] < "Ͱ" else capital("ззорбат")
    learned = [(name.lower(), "feminine"), (surname.lower(), "feminine")]
    assert count(lang, f"{name} {surname} ppq. {surname} qqp.") == learned
    assert count(lang, f"{name}\n\n{surname} ppq. {surname} qqp.") == learned[:1]
    # A line of a heading, in a text with longer lines.
    assert count(lang, f"{name}\n{surname} ppq qqp ppq qqp ppq. {surname} qqp.") == learned[:1]
    assert count(lang, f"{name.upper()}\n\n{surname} ppq. {surname} qqp.") == learned[:1]


@pytest.mark.parametrize("lang", languages_with("closed"))
def test_an_acronym_is_nobody(lang):
    name = woman_of(lang)
    assert count(lang, f"Ppq qqp {name.upper()} ppq.") == []
    assert count(lang, f"Ppq qqp {name.upper()} ppq {capital(name)} qqp.") == [(name, "feminine")] * 2
    assert count(lang, f"PPQ {name.upper()} QQP") == [(name, "feminine")]


def test_a_pronoun_shows_an_unknown_name_in_its_sentence_or_the_one_before():
    she = Term("she", "feminine", "pronouns")
    near, far = "Then Zzorbat ppq. She qqp. ", "Then Zzorbat ppq. It qqp. She qqp. "
    assert count("eng", near * 2, [she]) == [("zzorbat", "feminine"), ("she", "feminine")] * 2
    assert count("eng", far * 2, [she]) == [("she", "feminine")] * 2
    # Once is not enough.
    assert count("eng", near, [she]) == [("she", "feminine")]


@pytest.mark.parametrize("kind", ["article", "place"])
@pytest.mark.parametrize("lang", sorted({*languages_with("article"), *languages_with("place")}))
def test_what_is_used_like_a_thing_needs_two_names(lang, kind):
    words = sorted(word for word in getattr(load_name_rules(lang), kind) if word.isalpha())
    if not words:
        pytest.skip("the language has no such words")
    name = capital(woman_of(lang))
    mistress = Term("ppr", "feminine", "titles")
    surname = "Zzorbat" if name[0] < "Ͱ" else "Ззорбат"
    for word in words:
        text = f"{name} {surname} ppq. {surname} ppq {word} {surname} qqp."
        assert count(lang, text) == [(name.lower(), "feminine")], word
        both = count(lang, f"Ppr {surname} ppq. {text}", [mistress])
        assert (surname.lower(), "feminine") in both and len(both) == 3, word


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        # A form of address outweighs a first name, and this the title of an office.
        ("deu", "Herr Kim Weber sprach.", ["herr:m"]),
        ("eng", "Chairman Mary Barra spoke.", ["mary:f"]),
        ("nld", "President Saskia von der Zorbat sprak.", ["saskia:f"]),
        ("eng", "Mr Mary Barra spoke. Mary laughed.", ["mr:m", "mary:m"]),
        # A second title is no surname.
        ("deu", "Frau Dr. Maier kam. Dr. Maier und Dr. Lobin gingen.", ["frau:f", "maier:f"]),
        ("ces", "Paní Mgr. Zorbat mluvila. Zorbat odešla.", ["paní:f", "zorbat:f"]),
        # After an office, a preposition leads to no surname, and kin is no office.
        ("deu", "Der Präsident der Republik kam. Republik sei gut.", ["präsident:m"]),
        ("deu", "Die Tochter Zorbat setzt auf Reisende. Zorbat fährt.", ["tochter:f"]),
        ("deu", "Präsident Zorbat kam. Zorbat ging.", ["präsident:m", "zorbat:m"]),
        ("fra", "La reine de Suède est là. Suède chante.", ["reine:f"]),
        ("pol", "Królowa Warszawy przyszła. Warszawy nie ma.", ["królowa:f"]),
        # Learned from a form of address that has a particle.
        ("deu", "Frau von der Zorbat kam. Später lachte Zorbat.", ["frau:f", "zorbat:f"]),
        ("fra", "Mme Le Zorbat vint. Puis Zorbat rit.", ["mme:f", "zorbat:f"]),
    ],
)
def test_evidence_has_an_order(lang, text, found):
    given = {
        "deu": ["herr:m", "frau:f", "präsident:m", "tochter:f"], "eng": ["chairman:m", "mr:m"], "nld": ["president:m"],
        "ces": ["paní:f"], "fra": ["reine:f", "mme:f"], "pol": ["królowa:f"],
    }[lang]  # fmt: skip
    genders = {"f": "feminine", "m": "masculine"}
    terms = [Term(form, genders[gender]) for form, gender in (one.split(":") for one in given)]
    titles = [term._replace(layer="titles") for term in terms if term.form in ("mr", "mme")]
    nouns = [term for term in terms if term.form not in ("mr", "mme")]
    matches = [f"{form}:{gender[0]}" for form, gender in count(lang, text, [*titles, *nouns])]
    assert matches == found
