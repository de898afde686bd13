"""The pairs of a feminine and a masculine form that the lexicons declare, and frames that take either of them."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple
from unicodedata import category, normalize

from writing import upper

from textparity.counting.lemmas import SEPARATOR, read_lemmas
from textparity.counting.lexicon import read_revision
from textparity.counting.terms import Match, fix_form, is_pattern

# A word and a name of no language, so that no frame is a context of one form alone.
WORD, NAME = "qoqo", "Zorbaqo"
FRAMES = {
    "after a name": f"{WORD} {NAME} {{form}} {WORD}.",
    "in apposition": f"{NAME}, {{form}}, {WORD}.",
    "at the start": f"{{capital}} {WORD}.",
    "before a comma": f"{WORD} {{form}}, {WORD}.",
    "before a name": f"{WORD} {{form}} {NAME}.",
    "quoted": f"{WORD} “{{capital}} {WORD}”.",
    "in other quotes": f"{WORD} «{{form}}».",
    "in brackets": f"{WORD} ({{form}}) {WORD}.",
    "at the end": f"{WORD} {WORD} {{form}}.",
    "in capitals": f"{WORD} {{upper}} {WORD}.",
}
TITLES = {
    "title of a name": f"{WORD} {{capital}}{{stop}} {NAME} {WORD}.",
    "title at the start": f"{{capital}}{{stop}} {NAME} {WORD}.",
    "title in capitals": f"{{upper}}{{stop}} {NAME}.",
    "title after a comma": f"{WORD}, {{capital}}{{stop}} {NAME}.",
    "title after a quote": f"“{{capital}}{{stop}} {NAME}”.",
}
# What stands before a form of each gender.
ARTICLES = {
    "cat": [("la ", "el "), ("l’", "l’"), ("d'", "d'")],
    "fra": [("la ", "le "), ("une ", "un "), ("l'", "l'"), ("d’", "d’")],
    "ita": [("la ", "il "), ("una ", "un "), ("dell'", "dell'"), ("l’", "l’")],
    "spa": [("la ", "el "), ("una ", "un ")],
    "por": [("a ", "o "), ("uma ", "um ")],
    "deu": [("die ", "der "), ("eine ", "ein ")],
    "eng": [("the ", "the "), ("a ", "a ")],
    "nld": [("de ", "de "), ("een ", "een ")],
    "swe": [("en ", "en ")],
    "dan": [("en ", "en ")],
}


class Pair(NamedTuple):
    """A feminine form and its masculine counterpart."""

    layer: str
    feminine: str
    masculine: str


def read_pairs(revision: Path) -> list[Pair]:
    """Read the pairs of a revision, by the counterparts of its rows."""
    pairs: dict[Pair, None] = {}
    for change in read_revision(revision):
        if change.action == "remove" or is_pattern(change.form):
            continue
        for other in filter(None, map(fix_form, change.counterpart.split("|"))):
            forms = (change.form, other) if change.gender_class == "feminine" else (other, change.form)
            pairs[Pair(change.layer, *forms)] = None
    return list(pairs)


def read_lemma_pairs(path: Path) -> list[Pair]:
    """Read the pairs of lemmas of the same layer in a lexicon of lemmas."""
    lemmas = [lemma for lemma in read_lemmas(path) if not is_pattern(lemma.lemma)]
    layers = {(lemma.gender_class, fix_form(lemma.lemma)): lemma.layer for lemma in lemmas}
    pairs: dict[Pair, None] = {}
    for lemma in lemmas:
        form = fix_form(lemma.lemma)
        for other in filter(None, map(fix_form, lemma.counterpart.split(SEPARATOR))):
            forms = (form, other) if lemma.gender_class == "feminine" else (other, form)
            if layers.get(("feminine", forms[0])) == layers.get(("masculine", forms[1])):
                pairs[Pair(lemma.layer, *forms)] = None
    return list(pairs)


def frame_pair(pair: Pair, lang: str) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield the name of each frame, and the texts with the feminine and with the masculine; the form counts in one."""
    capitalised = lang == "deu" and pair.layer == "nouns"
    for name, frame in TITLES.items() if pair.layer == "titles" else FRAMES.items():
        feminine, masculine = (
            tuple(fill(frame, form, lang, capitalised, stop) for stop in ("", ".")[: 1 + ("{stop}" in frame)])
            for form in (pair.feminine, pair.masculine)
        )
        yield name, feminine, masculine
    if pair.layer == "nouns":
        for articles in ARTICLES.get(lang, ()):
            first, second = (
                (f"{WORD} {article}{_capital(form, lang) if capitalised else form} {WORD}.",)
                for article, form in zip(articles, (pair.feminine, pair.masculine), strict=True)
            )
            yield f"after {'/'.join(map(str.strip, articles))}", first, second


def fill(frame: str, form: str, lang: str, capitalised: bool = False, stop: str = "") -> str:
    """Put a form into a frame; `capitalised`: it begins with a capital everywhere, as German nouns do."""
    capital = _capital(form, lang)
    return frame.format(form=capital if capitalised else form, capital=capital, upper=upper(form, lang), stop=stop)


def _capital(form: str, lang: str) -> str:
    return upper(form[0], lang) + form[1:] if lang != "ell" else form[0].upper() + form[1:]


def split_forms(pair: Pair, lang: str) -> Iterator[str]:
    """Yield the splitting forms that can be written of a pair, such as *niño/a*; none if the forms share too little."""
    pairs = zip(pair.feminine, pair.masculine, strict=False)
    shared = sum(1 for _ in takewhile(lambda letters: letters[0] == letters[1], pairs))
    ending = pair.feminine[shared:]
    is_word = not set(" -.·'’\u200c") & set(pair.feminine + pair.masculine)
    if not is_word or shared < 2 or len(pair.masculine) - shared > 4 or not ending or category(ending[0])[0] == "M":
        return
    for written in ("{}({})", "{}/{}", "{}/-{}", "{}·{}", "{}*{}", "{}:{}", "{}_{}"):
        yield written.format(pair.masculine, ending)
    yield upper(f"{pair.masculine}({ending})", lang)
    yield normalize("NFD", f"{pair.masculine}/{ending}")


def counts_of(matches: Iterable[Match], gender: str) -> int:
    """Count the matches of a gender."""
    return sum(gender in match.classes for match in matches)
