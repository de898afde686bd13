"""Assess how reliable the counts of an audit are: the lexicon's measured precision, and warnings about a result."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from textparity.auditing.languages import load_registry, revised_lexicon
from textparity.auditing.settings import AuditSettings
from textparity.auditing.writing import doubt_writing
from textparity.counting.precision import (
    JUDGEMENTS,
    Judgement,
    Precision,
    layers_off,
    measure_precision,
    mostly_wrong,
    read_judgements,
)
from textparity.counting.revision import read_revision
from textparity.counting.terms import CLASSES
from textparity.persons.mentions import NOUNS, PERSONS, WORDS

# A form weighs too much if it makes up more than this share of a class that has at least this many matches.
HEAVY_SHARE, FEWEST_MATCHES = 0.2, 20
# Three times the length of the judged sentences, which have 33 words on average.
LONG_TEXT = 100


@cache
def _judgements() -> list[Judgement]:
    return read_judgements(JUDGEMENTS)


def _judged(settings: AuditSettings, lang: str) -> list[Judgement]:
    return [one for one in _judgements() if (one.lexicon, one.lang) == (settings.lexicon, lang)]


@cache
def _pronouns(revision: str) -> frozenset[str]:
    return frozenset(change.form for change in read_revision(Path(revision)) if change.layer == "pronouns")


def lexicon_precision(settings: AuditSettings, lang: str) -> dict[str, Precision]:
    """Look up the precision of the lexicon's nouns by class. Returns nothing if it was not measured.

    It was measured on the held-out half of the judged matches, which the author of the lexicon did not see.
    """
    if settings.method not in (WORDS, NOUNS) or settings.is_own:
        return {}
    kept = [one for one in _judged(settings, lang) if (one.half, one.layer) == ("kept", "nouns")]
    measured = measure_precision(kept, settings.confidence_level)
    return {name: found for name in CLASSES if (found := measured.get((settings.lexicon, lang, name)))}


def find_warnings(
    settings: AuditSettings,
    lang: str,
    forms: Counter[tuple[str, str]],
    words_per_text: float,
    writing: Mapping[str, int],
) -> Iterator[str]:
    """List warnings to consider before a result is believed. `forms` counts the matches by class and form.

    `writing` has the sums of `count_writing`.
    """
    yield from doubt_writing(lang, writing)
    if settings.method == PERSONS:
        return
    revised = revised_lexicon(settings)
    revision = load_registry().revision_file(settings.lexicon, lang) if revised else ""
    if revised and not revision:
        yield f"{settings.lexicon} has no revision of this language yet; {revised} was counted as it is"
    for layer in sorted(set(settings.counted_layers) - set(settings.layers_in(lang))):
        yield f"{layer} are not counted: {layers_off(lang)[layer]}"
    # In any text, a few pronouns make up most matches, and they stand for many people.
    pronouns = _pronouns(revision) if revision else frozenset()
    totals = {name: sum(number for (of, _), number in forms.items() if of == name) for name in CLASSES}
    heavy = [
        f"{form} is {number / totals[name]:.0%} of {name}"
        for (name, form), number in sorted(forms.items(), key=lambda item: (-item[1], item[0]))
        if form not in pronouns and totals[name] >= FEWEST_MATCHES and number > HEAVY_SHARE * totals[name]
    ]
    if heavy:
        yield "few words decide: " + ", ".join(heavy)
    wrong = mostly_wrong([] if settings.lexicon_folder else _judged(settings, lang))
    for (_, name, form), (errors, judged) in wrong.items():
        if number := forms[name, form]:
            # These words are wrong in more than half of the judged sentences.
            yield (
                f"{form} ({name}, found {number:,}) was no word for such a person in {errors} of {judged} sentences "
                "that were looked at"
            )
    if words_per_text > LONG_TEXT:
        yield "texts are long; precision was measured on single sentences of news and encyclopedias"
