"""Read words coded as feminine or masculine, and labelled sentences with them (Soundararajan 2023, §III).

The kind of a sentence combines the person's gender with the coding of its word (Tables III and IV).
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.counting.statistics import percentage
from textparity.errors import InputError, TableError
from textparity.tsv import read_tsv

CODINGS = ("feminine", "masculine")
STEMS, SCORES = "stems", "scores"
ADJECTIVE = "adjective"
_STEM_COLUMNS = ["stem", "coding", "example"]
_SCORE_COLUMNS = ["word", "part_of_speech", "score", "coding"]
LABELS = CONSISTENT, CONTRADICTORY = "consistent", "contradictory"
MASCULINE, FEMININE, UNDETERMINED = "masculine", "feminine", "undetermined"
SENTENCE_COLUMNS = ["id", "kind", "gender", "coding", "label", "word", "words", "text"]
# The columns of all sentences that a model writes, with the attempt and the faults.
ALL_COLUMNS = [*SENTENCE_COLUMNS, "attempt", "reasons"]
# Reasons in order of precedence: a sentence is rejected for the first that applies.
NO_ANSWER, NO_SENTENCE = "no answer", "no sentence"
CUT_OFF, NO_WORD, NO_PERSON = "cut off", "no word asked for", "no person"
OTHER_GENDER, BOTH_GENDERS, TOO_SHORT, COPY = "other gender", "both genders", "15 words or fewer", "copy"
REASONS = (NO_ANSWER, NO_SENTENCE, CUT_OFF, NO_WORD, NO_PERSON, OTHER_GENDER, BOTH_GENDERS, TOO_SHORT, COPY)


@dataclass(frozen=True)
class CodedLexicon:
    """Hold words by coding, as their list spells them: `aggress*` is the beginning of words, `kind` a whole word.

    `examples` has a whole word for some of the beginnings, such as `aggressive`.
    """

    words: dict[str, str]
    examples: dict[str, str] = field(default_factory=dict)

    def of(self, coding: str) -> list[str]:
        """Return the words of one coding, in the order of the list."""
        return [word for word, coded in self.words.items() if coded == coding]

    def example(self, word: str) -> str:
        """Give a whole word for a word of the list: its example, or the word itself."""
        return self.examples.get(word) or word.removesuffix("*")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (
            re.escape(word.removesuffix("*")) + (r"[\w-]*" if word.endswith("*") else "") for word in self._ordered
        )
        return re.compile("|".join(rf"(?<![\w-])({part})(?![\w-])" for part in parts), re.IGNORECASE)

    @cached_property
    def _ordered(self) -> list[str]:
        # Longest first: "dominant" is more specific than "domina*", and a whole word comes before its beginning
        # ("agree*").
        return sorted(self.words, key=lambda word: (-len(word.removesuffix("*")), word.endswith("*")))

    def find(self, text: str) -> list[tuple[str, str]]:
        """Find the words of the list in a text, with the matched words: `("aggress*", "aggressive")`."""
        return [(self._ordered[(found.lastindex or 0) - 1], found.group()) for found in self._pattern.finditer(text)]


def load_coded_lexicon(path: Path, form: str) -> CodedLexicon:
    """Read a lexicon in one of two forms; otherwise `TableError` names the file, the line and the fix.

    `stems`: a word, its coding and, for the beginning of words (`*`), an example or nothing. `scores`: see
    `select_scored`.
    """
    lexicon = _read_stems(path) if form == STEMS else CodedLexicon(select_scored(path))
    if missing := [coding for coding in CODINGS if coding not in lexicon.words.values()]:
        raise TableError(f"{path}: has no {' and no '.join(missing)} words; both codings are needed")
    return lexicon


def _read_stems(path: Path) -> CodedLexicon:
    words: dict[str, str] = {}
    examples: dict[str, str] = {}
    for line, row in enumerate(read_tsv(path, _STEM_COLUMNS), start=2):
        word, coding, example = row["stem"].strip(), row["coding"], row["example"].strip()
        where = f"{path}, line {line}"
        _check_coding(coding, where)
        _check_word(word, words, where)
        if example and not (word.endswith("*") and example.lower().startswith(word[:-1].lower())):
            raise TableError(f"{where}: {example!r} is no example of {word!r}; an example goes on where the stem ends")
        words[word] = coding
        if example:
            examples[word] = example
    return CodedLexicon(words, examples)


def select_scored(path: Path) -> dict[str, str]:
    """Select the words of a scored lexicon that the paper would keep, by coding (§III).

    Columns: `word`; `part_of_speech`, one or more separated by spaces; `score`, positive for masculine, or empty;
    `coding`, empty if the score decides it. The order is the paper's. First only adjectives are kept. Then those whose
    score is more than one (sample) standard deviation from the mean are kept. We read "the mean" as that of the
    adjectives, because the other words are gone by then. Adjectives without a score are kept, as the paper kept those
    of the word cloud, and need a coding.
    """
    codings: dict[str, str] = {}
    scores: dict[str, float] = {}
    for line, row in enumerate(read_tsv(path, _SCORE_COLUMNS), start=2):
        word, where = row["word"].strip(), f"{path}, line {line}"
        _check_word(word, codings, where)
        coding = row["coding"]
        if row["score"]:
            scores[word] = _score(row["score"], where)
            by_score = "masculine" if scores[word] > 0 else "feminine"
            if coding and coding != by_score:
                raise TableError(f"{where}: coding {coding!r}, but score {row['score']} is {by_score}; fix one of them")
            coding = by_score
        _check_coding(coding, where)
        codings[word] = coding
        if ADJECTIVE not in row["part_of_speech"].split():
            codings[word] = ""
            scores.pop(word, None)
    kept = pd.Series(scores, dtype=float)
    outside = kept.index[(kept - kept.mean()).abs() > kept.std()]
    return {word: coding for word, coding in codings.items() if coding and (word in outside or word not in scores)}


def _score(cell: str, where: str) -> float:
    score = pd.to_numeric(cell, errors="coerce")
    if not abs(score) > 0 or abs(score) == float("inf"):
        raise TableError(f"{where}: score {cell!r} is no number, or neither side of 0; fix it, or leave it empty")
    return float(score)


def _check_coding(coding: str, where: str) -> None:
    if coding not in CODINGS:
        raise TableError(f"{where}: coding {coding!r} is neither {' nor '.join(CODINGS)}")


def _check_word(word: str, words: dict[str, str], where: str) -> None:
    if not word.removesuffix("*") or "*" in word[:-1] or word in words:
        raise TableError(f"{where}: {word!r} is empty, has a * inside or is a duplicate; fix it, or take the line out")


@dataclass(frozen=True)
class Kind:
    """Describe a kind: `name` is the gender of the person and the coding of the word, as the paper's M and F."""

    name: str
    gender: str
    coding: str

    @property
    def label(self) -> str:
        """True if a sentence of this kind is consistent with gender stereotypes, false if it contradicts them."""
        return CONSISTENT if self.gender == self.coding else CONTRADICTORY


KINDS = {
    kind.name: kind
    for kind in (
        Kind("MM", "masculine", "masculine"),
        Kind("FF", "feminine", "feminine"),
        Kind("MF", "masculine", "feminine"),
        Kind("FM", "feminine", "masculine"),
    )
}


def read_generated(path: Path) -> pd.DataFrame:
    """Read the accepted sentences of a generator, sorted by id; `InputError` names the file and line of bad ones."""
    frame = _read(path, SENTENCE_COLUMNS)
    _check_generated(path, frame)
    for place, row in enumerate(frame.itertuples(), start=2):
        if row.word not in row.words.split():
            raise InputError(f"{path}, line {place}: word {row.word!r} is not among words {row.words!r}")
    return frame.sort_values("id", ignore_index=True)


def read_first_attempts(path: Path) -> pd.DataFrame:
    """Read a generator's first attempts, unchecked and labelled as requested, sorted by id.

    The paper classifies these. `word` is empty if several were requested and none is in the sentence.
    """
    frame = _read(path, ALL_COLUMNS)
    _check_generated(path, frame)
    return frame[frame["attempt"] == "1"].sort_values("id", ignore_index=True)


def _check_generated(path: Path, frame: pd.DataFrame) -> None:
    for place, row in enumerate(frame.itertuples(), start=2):
        kind = KINDS.get(row.kind)
        if kind is None or (kind.label, kind.gender) != (row.label, row.gender):
            raise InputError(
                f"{path}, line {place}: kind {row.kind!r} is not {row.label} and about a {row.gender} person"
            )


def _read(path: Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [column for column in columns if column not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it needs {', '.join(columns)}")
    for column, allowed in (("label", LABELS), ("gender", (MASCULINE, FEMININE))):
        wrong = frame[~frame[column].isin(allowed)]
        if len(wrong):
            raise InputError(
                f"{path}, line {wrong.index[0] + 2}: {column} {wrong[column].iloc[0]!r} is none of {', '.join(allowed)}"
            )
    if (twice := frame["id"].duplicated()).any():
        raise InputError(f"{path}, line {twice.idxmax() + 2}: id {frame['id'][twice.idxmax()]!r} is a duplicate")
    return frame


def count_kinds(sentences: pd.DataFrame) -> dict[str, float]:
    """Count the sentences of each kind and label, with their percentages, as in Table V."""
    counts = {kind: int((sentences["kind"] == kind).sum()) for kind in KINDS}
    row: dict[str, float] = {}
    for label in (CONSISTENT, CONTRADICTORY):
        kinds = [kind.name for kind in KINDS.values() if kind.label == label]
        total = sum(counts[kind] for kind in kinds)
        for kind in kinds:
            row |= {kind: counts[kind], f"{kind}_percent": percentage(counts[kind], total)}
        row |= {label: total, f"{label}_percent": percentage(total, len(sentences))}
    return row | {"sentences": len(sentences)}
