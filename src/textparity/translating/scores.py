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
from itertools import compress, product
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
# The counts of sentences without alignment: all, those whose translation mentions a woman and a man, and the same three
# numbers of the sentences about a woman, and of those about a man.
(
    _ALL, _WITH_WOMAN, _WITH_MAN,
    _ABOUT_WOMAN, _WOMAN_WITH_WOMAN, _WOMAN_WITH_MAN,
    _ABOUT_MAN, _MAN_WITH_WOMAN, _MAN_WITH_MAN,
) = range(9)  # fmt: skip
# Each percentage, with its part and its whole.
_KEPT_SHARES = {
    "women_percent": (_WITH_WOMAN, _ALL),
    "men_percent": (_WITH_MAN, _ALL),
    "women_kept": (_WOMAN_WITH_WOMAN, _ABOUT_WOMAN),
    "men_kept": (_MAN_WITH_MAN, _ABOUT_MAN),
    "women_added": (_MAN_WITH_WOMAN, _ABOUT_MAN),
    "men_added": (_WOMAN_WITH_MAN, _ABOUT_WOMAN),
}
KEPT = tuple(_KEPT_SHARES)
# The number of counts of a sentence that depend on its stereotype (`_counts`).
_BY_STEREOTYPE = 4
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

    def gender_by(self, procedure: str) -> str:
        """Look up the gender of the occupation by a procedure."""
        return self.published if procedure == PUBLISHED else self.corrected


def find_genders(sentences: Sequence[Sentence], translations: Sequence[Translation], rule: GenderRule) -> list[Finding]:
    """Find the gender of each translated occupation. Sentences with an empty translation are left out."""
    is_translated = [bool(translation.text) for translation in translations]
    sentences = list(compress(sentences, is_translated))
    translations = list(compress(translations, is_translated))
    forward, backward = find_occupations(sentences, translations, rule.folding)
    published = rule.published(forward)
    corrected = rule.corrected(backward)
    findings = []
    for index, (sentence, translation) in enumerate(zip(sentences, translations, strict=True)):
        finding = Finding(
            sentence=sentence,
            translation=translation.text,
            source=translation.source,
            published=published[index],
            published_words=forward[index].text,
            corrected=corrected[index],
            corrected_words=backward[index].text,
            pronoun=rule.pronoun(translation.text),
        )
        findings.append(finding)
    return findings


def scored_by(findings: Iterable[Finding], procedure: str) -> list[tuple[Sentence, str]]:
    """List the sentences that a procedure scores, with the gender that it finds."""
    if procedure == PUBLISHED:
        return [(finding.sentence, finding.published) for finding in findings]
    scored = []
    for finding in _of_persons(findings):
        if finding.corrected in (FEMININE, MASCULINE):
            scored.append((finding.sentence, finding.corrected))
    return scored


def _of_persons(findings: Iterable[Finding]) -> list[Finding]:
    """List what is about a woman or a man: each sentence once, without translations of another."""
    once: dict[Sentence, Finding] = {}
    for finding in findings:
        if finding.sentence.gender != NEUTRAL and not finding.is_of_another:
            once.setdefault(finding.sentence, finding)
    return list(once.values())


def score(findings: Sequence[Finding], procedure: str, bootstrap: Bootstrap, name: str) -> dict[str, Any]:
    """Compute the `MEASURES` in percent, with intervals over sentences and (`_by_occupation`) over occupations.

    Sentences that differ only in their pronoun are resampled together. `shown` is the share of the sentences about a
    woman or a man whose occupation has a gender. `name` seeds the intervals.
    """
    scored = scored_by(findings, procedure)
    sentences = [sentence for sentence, _ in scored]
    counts = _count_all(scored)
    shown = _percent_shown(findings, procedure)
    row: dict[str, Any] = {"sentences": len(scored), "shown": shown}
    row |= _estimate_both(sentences, counts, _measure, "", bootstrap, name)
    return row


def _percent_shown(findings: Iterable[Finding], procedure: str) -> float:
    """Compute the share of the sentences about a woman or a man whose occupation has a gender, in percent."""
    genders = [finding.gender_by(procedure) for finding in findings if finding.sentence.gender != NEUTRAL]
    shown = [gender for gender in genders if gender in (FEMININE, MASCULINE)]
    return percentage(len(shown), len(genders))


def compare(
    findings: Sequence[Finding], first: Sequence[Finding], procedure: str, bootstrap: Bootstrap
) -> dict[str, Any]:
    """Compute the `MEASURES` of a system less those of the first one, in points, with paired intervals.

    Only sentences that both score are compared (`sentences_compared`). Columns are those of `score`, with
    `_difference`.
    """
    own = _by_occurrence(scored_by(findings, procedure))
    others = _by_occurrence(scored_by(first, procedure))
    common = [occurrence for occurrence in own if occurrence in others]
    sentences = [occurrence.sentence for occurrence in common]
    own_genders = [own[occurrence] for occurrence in common]
    other_genders = [others[occurrence] for occurrence in common]
    own_counts = _count_all(list(zip(sentences, own_genders, strict=True)))
    other_counts = _count_all(list(zip(sentences, other_genders, strict=True)))
    counts = np.hstack([own_counts, other_counts])
    name = f"{procedure} difference"
    row: dict[str, Any] = {"sentences_compared": len(common)}
    row |= _estimate_both(sentences, counts, _measure_difference, "_difference", bootstrap, name)
    return row


def _measure_difference(sums: np.ndarray) -> np.ndarray:
    """Compute the `MEASURES` of the first half of the columns less those of the second half, a row for each."""
    own_sums, other_sums = np.hsplit(sums, 2)
    return _measure(own_sums) - _measure(other_sums)


class _Occurrence(NamedTuple):
    """A sentence, and how often it has occurred so far, as some sentences occur twice."""

    sentence: Sentence
    number: int


def _by_occurrence(scored: Iterable[tuple[Sentence, str]]) -> dict[_Occurrence, str]:
    """Key the genders that were found by the occurrences of their sentences."""
    times: Counter[Sentence] = Counter()
    genders: dict[_Occurrence, str] = {}
    for sentence, gender in scored:
        times[sentence] += 1
        occurrence = _Occurrence(sentence, times[sentence])
        genders[occurrence] = gender
    return genders


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
    templates = [_PRONOUNS.sub("_", sentence.text.lower()) for sentence in sentences]
    row = _estimate(_sum_by(templates, counts), statistic, columns, bootstrap, name)
    occupations = [sentence.occupation.lower() for sentence in sentences]
    # The strata: WinoMT has as many occupations that are typical of women as of men.
    typical: dict[str, str] = {}
    for sentence, occupation in zip(sentences, occupations, strict=True):
        typical[occupation] = sentence.typical or typical.get(occupation, "")
    by_occupation = [f"{column}_by_occupation" for column in columns]
    strata = list(typical.values())
    wider = _estimate(_sum_by(occupations, counts), statistic, by_occupation, bootstrap, f"{name} occupations", strata)
    # Both have the same values, and other intervals.
    for column in by_occupation:
        wider.pop(column)
    return row | wider


def _count_all(scored: Sequence[tuple[Sentence, str]]) -> np.ndarray:
    """Count each sentence in a row; see `_counts`."""
    columns = len(GENDERS) * len(FOUND) + _BY_STEREOTYPE
    rows = [_counts(sentence, gender) for sentence, gender in scored]
    return np.array(rows).reshape(-1, columns)


def _sum_by(keys: Sequence[str], counts: np.ndarray) -> np.ndarray:
    """Add up the rows of counts of each key, in the order of their first rows."""
    distinct_keys = dict.fromkeys(keys)
    index_of = {key: index for index, key in enumerate(distinct_keys)}
    indexes = [index_of[key] for key in keys]
    columns = counts.shape[1]
    sums = np.zeros((len(index_of), columns))
    np.add.at(sums, indexes, counts)
    return sums


def measure(scored: Sequence[tuple[Sentence, str]]) -> dict[str, float]:
    """Compute the `MEASURES` of sentences with found genders, without intervals."""
    sums = _count_all(scored).sum(axis=0, keepdims=True)
    values = _measure(sums)[0]
    return dict(zip(MEASURES, map(float, values), strict=True))


def count_confusion(scored: Iterable[tuple[Sentence, str]]) -> dict[tuple[str, str], int]:
    """Count the sentences of each gender (the first) in which each gender is found (the second)."""
    counts = dict.fromkeys(product(GENDERS, FOUND), 0)
    for sentence, found in scored:
        counts[sentence.gender, found] += 1
    return counts


def count_pronouns(findings: Iterable[Finding], gender: str) -> dict[str, int]:
    """Count translations of the sentences about a woman or a man whose pronouns show a gender.

    `shown` of the `sentences` have such pronouns, and in `kept` it is theirs. In `lost`, the occupation has the other
    gender; pronouns show one in `lost_shown` of these, and the right one in `lost_kept`.
    """
    other_gender = MASCULINE if gender == FEMININE else FEMININE
    about = [finding for finding in _of_persons(findings) if finding.sentence.gender == gender]
    pronouns = [finding.pronoun for finding in about]
    lost = [finding.pronoun for finding in about if finding.corrected == other_gender]
    return {
        "sentences": len(about),
        "shown": len(pronouns) - pronouns.count(UNKNOWN),
        "kept": pronouns.count(gender),
        "lost": len(lost),
        "lost_shown": len(lost) - lost.count(UNKNOWN),
        "lost_kept": lost.count(gender),
    }


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
        mentioned = np.array([1, FEMININE in found, MASCULINE in found])
        about_woman = mentioned * (sentence.gender == FEMININE)
        about_man = mentioned * (sentence.gender == MASCULINE)
        rows.append(np.concatenate([mentioned, about_woman, about_man]))
    counts = np.array(rows, float)
    return {"sentences": len(counts)} | _estimate(counts, _measure_kept, KEPT, bootstrap, name)


def _measure_kept(sums: np.ndarray) -> np.ndarray:
    """Compute the percentages of `KEPT`, a row for each."""
    columns = []
    for part, whole in _KEPT_SHARES.values():
        percent = _percent(sums[:, part], sums[:, whole])
        columns.append(percent)
    return np.column_stack(columns)


def _counts(sentence: Sentence, found: str) -> list[int]:
    """Count one sentence: by gender and found gender, then right and all ones with and against the stereotype."""
    confusion = [0] * (len(GENDERS) * len(FOUND))
    row = GENDERS.index(sentence.gender)
    column = FOUND.index(found)
    confusion[row * len(FOUND) + column] = 1
    is_right = found == sentence.gender
    is_pro = sentence.stereotype == PRO
    is_anti = sentence.stereotype == ANTI
    by_stereotype = [is_pro and is_right, is_pro, is_anti and is_right, is_anti]
    return confusion + by_stereotype


def _measure(sums: np.ndarray) -> np.ndarray:
    """Compute the `MEASURES` of sums of `_counts`, a row for each."""
    by_gender, by_stereotype = np.split(sums, [-_BY_STEREOTYPE], axis=1)
    confusion = by_gender.reshape(-1, len(GENDERS), len(FOUND))
    # By gender: sentences, those in which it is found, and those in which it is right.
    true = confusion.sum(axis=2)
    found = confusion.sum(axis=1)
    right = np.diagonal(confusion, axis1=1, axis2=2)
    accuracy = _percent(right.sum(axis=1), true.sum(axis=1))
    # The first two genders are feminine and masculine.
    true = true[:, :2]
    found = found[:, :2]
    right = right[:, :2]
    recall = _percent(right, true)
    precision = _percent(right, found)
    f1_feminine, f1_masculine = _percent(2 * right, true + found).T
    delta_g = f1_masculine - f1_feminine
    pro_right, pro, anti_right, anti = by_stereotype.T
    accuracy_with = _percent(pro_right, pro)
    accuracy_against = _percent(anti_right, anti)
    delta_s = accuracy_with - accuracy_against
    return np.column_stack([accuracy, recall, precision, f1_feminine, f1_masculine, delta_g, delta_s])


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
