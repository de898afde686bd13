"""Score translations of WinoMT: accuracy, the F1 of women and men, and their differences, with intervals.

As published (Stanovsky et al. 2019, §4): an occupation is right if its gender is that of the sentence, whatever the
gender; what is not aligned is wrong. ΔG is the F1 of men less that of women; ΔS is the accuracy in sentences whose
gender is that of the occupation's stereotype less that in sentences against it.

Corrected: each English word has a translated one, where it has one; without neutral sentences, which most languages
cannot translate, and without translations of other sentences; each sentence once; and only where a gender is shown. How
often one is shown is a number of its own.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from textparity.counting import PROCEDURES
from textparity.estimating.bootstrap import Bootstrap, bootstrap_statistic
from textparity.estimating.estimates import percentage
from textparity.estimating.seeds import random_generator
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.translating.alignment import find_occupations
from textparity.translating.genders import UNKNOWN, GenderRule
from textparity.translating.winomt import ANTI, GENDERS, NEUTRAL, PRO, Sentence, Translation

FOUND = (*GENDERS, UNKNOWN)
MEASURES = (
    "accuracy", "recall_feminine", "recall_masculine", "precision_feminine", "precision_masculine", "f1_feminine",
    "f1_masculine", "delta_g", "delta_s",
)  # fmt: skip
KEPT = ("women_percent", "men_percent", "women_kept", "men_kept", "women_added", "men_added")
PUBLISHED, CORRECTED = PROCEDURES
_PRONOUNS = re.compile(r"\b(?:she|he|they|her|hers|his|him|their|theirs|them|herself|himself|themselves)\b")


class Finding(NamedTuple):
    """A translated sentence, with the gender and the words of its occupation by each procedure.

    `source` is the English sentence that was translated, which should be the same one. `pronoun` is the gender of
    the translation's pronouns.
    """

    sentence: Sentence
    translation: str
    source: str
    published: str
    published_words: str
    corrected: str
    corrected_words: str
    pronoun: str

    @property
    def is_of_another(self) -> bool:
        """Whether another sentence was translated."""
        return self.source != " ".join(self.sentence.words)


def find_genders(sentences: Sequence[Sentence], translations: Sequence[Translation], rule: GenderRule) -> list[Finding]:
    """Find the gender of each translated occupation. Sentences with an empty translation are left out."""
    pairs = [(one, other) for one, other in zip(sentences, translations, strict=True) if other.text]
    forward, backward = find_occupations([one for one, _ in pairs], [other for _, other in pairs], rule.folding)
    genders = zip(rule.published(forward), rule.corrected(backward), strict=True)
    return [
        Finding(one, *other, published, before.text, corrected, after.text, rule.pronoun(other.text))
        for (one, other), (published, corrected), before, after in zip(pairs, genders, forward, backward, strict=True)
    ]


def scored_by(findings: Iterable[Finding], procedure: str) -> list[tuple[Sentence, str]]:
    """List the sentences that a procedure scores, with the gender that it finds."""
    if procedure == PUBLISHED:
        return [(one.sentence, one.published) for one in findings]
    return [(one.sentence, one.corrected) for one in _of_persons(findings) if one.corrected in (FEMININE, MASCULINE)]


def _of_persons(findings: Iterable[Finding]) -> list[Finding]:
    """List what is about a woman or a man: each sentence once, without translations of another."""
    once: dict[Sentence, Finding] = {}
    for one in findings:
        if one.sentence.gender != NEUTRAL and not one.is_of_another:
            once.setdefault(one.sentence, one)
    return list(once.values())


def score(findings: Sequence[Finding], procedure: str, bootstrap: Bootstrap, name: str) -> dict[str, Any]:
    """Compute the `MEASURES` in percent, with intervals over sentences and (`_by_occupation`) over occupations.

    Sentences that differ only in their pronoun are resampled together. `shown` is the share of the sentences about a
    woman or a man whose occupation has a gender. `name` seeds the intervals.
    """
    scored = scored_by(findings, procedure)
    persons = [one for one in findings if one.sentence.gender != NEUTRAL]
    shown = sum(getattr(one, procedure) in (FEMININE, MASCULINE) for one in persons)
    row: dict[str, Any] = {"sentences": len(scored), "shown": percentage(shown, len(persons))}
    return row | _estimate_both([sentence for sentence, _ in scored], _count_all(scored), _measure, "", bootstrap, name)


def compare(
    findings: Sequence[Finding], first: Sequence[Finding], procedure: str, bootstrap: Bootstrap
) -> dict[str, Any]:
    """Compute the `MEASURES` of a system less those of the first one, in points, with paired intervals.

    Only sentences that both score are compared (`sentences_compared`). Columns are those of `score`, with
    `_difference`.
    """
    mine, theirs = (_by_occurrence(scored_by(found, procedure)) for found in (findings, first))
    common = [key for key in mine if key in theirs]
    sides = [_count_all([(sentence, of[sentence, number]) for sentence, number in common]) for of in (mine, theirs)]
    width = sides[0].shape[1]
    return {"sentences_compared": len(common)} | _estimate_both(
        [sentence for sentence, _ in common],
        np.hstack(sides),
        lambda sums: _measure(sums[:, :width]) - _measure(sums[:, width:]),
        "_difference",
        bootstrap,
        f"{procedure} difference",
    )


def _by_occurrence(scored: Iterable[tuple[Sentence, str]]) -> dict[tuple[Sentence, int], str]:
    """Key found genders by their sentence and its number, as some sentences occur twice."""
    times: Counter[Sentence] = Counter()
    found: dict[tuple[Sentence, int], str] = {}
    for sentence, gender in scored:
        times[sentence] += 1
        found[sentence, times[sentence]] = gender
    return found


def _estimate_both(
    sentences: Sequence[Sentence],
    counts: np.ndarray,
    statistic: Callable[[np.ndarray], np.ndarray],
    ending: str,
    bootstrap: Bootstrap,
    name: str,
) -> dict[str, float]:
    """Compute columns of `MEASURES` with an ending, with intervals over sentences and over occupations."""
    columns = [f"{measure}{ending}" for measure in MEASURES]
    by_template = _sum_by([_PRONOUNS.sub("_", one.text.lower()) for one in sentences], counts)
    row = _estimate(by_template, statistic, columns, bootstrap, name)
    occupations = [one.occupation.lower() for one in sentences]
    # The strata: WinoMT has as many occupations that are typical of women as of men.
    typical: dict[str, str] = {}
    for one, occupation in zip(sentences, occupations, strict=True):
        typical[occupation] = one.typical or typical.get(occupation, "")
    names, strata = [f"{column}_by_occupation" for column in columns], list(typical.values())
    by_occupation = _sum_by(occupations, counts)
    wider = _estimate(by_occupation, statistic, names, bootstrap, f"{name} occupations", strata)
    return row | {column: value for column, value in wider.items() if column not in names}


def _count_all(scored: Sequence[tuple[Sentence, str]]) -> np.ndarray:
    return np.array([_counts(*one) for one in scored]).reshape(-1, len(GENDERS) * len(FOUND) + 4)


def _sum_by(keys: Sequence[str], counts: np.ndarray) -> np.ndarray:
    """Add up the rows of counts of each key, in the order of their first rows."""
    number = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    sums = np.zeros((len(number), counts.shape[1]))
    np.add.at(sums, [number[key] for key in keys], counts)
    return sums


def measure(scored: Sequence[tuple[Sentence, str]]) -> dict[str, float]:
    """Compute the `MEASURES` of sentences with found genders, without intervals."""
    values = _measure(_count_all(scored).sum(axis=0, keepdims=True))[0]
    return dict(zip(MEASURES, map(float, values), strict=True))


def count_confusion(scored: Iterable[tuple[Sentence, str]]) -> dict[tuple[str, str], int]:
    """Count the sentences of each gender (the first) in which each gender is found (the second)."""
    counts = dict.fromkeys(((gender, found) for gender in GENDERS for found in FOUND), 0)
    for sentence, found in scored:
        counts[sentence.gender, found] += 1
    return counts


def count_pronouns(findings: Iterable[Finding], gender: str) -> dict[str, int]:
    """Count translations of the sentences about a woman or a man whose pronouns show a gender.

    `shown` of the `sentences` have such pronouns, and in `kept` it is theirs. In `lost`, the occupation has the other
    gender; pronouns show one in `lost_shown` of these, and the right one in `lost_kept`.
    """
    about = [one for one in _of_persons(findings) if one.sentence.gender == gender]
    shown = [one for one in about if one.pronoun != UNKNOWN]
    numbers = {"sentences": len(about), "shown": len(shown), "kept": sum(one.pronoun == gender for one in shown)}
    lost = [one.pronoun for one in about if one.corrected in (FEMININE, MASCULINE) and one.corrected != gender]
    kept = lost.count(gender)
    return numbers | {"lost": len(lost), "lost_shown": len(lost) - lost.count(UNKNOWN), "lost_kept": kept}


def measure_kept(
    sentences: Sequence[Sentence], genders: Iterable[Collection[str]], bootstrap: Bootstrap, name: str
) -> dict[str, Any]:
    """Compute, without alignments, the share of translations that mention a woman or a man, in percent.

    `genders` are those of the persons that a method finds in the translation of each sentence. `women_kept` are the
    sentences about a woman that mention one, and `women_added` those about a man that mention a woman; `men_kept` and
    `men_added` likewise.
    """
    rows = []
    for sentence, found in zip(sentences, genders, strict=True):
        woman, man = FEMININE in found, MASCULINE in found
        is_of = [sentence.gender == gender for gender in (FEMININE, MASCULINE)]
        about = [[one, one and woman, one and man] for one in is_of]
        rows.append([1, woman, man, *about[0], *about[1]])
    counts = np.array(rows, float)
    places = [(1, 0), (2, 0), (4, 3), (8, 6), (7, 6), (5, 3)]
    return {"sentences": len(counts)} | _estimate(
        counts,
        lambda sums: np.array([_percent(sums[:, part], sums[:, whole]) for part, whole in places]).T,
        KEPT,
        bootstrap,
        name,
    )


def _counts(sentence: Sentence, found: str) -> list[int]:
    """Count one sentence: by gender and found gender, then right and all ones with and against the stereotype."""
    confusion = [0] * (len(GENDERS) * len(FOUND))
    confusion[GENDERS.index(sentence.gender) * len(FOUND) + FOUND.index(found)] = 1
    is_right = found == sentence.gender
    pro, anti = sentence.stereotype == PRO, sentence.stereotype == ANTI
    return [*confusion, pro and is_right, pro, anti and is_right, anti]


def _measure(sums: np.ndarray) -> np.ndarray:
    """Compute the `MEASURES` of sums of `_counts`, a row for each."""
    confusion = sums[:, :-4].reshape(-1, len(GENDERS), len(FOUND))
    right = np.array([confusion[:, place, place] for place in range(len(GENDERS))])
    # The first two genders are feminine and masculine.
    recall = [_percent(right[place], confusion[:, place].sum(axis=1)) for place in range(2)]
    precision = [_percent(right[place], confusion[:, :, place].sum(axis=1)) for place in range(2)]
    f1 = [
        _percent(2 * right[place], confusion[:, place].sum(axis=1) + confusion[:, :, place].sum(axis=1))
        for place in range(2)
    ]
    pro, anti = (_percent(sums[:, place], sums[:, place + 1]) for place in (-4, -2))
    accuracy = _percent(right.sum(axis=0), confusion.sum(axis=(1, 2)))
    return np.array([accuracy, *recall, *precision, *f1, f1[1] - f1[0], pro - anti]).T


def _percent(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(100 * part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)


def _estimate(
    counts: np.ndarray,
    statistic: Callable[[np.ndarray], np.ndarray],
    names: Sequence[str],
    bootstrap: Bootstrap,
    purpose: str,
    strata: Sequence[str] = (),
) -> dict[str, float]:
    """Compute the columns of numbers that are functions of the sums of counts, one row for each unit."""
    generator = random_generator(bootstrap.seed, "winomt", purpose)
    estimates = bootstrap_statistic(statistic, counts, bootstrap, generator, strata)
    row: dict[str, float] = {}
    for name, estimate in zip(names, estimates, strict=True):
        row |= estimate.columns(name)
    return row
