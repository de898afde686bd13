"""Sentences of NTREX, written in every way that their language has: each counts the same as before.

A test is a pair of a language and a way of writing, and names what was lost.
"""

import os
from functools import cache

import pytest
from writing import WAYS, ways_of

from parallel_texts import load_study_registry, load_terms, read_lines
from textparity.auditing.languages import find_tokenizer
from textparity.counting import REVISED
from textparity.counting.lexicon import Lexicon
from textparity.counting.name_rules import load_name_rules
from textparity.counting.precision import layers_off
from textparity.counting.terms import LAYERS, TermMatcher, is_pattern
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import FetchError, MissingResourceError
from textparity.folding import load_folding

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

LINES = 200


@cache
def load_lines(lang):
    """Sentences, or where no corpus of the study has the language, forms of its lexicon."""
    if not load_study_registry().corpus_has("ntrex", lang) and not load_study_registry().corpus_has("flores", lang):
        return [term.form for term in load_terms(lang)[:: len(load_terms(lang)) // LINES] if not is_pattern(term.form)]
    try:
        return read_lines("ntrex" if load_study_registry().corpus_has("ntrex", lang) else "flores", lang)[:LINES]
    except (FetchError, MissingResourceError):
        pytest.skip("not in the mirror")


@cache
def load_counter(lang, has_case):
    """Without case, what needs a capital cannot be told: first names, and forms with such a context."""
    terms = load_terms(lang)
    layers = [layer for layer in LAYERS if layer not in layers_off(lang)]
    if not has_case:
        needing = {term.form for term in terms if "capitalised" in term.context}
        terms = [term for term in terms if term.form not in needing]
        layers = [layer for layer in layers if layer not in ("names", "inclusive")]
    folding = load_folding(lang)
    tokenizer = load_tokenizer(find_tokenizer("icu", lang)[0])
    matcher = TermMatcher(terms, layers, folding, load_name_rules(lang))
    return TextCounter(tokenizer, Lexicon([]), False, matcher, [REVISED], folding)


def count(counter, texts):
    (found,) = counter.count(texts).values()
    return found.matches


def as_pairs(matches):
    return sorted((match.form, *sorted(match.classes)) for match in matches)


@pytest.mark.parametrize(
    ("lang", "way"),
    [
        pytest.param(lang, way, id=f"{lang}-{way}")
        for lang in load_study_registry().languages
        for way, _ in ways_of(lang)
    ],
)
def test_counts_are_the_same_however_a_text_is_written(lang, way):
    lines = load_lines(lang)
    counter = load_counter(lang, way != "capitals")
    written = [WAYS[way].write(line, lang) for line in lines]
    before, after = count(counter, lines), count(counter, written)
    differ = {
        number: (as_pairs(before.get(number, ())), as_pairs(after.get(number, ())))
        for number in range(len(lines))
        if as_pairs(before.get(number, ())) != as_pairs(after.get(number, ()))
    }
    assert not differ, (
        f"{lang}, {way}: {len(differ)} of {len(lines)} texts count otherwise, such as {list(differ.items())[:3]}"
    )
