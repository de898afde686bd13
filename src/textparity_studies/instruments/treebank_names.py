"""Read given names and their gender from treebanks of Universal Dependencies, and count how many a method finds.

Nothing follows from what a method finds elsewhere in a treebank, because nobody else is annotated. So a treebank gives
the recall of names alone, and is no evidence of the error of a ratio.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np

from textparity.counting import GENDERS
from textparity.estimating.bootstrap import Bootstrap, bootstrap_statistic
from textparity.estimating.estimates import Estimate
from textparity.estimating.intervals import clustered_interval
from textparity.estimating.seeds import random_generator
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity_studies.instruments.annotated_texts import AnnotatedMention, AnnotatedText, GoldWords
from textparity_studies.instruments.columns import DOCUMENT, ColumnSentence, read_conllu, read_features

_GENDER_OF_FEATURE = {"Fem": FEMININE, "Masc": MASCULINE}
_PROPER_NOUN, _GIVEN_NAME = "PROPN", "Giv"
# The values of Animacy of persons; a language without the feature has none.
_PERSONS = ("", "Anim", "Hum")
# The results for a name.
RESULTS = ("right", "wrong", "unspecified", "not_found")


@dataclass(frozen=True)
class _TreebankWord:
    """A word of a sentence: its cells in CoNLL-U, and its place in the text of the sentence."""

    cells: tuple[str, ...]
    start: int
    end: int


def read_treebank_names(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the documents of a treebank, with its given names as mentions; the entity is the name's lemma.

    A file without documents is one. A given name has NameType=Giv, or was marked by reading. In a treebank with
    neither, it is a proper noun before a part of its name (`flat`), which confuses persons and things.
    """
    sentences = list(read_conllu(path))
    has_types = any(_is_typed(cells) for sentence in sentences for cells in sentence.rows)
    documents: dict[str, list[tuple[str, list[AnnotatedMention]]]] = {}
    lemmas: dict[tuple[str, str], int] = {}
    for sentence in sentences:
        text = normalize("NFC", sentence.comments.get("text", ""))
        names = []
        for word, gender in _find_names(sentence, text, path.stem, words, has_types):
            entity = lemmas.setdefault((word.cells[2].lower(), gender), len(lemmas))
            names.append(AnnotatedMention.at(text, word.start, word.end, "name", gender, entity))
        documents.setdefault(sentence.document.get(DOCUMENT, ""), []).append((text, names))
    for name, contents in documents.items():
        yield _join(path.stem, name, contents)


def _join(treebank: str, name: str, sentences: list[tuple[str, list[AnnotatedMention]]]) -> AnnotatedText:
    """Make a text with one sentence per line."""
    text = ""
    mentions: list[AnnotatedMention] = []
    for sentence, names in sentences:
        for mention in names:
            start, end = len(text) + mention.start, len(text) + mention.end
            mentions.append(replace(mention, start=start, end=end))
        text += sentence + "\n"
    return AnnotatedText(f"{treebank}/{name}", f"{treebank}/{name}", "", text, tuple(mentions))


def _find_names(
    sentence: ColumnSentence, text: str, treebank: str, words: GoldWords, has_types: bool
) -> Iterator[tuple[_TreebankWord, str]]:
    """Iterate over the given names of a sentence, with their gender."""
    heads = {cells[6] for cells in sentence.rows if cells[7].startswith("flat") and cells[3] == _PROPER_NOUN}
    marks = words.given_names
    if marks is not None and not marks.has(treebank):
        marks = None
    for word in _locate(sentence, text):
        cells = word.cells
        if cells[3] != _PROPER_NOUN:
            continue
        features = read_features(cells[5])
        gender = _GENDER_OF_FEATURE.get(features.get("Gender", ""), "")
        if marks is not None:
            gender = marks.gender(treebank, sentence.comments.get("sent_id", ""), cells[0])
        elif has_types:
            gender = gender if _is_typed(cells) else ""
        elif cells[0] not in heads or (gender == MASCULINE and features.get("Animacy", "") not in _PERSONS):
            gender = ""
        if gender:
            yield word, gender


def _is_typed(cells: Sequence[str]) -> bool:
    """Check for a given name by the feature NameType."""
    return _GIVEN_NAME in read_features(cells[5]).get("NameType", "").split(",")


def _locate(sentence: ColumnSentence, text: str) -> Iterator[_TreebankWord]:
    """Iterate over the words of a sentence that stand in its text, in order.

    A token of several words (2-3) has the place of all of its words. Empty words (2.1) have none.
    """
    position = 0
    inside: dict[str, tuple[int, int]] = {}
    for cells in sentence.rows:
        number, form = cells[0], normalize("NFC", cells[1])
        if "." in number:
            continue
        if number in inside:
            yield _TreebankWord(cells, *inside[number])
            continue
        start = text.find(form, position)
        if start < 0:
            continue
        end = position = start + len(form)
        if "-" in number:
            first, last = number.split("-")
            inside |= {str(word): (start, end) for word in range(int(first), int(last) + 1)}
        else:
            yield _TreebankWord(cells, start, end)


@dataclass(frozen=True)
class JudgedName:
    """A name of a treebank: its language and lemma, its gender, and what a method makes of it (one of `RESULTS`)."""

    lemma: tuple[str, int]
    gender: str
    result: str


def judge_names(annotated: Iterable[AnnotatedMention], found: Iterable[Mention], lang: str) -> Iterator[JudgedName]:
    """Iterate over the names of a text with what a method makes of them.

    A mention finds a name if it covers its beginning; of several, the first one counts.
    """
    first_at: dict[int, Mention] = {}
    for mention in sorted(found, key=lambda mention: mention.start):
        for position in range(mention.start, mention.end):
            first_at.setdefault(position, mention)
    for name in annotated:
        covering = first_at.get(name.start)
        if covering is None:
            result = "not_found"
        elif covering.gender == name.gender:
            result = "right"
        else:
            result = "wrong" if covering.gender in GENDERS else UNSPECIFIED
        yield JudgedName((lang, name.entity), name.gender, result)


def measure_names(
    judged: Iterable[JudgedName], labels: dict[str, str], bootstrap: Bootstrap
) -> Iterator[dict[str, Any]]:
    """Compute how many names of each gender are found, and women's recall over men's, on the row of the women.

    Intervals treat the names of one lemma as a cluster, because a list has it or lacks it.
    """
    results: dict[str, dict[tuple[str, int], Counter[str]]] = {gender: {} for gender in GENDERS}
    for one in judged:
        results[one.gender].setdefault(one.lemma, Counter())[one.result] += 1
    counts = {gender: _count_results(of_gender.values()) for gender, of_gender in results.items()}
    ratio = _compare_recalls(counts[FEMININE], counts[MASCULINE], labels, bootstrap)
    for gender in GENDERS:
        of_gender = counts[gender]
        row: dict[str, Any] = labels | {"gender": gender, "lemmas": len(of_gender), "names": int(of_gender.sum())}
        row |= {name: int(of_gender[:, place].sum()) for place, name in enumerate(RESULTS)}
        for name in ("right", "wrong"):
            share = clustered_interval(
                of_gender[:, RESULTS.index(name)], of_gender.sum(axis=1), bootstrap.confidence_level
            )
            row |= (share * 100).columns(f"{name}_percent")
        yield row | (ratio if gender == FEMININE else Estimate(np.nan)).columns("recall_ratio")


def _count_results(lemmas: Iterable[Counter[str]]) -> np.ndarray:
    """Make an array of shape (lemmas, results)."""
    rows = [[lemma[result] for result in RESULTS] for lemma in lemmas]
    return np.array(rows, dtype=int).reshape(-1, len(RESULTS))


def _compare_recalls(
    feminine: np.ndarray, masculine: np.ndarray, labels: dict[str, str], bootstrap: Bootstrap
) -> Estimate:
    """Divide women's recall by men's, with an interval over lemmas that are resampled within each gender."""
    if not len(feminine) or not len(masculine):
        return Estimate(np.nan)
    counts = np.zeros((len(feminine) + len(masculine), 4))
    counts[: len(feminine), :2] = np.column_stack([feminine[:, 0], feminine.sum(axis=1)])
    counts[len(feminine) :, 2:] = np.column_stack([masculine[:, 0], masculine.sum(axis=1)])

    def divide(sums: np.ndarray) -> np.ndarray:
        right_feminine, all_feminine, right_masculine, all_masculine = sums.T
        with np.errstate(divide="ignore", invalid="ignore"):
            recall_of_women = right_feminine / all_feminine
            recall_of_men = right_masculine / all_masculine
            ratio = recall_of_women / recall_of_men
        return np.where(np.isfinite(ratio), ratio, np.nan)[:, None]

    generator = random_generator(bootstrap.seed, "names", *labels.values())
    strata = [FEMININE] * len(feminine) + [MASCULINE] * len(masculine)
    (estimate,) = bootstrap_statistic(divide, counts, bootstrap, generator, strata)
    return estimate
