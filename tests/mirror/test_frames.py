"""Both forms of a pair get the same chance: each is found wherever the other is, in the same frames.

Some forms are ambiguous, or said of anyone, and count in fewer places. In textparity_v2 a context says where, and the
pairs without one are compared. For textparity_v1, `unequal_forms.tsv` lists them with the reason; a form that it does
not list, and one that is found as often as its counterpart by now, both fail.
"""

import os
from collections import defaultdict
from functools import cache
from itertools import islice
from math import comb
from pathlib import Path

import pytest
from pairs import FRAMES, TITLES, WORD, Pair, counts_of, fill, frame_pair, read_lemma_pairs, read_pairs, split_forms

from check_lexicon import first_version_terms
from textparity.auditing.languages import find_tokenizer, load_registry
from textparity.counting import GENDERS, REVISED
from textparity.counting.lexicon import Lexicon, revised_terms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.counting.text_counter import TextCounter, count_texts
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import MissingResourceError
from textparity.files import read_tsv
from textparity.folding import load_folding

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

LEXICONS = Path(__file__).parents[2] / "resources" / "lexicons"
FIRST, OWN = "textparity_v1", "textparity_v2"
LISTS = [
    (word_list, lang)
    for word_list in (FIRST, OWN)
    for lang in load_registry().languages
    if (LEXICONS / word_list / f"{lang}.tsv").is_file()
]
# A neural tokenizer cuts some thousand words in a second. All languages together must not fail by chance.
SAMPLE, CHANCE = 25, 0.0002


def load_terms(word_list, lang):
    if word_list == FIRST:
        return first_version_terms(lang)
    return revised_terms([], LEXICONS / OWN / f"{lang}.tsv", load_registry().languages[lang].first_names)


@cache
def load_matcher(word_list, lang):
    return TermMatcher(load_terms(word_list, lang), LAYERS, load_folding(lang), load_name_rules(lang))


def load_pairs(word_list, lang):
    """Read the pairs of a list; of textparity_v2, those whose forms have no context."""
    path = LEXICONS / word_list / f"{lang}.tsv"
    if word_list == FIRST:
        return read_pairs(path)
    rules, fold = load_matcher(word_list, lang).rules, load_folding(lang).fold

    def counts_anywhere(form, gender):
        found = rules.get(fold(form))
        return found is not None and not found.by_context and found.plain == {gender}

    return [
        pair
        for pair in read_lemma_pairs(path)
        if counts_anywhere(pair.feminine, "feminine") and counts_anywhere(pair.masculine, "masculine")
    ]


def find_with_icu(word_list, lang, texts):
    tokenizer = load_tokenizer(find_tokenizer("icu", lang)[0])
    matcher = load_matcher(word_list, lang)
    counter = TextCounter(tokenizer, Lexicon([]), False, matcher, [REVISED], load_folding(lang))
    (found,) = counter.count(texts).values()
    matches = found.matches
    return [matches.get(number, []) for number in range(len(texts))]


def find_with_paper(word_list, lang, texts):
    try:
        tokenizer = load_tokenizer(*find_tokenizer("paper", lang))
    except MissingResourceError as error:
        pytest.skip(str(error))
    counted = count_texts(texts, tokenizer, Lexicon([]), False, load_matcher(word_list, lang), load_folding(lang))
    return [of_text[REVISED].matches for of_text in counted]


def find_less_often(find, word_list, lang, pairs):
    """Return the forms that are found in fewer frames than their counterparts: form → pair → frames."""
    rows = [(pair, *framed) for pair in pairs for framed in frame_pair(pair, lang)]
    found = iter(find(word_list, lang, [text for *_, feminine, masculine in rows for text in (*feminine, *masculine)]))
    less: dict[str, dict[Pair, list[str]]] = defaultdict(lambda: defaultdict(list))
    for pair, frame, feminine, masculine in rows:
        of_feminine, of_masculine = (
            max(counts_of(matches, gender) for matches in islice(found, len(texts)))
            for texts, gender in ((feminine, "feminine"), (masculine, "masculine"))
        )
        if of_feminine != of_masculine:
            form = pair.feminine if of_feminine < of_masculine else pair.masculine
            less[form][pair].append(frame)
    return less


def read_reasons(word_list, lang):
    if word_list == OWN:
        return {}
    rows = read_tsv(Path(__file__).with_name("unequal_forms.tsv"), ("lang", "forms", "reason"))
    return {form: row["reason"] for row in rows if row["lang"] == lang for form in row["forms"].split("|")}


@pytest.mark.parametrize(("word_list", "lang"), LISTS)
def test_both_forms_are_found_in_the_same_frames(word_list, lang):
    less = find_less_often(find_with_icu, word_list, lang, load_pairs(word_list, lang))
    reasons = read_reasons(word_list, lang)
    unequal = {form: {tuple(pair[1:]): frames for pair, frames in less[form].items()} for form in less}
    assert unequal.keys() <= reasons.keys(), {form: unequal[form] for form in unequal.keys() - reasons.keys()}
    assert reasons.keys() <= unequal.keys(), f"found as often by now: {sorted(reasons.keys() - unequal.keys())}"


@pytest.mark.stanza
@pytest.mark.parametrize(("word_list", "lang"), LISTS)
def test_no_tokenizer_loses_the_forms_of_one_gender(word_list, lang):
    pairs = load_pairs(word_list, lang)
    pairs = pairs[:: max(1, len(pairs) // SAMPLE)]
    less = find_less_often(find_with_paper, word_list, lang, pairs)
    for form in find_less_often(find_with_icu, word_list, lang, pairs):
        less.pop(form, None)
    # A small model joins words and signs that it hardly saw; whichever form that hits must be chance.
    lost = {gender: sum(getattr(pair, gender) == form for form in less for pair in less[form]) for gender in GENDERS}
    fewest, number = min(lost.values()), sum(lost.values())
    chance = 2 * sum(comb(number, few) for few in range(fewest + 1)) / 2**number
    assert chance > CHANCE, (lost, {form: dict(less[form]) for form in less})


@pytest.mark.parametrize(("word_list", "lang"), LISTS)
def test_first_names_of_both_genders_are_found_in_every_frame(word_list, lang):
    frames = {name: frame for name, frame in (FRAMES | TITLES).items() if "upper" not in frame}
    # Some count beside certain words alone: Chelsea Clinton, not Chelsea.
    names = [
        term
        for term in load_terms(word_list, lang)
        if term.layer == "names" and term.gender_class in GENDERS
        and not any(part.startswith(("before ", "after ")) for part in term.context.split("; "))
    ]  # fmt: skip
    sample = names[:: max(1, len(names) // (4 * SAMPLE))]
    rows = [(term, name, fill(frame, term.form, lang, True)) for term in sample for name, frame in frames.items()]
    found = find_with_icu(word_list, lang, [text for *_, text in rows])
    lost = [
        (term.form, name)
        for (term, name, _), matches in zip(rows, found, strict=True)
        if not counts_of(matches, term.gender_class)
    ]
    assert not lost


@pytest.mark.parametrize(("word_list", "lang"), LISTS)
def test_splitting_forms_of_the_pairs_count_for_anyone(word_list, lang):
    pairs = load_pairs(word_list, lang)
    # Russian *супругу* is her in one case and him in another, as *супруга* is.
    both = {pair.feminine for pair in pairs} & {pair.masculine for pair in pairs}
    forms = [form for pair in pairs if not {*pair[1:]} <= both for form in split_forms(pair, lang)]
    found = find_with_icu(word_list, lang, [f"{WORD} «{form}», {WORD}." for form in forms])
    wrong = {
        form: [(match.form, *match.classes) for match in matches]
        for form, matches in zip(forms, found, strict=True)
        if [match.layer for match in matches] != ["inclusive"]
    }
    assert not wrong, list(wrong.items())[:9]
