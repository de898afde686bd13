"""Lexicons of words coded as feminine or masculine, and finding them in a sentence (Soundararajan 2023, §III)."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.errors import TableError
from textparity.report.tables import write_csv, write_latex
from textparity.tsv import read_tsv

CODINGS = ("feminine", "masculine")
STEMS, SCORES = "stems", "scores"
ADJECTIVE = "adjective"
_STEM_COLUMNS = ["stem", "coding", "example"]
_SCORE_COLUMNS = ["word", "part_of_speech", "score", "coding"]


@dataclass(frozen=True)
class CodedLexicon:
    """Words by coding, as their list spells them: `aggress*` is the beginning of words, `kind` a whole word.

    `examples` has a whole word for some of the beginnings: `aggressive`.
    """

    words: dict[str, str]
    examples: dict[str, str] = field(default_factory=dict)

    def of(self, coding: str) -> list[str]:
        """Return the words of one coding, in the order of the list."""
        return [word for word, coded in self.words.items() if coded == coding]

    def example(self, word: str) -> str:
        """Return a whole word for a word of the list: its example, or the word itself."""
        return self.examples.get(word) or word.removesuffix("*")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (
            re.escape(word.removesuffix("*")) + (r"[\w-]*" if word.endswith("*") else "") for word in self._ordered
        )
        return re.compile("|".join(rf"(?<![\w-])({part})(?![\w-])" for part in parts), re.IGNORECASE)

    @cached_property
    def _ordered(self) -> list[str]:
        # Longest first: of "dominant" and "domina*", the one that says more counts; of "agree" and "agree*", the word.
        return sorted(self.words, key=lambda word: (-len(word.removesuffix("*")), word.endswith("*")))

    def find(self, text: str) -> list[tuple[str, str]]:
        """Return the words of the list in a text, with what stands there: `("aggress*", "aggressive")`."""
        return [(self._ordered[(found.lastindex or 0) - 1], found.group()) for found in self._pattern.finditer(text)]


def load_coded_lexicon(path: Path, form: str) -> CodedLexicon:
    """Read a lexicon in one of two forms; `TableError` naming the file, the line and the fix for anything else.

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
    """Return the words that the paper would keep of a scored lexicon, by coding (§III).

    Columns: `word`; `part_of_speech`, one or more separated by spaces; `score`, positive for masculine, or empty;
    `coding`, empty where the score says it. The order is the paper's: first only adjectives stay, then those of them
    whose score is more than one (sample) standard deviation from the mean score. "The mean" is read as that of the
    adjectives, since the others are gone by then. Adjectives without a score are kept, as the paper kept those of
    the word cloud, and need a coding.
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


def measure_coded_lexicons(
    lexicons: list[Path], coded_lexicons_csv: Path, coded_lexicons_latex: Path, names: list[str], forms: list[str]
) -> None:
    """Count the words of each lexicon by coding (Table I)."""
    rows = []
    for path, name, form in zip(lexicons, names, forms, strict=True):
        lexicon = load_coded_lexicon(path, form)
        counts = {coding: len(lexicon.of(coding)) for coding in CODINGS}
        total = sum(counts.values())
        rows.append(
            {"lexicon": name}
            | counts
            | {"words": total}
            | {f"{coding}_percent": 100 * count / total for coding, count in counts.items()}
        )
    frame = pd.DataFrame(rows)
    write_csv(frame, coded_lexicons_csv)
    write_latex(
        frame,
        coded_lexicons_latex,
        caption="Words of the coded lexicons.",
        label="tab:coded-lexicons",
        formats={f"{coding}_percent": "{:.2f}" for coding in CODINGS},
    )
