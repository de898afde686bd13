"""Measure the precision of a lexicon from matches judged in their sentences, and its coverage.

The judged matches of a language are in `resources/lexicons/precision/LANG.tsv`. They were drawn at random from
NTREX-128 and FLORES-200. There are 25 feminine, 25 masculine and 10 unspecified nouns per language, and about forty
pronouns, titles and first names, if the texts have as many. The author of a lexicon saw the sentences of the
development half, but not those of the held-out half.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, get_type_hints

import numpy as np

from textparity.counting import CLASSES, GENDERS, OWN_LEXICON
from textparity.counting.terms import LAYERS
from textparity.estimating.estimates import Estimate
from textparity.estimating.intervals import clustered_interval, difference_interval, wilson_interval
from textparity.files import read_tsv

# All `lexicons` find the match, so it is in the sample of each. `gender` is that of the person in the sentence, or
# `NOBODY` if the match is not a person.
JUDGEMENT_COLUMNS = (
    "lexicons",
    "id",
    "form",
    "class",
    "layer",
    "half",
    "gender",
    "reason",
    "note",
    "annotator",
)
NOBODY = "-"
# The annotator of rows that name none.
USUAL_ANNOTATOR = "language model"
HALVES = ("development", "kept")
_LEXICONS = Path(__file__).parents[1] / "resources" / "lexicons"
# A layer is off if its precision is certainly below the first number, or if the precision of the two genders certainly
# differs by more than the second. The level of the intervals is fixed, so that an audit's options do not change counts.
LEAST_PRECISION, LARGEST_DIFFERENCE, LEVEL = 0.8, 0.1, 0.95
# A layer counts as read if at least this many of its matches were.
FEWEST_READ = 5


class Judgement(NamedTuple):
    """One judged match: whether the form denotes a person of this class in its sentence."""

    lexicon: str
    lang: str
    form: str
    gender_class: str
    layer: str
    half: str
    is_right: bool
    annotator: str
    # The sentence in its corpus. Its translations have the same name.
    sentence: str = ""


@dataclass(frozen=True)
class Precision:
    """The numbers of judged and of right matches, with the interval of their share (fractions)."""

    right: int
    judged: int
    interval: Estimate


def read_judgements(path: Path) -> list[Judgement]:
    """Read the judged matches of a language, `LANG.tsv`. Raises `TableError`, with the line, for an unknown value."""
    allowed = {"class": CLASSES, "layer": LAYERS, "half": HALVES, "gender": (*CLASSES, NOBODY)}
    judgements = []
    for row in read_tsv(path, JUDGEMENT_COLUMNS, allowed=allowed):
        for lexicon in row["lexicons"].split():
            judgement = Judgement(
                lexicon=lexicon,
                lang=path.stem,
                form=row["form"],
                gender_class=row["class"],
                layer=row["layer"],
                half=row["half"],
                is_right=row["gender"] == row["class"],
                annotator=row["annotator"] or USUAL_ANNOTATOR,
                sentence=row["id"],
            )
            judgements.append(judgement)
    return judgements


def measure_precision(
    judgements: Iterable[Judgement], confidence_level: float
) -> dict[tuple[str, str, str], Precision]:
    """Compute the precision of each lexicon, language and class. The matches of one sentence are a cluster."""
    by_group: dict[tuple[str, str, str], dict[str, list[bool]]] = {}
    for judgement in judgements:
        group = judgement.lexicon, judgement.lang, judgement.gender_class
        sentences = by_group.setdefault(group, {})
        sentences.setdefault(judgement.sentence, []).append(judgement.is_right)
    precision = {}
    for group, sentences in by_group.items():
        precision[group] = _clustered_precision(sentences.values(), confidence_level)
    return precision


def _clustered_precision(sentences: Collection[Sequence[bool]], confidence_level: float) -> Precision:
    """Compute the precision of matches, given for each sentence whether each of its matches is right."""
    right = np.array([sum(of_sentence) for of_sentence in sentences])
    judged = np.array([len(of_sentence) for of_sentence in sentences])
    interval = clustered_interval(right, judged, confidence_level)
    return Precision(int(right.sum()), int(judged.sum()), interval)


# The language, class and form of some matches.
_FormKey = tuple[str, str, str]


def mostly_wrong(judgements: Iterable[Judgement]) -> dict[_FormKey, tuple[int, int]]:
    """Find the forms that are wrong in more than half of their judged matches, and at least twice.

    Keys are language, class and form. Values are the numbers of wrong and of judged matches.
    """
    judged: Counter[_FormKey] = Counter()
    wrong: Counter[_FormKey] = Counter()
    for judgement in judgements:
        key = judgement.lang, judgement.gender_class, judgement.form
        judged[key] += 1
        wrong[key] += not judgement.is_right
    mostly_wrong_forms = {}
    for key, judged_matches in judged.items():
        wrong_matches = wrong[key]
        if judged_matches > 1 and wrong_matches > judged_matches / 2:
            mostly_wrong_forms[key] = wrong_matches, judged_matches
    return mostly_wrong_forms


def select_samples(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Select the feminine and masculine matches of the audit's lexicon in the held-out half.

    The lexicon has since been improved with the others.
    """
    selected = []
    for judgement in judgements:
        is_held_out = judgement.lexicon == OWN_LEXICON and judgement.half == "kept"
        if is_held_out and judgement.gender_class in GENDERS:
            selected.append(judgement)
    return selected


def find_layers_off(samples: Iterable[Judgement]) -> dict[str, dict[str, str]]:
    """Find the layers that are switched off, by language and layer, with the reason.

    A layer that was read is off, for both genders, if the whole interval of its precision is below 80 %, or the whole
    interval of the difference between the genders' precision is beyond 10 points.
    """
    by_layer: dict[tuple[str, str], list[Judgement]] = {}
    for judgement in samples:
        key = judgement.lang, judgement.layer
        by_layer.setdefault(key, []).append(judgement)
    off: dict[str, dict[str, str]] = {}
    for (lang, layer), sample in sorted(by_layer.items()):
        reason = _reason_to_switch_off(sample)
        if not reason:
            continue
        annotators = {judgement.annotator for judgement in sample}
        readers = " and ".join(sorted(annotators))
        layers = off.setdefault(lang, {})
        layers[layer] = f"{reason}; read by a {readers}, not by native speakers"
    return off


def _reason_to_switch_off(sample: list[Judgement]) -> str:
    whole = _precision_of(sample)
    if whole.judged < FEWEST_READ:
        return ""
    if whole.interval.high < LEAST_PRECISION:
        return (
            f"{whole.right} of {whole.judged} matches that were read are right, which is below "
            f"{100 * LEAST_PRECISION:.0f} % for certain"
        )
    feminine = _precision_of([judgement for judgement in sample if judgement.gender_class == "feminine"])
    masculine = _precision_of([judgement for judgement in sample if judgement.gender_class == "masculine"])
    if not feminine.judged or not masculine.judged:
        return ""
    difference = difference_interval(feminine.interval, masculine.interval)
    is_certain = difference.low > LARGEST_DIFFERENCE or difference.high < -LARGEST_DIFFERENCE
    if not is_certain:
        return ""
    return (
        f"{feminine.right} of {feminine.judged} feminine and {masculine.right} of {masculine.judged} masculine "
        f"matches that were read are right, which differs by more than {100 * LARGEST_DIFFERENCE:.0f} points "
        "for certain"
    )


def _precision_of(sample: list[Judgement]) -> Precision:
    # Within one language, few matches share a sentence, so Wilson's interval may ignore the clusters.
    right = sum(judgement.is_right for judgement in sample)
    return Precision(right, len(sample), wilson_interval(right, len(sample), LEVEL))


def judgements_file(lang: str) -> Path:
    """The table of the judged matches of a language, which may not exist."""
    return _LEXICONS / "precision" / f"{lang}.tsv"


@cache
def load_judgements(lang: str) -> tuple[Judgement, ...]:
    """Load the judged matches of a language, once in a process. There are none in some languages."""
    path = judgements_file(lang)
    return tuple(read_judgements(path)) if path.is_file() else ()


@cache
def load_samples(lang: str) -> tuple[Judgement, ...]:
    """Load the samples of the layers that an audit counts in a language."""
    return tuple(select_samples(load_judgements(lang)))


@cache
def layers_off(lang: str) -> MappingProxyType[str, str]:
    """Look up the layers that are switched off in a language, each with its reason."""
    return MappingProxyType(find_layers_off(load_samples(lang)).get(lang, {}))


TABLE = _LEXICONS / "coverage.tsv"
# All layers except inclusive forms, which have no gender.
GENDERED_LAYERS = LAYERS[:-1]


@dataclass(frozen=True)
class Coverage:
    """The matches in one parallel text in one language; a row of the table.

    `feminine_names` and similar fields are numbers of matches by gender and layer. English has a feminine match in
    `english_feminine` lines, and the language has one in `shared_feminine` of these; that share is the recall.
    `recall_ratio` is the masculine recall divided by the feminine one. Intervals come from a bootstrap over documents
    if there are at least `MINIMUM_UNITS`.
    """

    corpus: str
    lang: str
    lines: int
    documents: int
    feminine_nouns: int
    feminine_pronouns: int
    feminine_titles: int
    feminine_names: int
    masculine_nouns: int
    masculine_pronouns: int
    masculine_titles: int
    masculine_names: int
    english_feminine: int
    english_masculine: int
    shared_feminine: int
    shared_masculine: int
    recall_feminine: float
    recall_feminine_low: float
    recall_feminine_high: float
    recall_masculine: float
    recall_masculine_low: float
    recall_masculine_high: float
    recall_ratio: float
    recall_ratio_low: float
    recall_ratio_high: float

    def matches(self, layer: str) -> int:
        """The number of feminine and masculine matches of a layer."""
        return sum(getattr(self, f"{gender}_{layer}") for gender in GENDERS)


COVERAGE_COLUMNS = tuple(field.name for field in fields(Coverage))


@cache
def load_coverage() -> tuple[Coverage, ...]:
    """Load the measurements made by `tools/measure_coverage.py`."""
    return read_coverage(TABLE)


def read_coverage(path: Path) -> tuple[Coverage, ...]:
    """Read a table of coverage."""
    types = get_type_hints(Coverage)
    rows = []
    for row in read_tsv(path, COVERAGE_COLUMNS):
        values = {name: types[name](cell) for name, cell in row.items()}
        rows.append(Coverage(**values))
    return tuple(rows)
