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

    def gender_by(self, procedure: str) -> str:
        """Look up the gender of the occupation by a procedure."""
        return self.published if procedure == PUBLISHED else self.corrected


def find_genders(sentences: Sequence[Sentence], translations: Sequence[Translation], rule: GenderRule) -> list[Finding]:
    """Find the gender of each translated occupation. Sentences with an empty translation are left out."""
    pairs = [pair for pair in zip(sentences, translations, strict=True) if pair[1].text]
    sources = [sentence for sentence, _ in pairs]
    texts = [translation for _, translation in pairs]
    forward, backward = find_occupations(sources, texts, rule.folding)
    published, corrected = rule.published(forward), rule.corrected(backward)
    findings = []
    for index, (sentence, translation) in enumerate(pairs):
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
    of_persons = [finding for finding in findings if finding.sentence.gender != NEUTRAL]
    shown = sum(finding.gender_by(procedure) in (FEMININE, MASCULINE) for finding in of_persons)
    row: dict[str, Any] = {"sentences": len(scored), "shown": percentage(shown, len(of_persons))}
    return row | _estimate_both(sentences, _count_all(scored), _measure, "", bootstrap, name)


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
    genders: dict[tuple[Sentence, int], str] = {}
    for sentence, gender in scored:
        times[sentence] += 1
        genders[sentence, times[sentence]] = gender
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
    row, column = GENDERS.index(sentence.gender), FOUND.index(found)
    confusion[row * len(FOUND) + column] = 1
    is_right = found == sentence.gender
    is_pro = sentence.stereotype == PRO
    is_anti = sentence.stereotype == ANTI
    return [*confusion, is_pro and is_right, is_pro, is_anti and is_right, is_anti]


def _measure(sums: np.ndarray) -> np.ndarray:
    """Compute the `MEASURES` of sums of `_counts`, a row for each."""
    confusion = sums[:, :-4].reshape(-1, len(GENDERS), len(FOUND))
    pro_right, pro, anti_right, anti = sums[:, -4:].T
    # By gender: sentences, those in which it is found, and those in which it is right.
    true = confusion.sum(axis=2)
    found = confusion.sum(axis=1)
    right = np.stack([confusion[:, gender, gender] for gender in range(len(GENDERS))], axis=1)
    accuracy = _percent(right.sum(axis=1), true.sum(axis=1))
    # The first two genders are feminine and masculine.
    true, found, right_of_persons = true[:, :2], found[:, :2], right[:, :2]
    recall = _percent(right_of_persons, true)
    precision = _percent(right_of_persons, found)
    f1 = _percent(2 * right_of_persons, true + found)
    delta_g = f1[:, 1] - f1[:, 0]
    delta_s = _percent(pro_right, pro) - _percent(anti_right, anti)
    return np.column_stack([accuracy, recall, precision, f1, delta_g, delta_s])


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
