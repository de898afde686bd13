"""Lexicons of words coded as feminine or masculine, and finding them in a sentence (Soundararajan 2023, §III)."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.errors import TableError
from textparity.registry import read_tsv
from textparity.tables import write_csv, write_latex

CODINGS = ("feminine", "masculine")
STEMS, SCORES = "stems", "scores"


@dataclass(frozen=True)
class CodedLexicon:
    """Words by coding, as their list spells them: `aggress*` is the beginning of words, `kind` a whole word."""

    words: dict[str, str]

    def of(self, coding: str) -> list[str]:
        """Return the words of one coding, in the order of the list."""
        return [word for word, coded in self.words.items() if coded == coding]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # Longest first: of "dominant" and "domina*", the one that says more counts.
        ordered = sorted(self.words, key=lambda word: (-len(word.rstrip("*")), word))
        parts = [re.escape(word.removesuffix("*")) + (r"[\w-]*" if word.endswith("*") else "") for word in ordered]
        return re.compile("|".join(rf"(?<![\w-])(?:{part})(?![\w-])" for part in parts), re.IGNORECASE)

    def find(self, text: str) -> list[tuple[str, str]]:
        """Return the words of the list in a text, with what stands there: `("aggress*", "aggressive")`."""
        return [(self._entry(found.group()), found.group()) for found in self._pattern.finditer(text)]

    def _entry(self, word: str) -> str:
        lower = word.lower()
        fitting = [
            entry
            for entry in self.words
            if (lower.startswith(entry[:-1].lower()) if entry.endswith("*") else lower == entry.lower())
        ]
        return max(fitting, key=lambda entry: (len(entry.rstrip("*")), not entry.endswith("*")))


def load_coded_lexicon(path: Path, form: str) -> CodedLexicon:
    """Read a lexicon in one of two forms; `TableError` naming the file, the line and the mend for anything else.

    `stems`: a word and its coding. `scores`: `word, part_of_speech, score`, of which adjectives outside one standard
    deviation of the mean score are kept, above as masculine, below as feminine (§III; scores there reach from -20,
    feminine, to +20, masculine).
    """
    words = _read_stems(path) if form == STEMS else _select_scored(path)
    if missing := [coding for coding in CODINGS if coding not in words.values()]:
        raise TableError(f"{path}: has no {' and no '.join(missing)} words; both codings are needed")
    return CodedLexicon(words)


def _read_stems(path: Path) -> dict[str, str]:
    words: dict[str, str] = {}
    for line, row in enumerate(read_tsv(path, ["stem", "coding"]), start=2):
        word, coding = row["stem"].strip(), row["coding"]
        if coding not in CODINGS:
            raise TableError(f"{path}, line {line}: coding {coding!r} is neither {' nor '.join(CODINGS)}")
        if not word.rstrip("*") or word in words:
            raise TableError(f"{path}, line {line}: {word!r} is empty or stands twice; take the line out")
        words[word] = coding
    return words


def _select_scored(path: Path) -> dict[str, str]:
    rows = pd.DataFrame(read_tsv(path, ["word", "part_of_speech", "score"]))
    scores = pd.to_numeric(rows["score"], errors="coerce")
    if scores.isna().any():
        line = int(scores.isna().to_numpy().nonzero()[0][0])
        raise TableError(f"{path}, line {line + 2}: score {rows['score'].iloc[line]!r} is not a number")
    adjectives = rows.assign(score=scores)[rows["part_of_speech"] == "adjective"]
    mean, deviation = adjectives["score"].mean(), adjectives["score"].std()
    outside = adjectives[(adjectives["score"] - mean).abs() > deviation]
    return {row.word: "masculine" if row.score > mean else "feminine" for row in outside.itertuples()}


def measure_coded_lexicons(
    lexicons: list[Path], table_csv: Path, table_latex: Path, names: list[str], forms: list[str]
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
    write_csv(frame, table_csv)
    write_latex(
        frame,
        table_latex,
        caption="Words of the coded lexicons.",
        label="tab:coded-lexicons",
        formats={f"{coding}_percent": "{:.2f}" for coding in CODINGS},
    )
