"""Read and classify human-written stereotypes: the gender pairs of CrowS-Pairs (Nangia 2020), with labels.

In each pair, `sent_more` is the more stereotypical sentence, whatever the pair's direction (its authors' README). A
"stereo" pair begins from a sentence that demonstrates a stereotype of a disadvantaged group. An "antistereo" pair
begins from one that violates it, which is then `sent_less`. The person's gender is that of the words by which the two
sentences differ, or else of all words: person nouns, pronouns, and then first names.
"""

import re
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.counting.lexicon import read_lexicon
from textparity.errors import InputError
from textparity_studies.measures.polarity import read_polarity_words
from textparity_studies.stereotypes.classification import classify_across, classify_within
from textparity_studies.stereotypes.sentences import CONSISTENT, CONTRADICTORY, FEMININE, MASCULINE, UNDETERMINED

DIRECTIONS = ("stereo", "antistereo")
_COLUMNS = ["sent_more", "sent_less", "stereo_antistereo", "bias_type"]
_WORD = re.compile(r"[^\W\d_]+")
_NAME_GENDERS = {"male": MASCULINE, "mostly_male": MASCULINE, "female": FEMININE, "mostly_female": FEMININE}


class GenderWords:
    """Hold English words that indicate the gender of a person."""

    def __init__(self, lexicon: Path, polarity_words: Path) -> None:
        self._genders: dict[str, str] = {}
        for entry in read_lexicon(lexicon):
            if entry.gender_class in (MASCULINE, FEMININE):
                self._genders[entry.form.strip().lower()] = entry.gender_class
        for gender, words in read_polarity_words(polarity_words).items():
            self._genders |= dict.fromkeys(words, gender)

    def gender_of(self, words: list[str]) -> str:
        """Find the one gender of nouns and pronouns, or else of first names; undetermined for none or both."""
        for found in (
            {self._genders.get(word.lower()) for word in words},
            {_NAME_GENDERS.get(_detector().get_gender(word, "usa")) for word in words if word[0].isupper()},
        ):
            genders = {gender for gender in found if gender}
            if genders:
                return genders.pop() if len(genders) == 1 else UNDETERMINED
        return UNDETERMINED

    def genders_of_pair(self, first: str, second: str) -> tuple[str, str]:
        """Find the gender of the person in each of two sentences that differ in a few words."""
        sides = _WORD.findall(first), _WORD.findall(second)
        before, after = ([word.lower() for word in side] for side in sides)
        changes = SequenceMatcher(None, before, after, autojunk=False)
        differing: tuple[list[str], list[str]] = [], []
        for kind, *ends in changes.get_opcodes():
            if kind != "equal":
                differing[0].extend(sides[0][ends[0] : ends[1]])
                differing[1].extend(sides[1][ends[2] : ends[3]])
        one, other = (
            found if (found := self.gender_of(words)) != UNDETERMINED else self.gender_of(side)
            for words, side in zip(differing, sides, strict=True)
        )
        return one, other


@cache
def _detector() -> Any:
    from gender_guesser.detector import Detector

    return Detector()


def read_human_sentences(pairs: Path, person_nouns: Path, polarity_words: Path) -> pd.DataFrame:
    """Read both sentences of each gender pair of CrowS-Pairs with label, gender, and the pair's direction, by id."""
    frame = pd.read_csv(pairs, dtype=str, keep_default_na=False)
    if missing := [column for column in _COLUMNS if column not in frame.columns]:
        raise InputError(f"{pairs}: has no column {', '.join(missing)}; it should be the CSV file of CrowS-Pairs")
    words = GenderWords(person_nouns, polarity_words)
    rows = []
    for place, row in frame[frame["bias_type"] == "gender"].iterrows():
        if row["stereo_antistereo"] not in DIRECTIONS:
            raise InputError(
                f"{pairs}, pair {place}: stereo_antistereo {row['stereo_antistereo']!r} is neither "
                f"{' nor '.join(DIRECTIONS)}"
            )
        texts = row["sent_more"], row["sent_less"]
        genders = words.genders_of_pair(*texts)
        for label, gender, text in zip((CONSISTENT, CONTRADICTORY), genders, texts, strict=True):
            # The file's own numbers, padded to equal length so that they sort.
            pair = f"{place:04d}"
            rows.append([f"{pair}.{label}", pair, row["stereo_antistereo"], label, gender, text])
    if not rows:
        raise InputError(f"{pairs}: no pair has the bias_type gender")
    return pd.DataFrame(rows, columns=["id", "pair", "direction", "label", "gender", "text"])


def classify_human_text(
    pairs: Path,
    person_nouns: Path,
    polarity_words: Path,
    sentences: list[Path],
    predictions: Path,
    folds: Path,
    classifier: dict[str, Any],
    name: str,
    seed: int,
) -> None:
    """Classify the sentences of the pairs after training on `sentences` or, without any, in the folds of pairs.

    `sentences` are all sets of a generator, called `name`; see `classify_across` and `classify_within`.
    """
    asked = read_human_sentences(pairs, person_nouns, polarity_words)
    if sentences:
        classify_across(sentences, asked, predictions, folds, classifier, name, seed)
    else:
        classify_within(asked, predictions, folds, classifier, seed)
