"""Read words coded as feminine or masculine, and labelled sentences with them (Soundararajan 2023, §III).

The kind of a sentence combines the person's gender with the coding of its word (Tables III and IV). The sentences come
from a language model, or from the paper's own sets (doi 10.21427/AYM7-SF29), if the user has them. We do not fetch
those, because we do not know their format in the repository. Each of them is a CSV file with the columns
`PUBLISHED_COLUMNS`, at the place given in `resources/stereotypes/published_sentences.tsv`.
"""

import logging
import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import pandas as pd

from textparity.errors import InputError, TableError
from textparity.estimating.estimates import percentage
from textparity.estimating.seeds import random_generator
from textparity.files import read_tsv
from textparity.tables import write_csv

log = logging.getLogger(__name__)

CODINGS = ("feminine", "masculine")
STEMS, SCORES = "stems", "scores"
ADJECTIVE = "adjective"
_STEM_COLUMNS = ["stem", "coding", "example"]
_SCORE_COLUMNS = ["word", "part_of_speech", "score", "coding"]
LABELS = CONSISTENT, CONTRADICTORY = "consistent", "contradictory"
GENDERS = MASCULINE, FEMININE, UNDETERMINED = "masculine", "feminine", "undetermined"
SENTENCE_COLUMNS = ["id", "kind", "gender", "coding", "label", "word", "words", "text"]
# The columns of all sentences that a model writes, with the attempt and the faults.
ALL_COLUMNS = [*SENTENCE_COLUMNS, "attempt", "reasons"]
# `kind` is that of Table V (MM, FF, MF, FM); `word` is the requested word of the lexicon.
PUBLISHED_COLUMNS = ["kind", "word", "text"]
_KEY = ["id", "set", "sentence", "kind", "label", "gender", "word", "text"]


class RejectReason(StrEnum):
    """Reasons to reject a sentence, in order of precedence: it is rejected for the first that applies."""

    NO_ANSWER = "no answer"
    NO_SENTENCE = "no sentence"
    CUT_OFF = "cut off"
    NO_WORD = "no word asked for"
    NO_PERSON = "no person"
    OTHER_GENDER = "other gender"
    BOTH_GENDERS = "both genders"
    TOO_SHORT = "15 words or fewer"
    COPY = "copy"


@dataclass(frozen=True)
class CodedLexicon:
    """Words by coding, as their list spells them: `aggress*` is the beginning of words, `kind` a whole word.

    `examples` has a whole word for some of the beginnings, such as `aggressive`.
    """

    words: dict[str, str]
    examples: dict[str, str] = field(default_factory=dict)

    def of(self, coding: str) -> list[str]:
        """List the words of one coding, in the order of the lexicon."""
        return [word for word, coded in self.words.items() if coded == coding]

    def example(self, word: str) -> str:
        """Complete a word of the lexicon: its example, or the word itself."""
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
    """A kind of sentence: `name` has the person's gender and the word's coding, as the paper's M and F."""

    name: str
    gender: str
    coding: str

    @property
    def label(self) -> str:
        """`consistent` with gender stereotypes or `contradictory`."""
        return CONSISTENT if self.gender == self.coding else CONTRADICTORY


_GENDER_OF = {"M": MASCULINE, "F": FEMININE}
KINDS = {
    person + word: Kind(person + word, _GENDER_OF[person], _GENDER_OF[word])
    for person, word in ("MM", "FF", "MF", "FM")
}


def read_generated(path: Path) -> pd.DataFrame:
    """Read the accepted sentences of a generator, sorted by id; `InputError` names the file and line of bad ones."""
    frame = _read(path, SENTENCE_COLUMNS)
    for line, row in enumerate(frame.itertuples(), start=2):
        if row.word not in row.words.split():
            raise InputError(f"{path}, line {line}: word {row.word!r} is not among words {row.words!r}")
    return frame.sort_values("id", ignore_index=True)


def read_first_attempts(path: Path) -> pd.DataFrame:
    """Read a generator's first attempts, unchecked and labelled as requested, sorted by id.

    The paper classifies these. `word` is empty if several were requested and none is in the sentence.
    """
    frame = _read(path, ALL_COLUMNS)
    return frame[frame["attempt"] == "1"].sort_values("id", ignore_index=True)


def _read(path: Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [column for column in columns if column not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it needs {', '.join(columns)}")
    for column, allowed in (("label", LABELS), ("gender", (MASCULINE, FEMININE))):
        wrong = frame[~frame[column].isin(allowed)]
        if len(wrong):
            place = f"{path}, line {wrong.index[0] + 2}"
            raise InputError(f"{place}: {column} {wrong[column].iloc[0]!r} is not one of {', '.join(allowed)}")
    if (duplicate := frame["id"].duplicated()).any():
        line = duplicate.idxmax()
        raise InputError(f"{path}, line {line + 2}: id {frame['id'][line]!r} is a duplicate")
    for line, row in enumerate(frame.itertuples(), start=2):
        kind = KINDS.get(row.kind)
        if kind is None or (kind.label, kind.gender) != (row.label, row.gender):
            raise InputError(
                f"{path}, line {line}: kind {row.kind!r} is not {row.label} and about a {row.gender} person"
            )
    return frame


def read_published_sentences(source: Path, sentences: Path, all_sentences: Path, name: str) -> None:
    """Write a published set as sentences of a generator, all from a first attempt; ids begin with `name`.

    Raises `InputError` with the file, and the line of an invalid cell.
    """
    frame = pd.read_csv(source, dtype=str, keep_default_na=False)
    if missing := [column for column in PUBLISHED_COLUMNS if column not in frame.columns]:
        raise InputError(
            f"{source}: has no column {', '.join(missing)}; it has {', '.join(frame.columns)}. Name its columns "
            f"{', '.join(PUBLISHED_COLUMNS)}: the kind is one of {', '.join(KINDS)}"
        )
    for line, row in enumerate(frame.itertuples(), start=2):
        if row.kind not in KINDS:
            raise InputError(f"{source}, line {line}: kind {row.kind!r} is not one of {', '.join(KINDS)}")
        if len(row.word.split()) != 1 or not row.text.strip():
            raise InputError(f"{source}, line {line}: a word without spaces and a text are needed")
    kinds = frame["kind"].map(KINDS)
    frame = frame.assign(
        id=[f"{name}/{number:05d}" for number in range(1, len(frame) + 1)],
        gender=[kind.gender for kind in kinds],
        coding=[kind.coding for kind in kinds],
        label=[kind.label for kind in kinds],
        words=frame["word"],
        attempt="1",
        reasons="",
    )
    write_csv(frame[SENTENCE_COLUMNS], sentences)
    write_csv(frame[ALL_COLUMNS], all_sentences)


def export_sample(sentences: list[Path], sample: Path, key: Path, name: str, size: int, seed: int) -> None:
    """Draw sentences for annotators with labels balanced and, within a label, kinds balanced as far as possible.

    `sample` has the columns id, text and an empty label. Nothing in it reveals our labels, which are in `key`. A text
    that occurs in several sets is drawn at most once.
    """
    frames = [read_generated(path).assign(set=str(number)) for number, path in enumerate(sentences, start=1)]
    pool = pd.concat(frames, ignore_index=True).rename(columns={"id": "sentence"}).drop_duplicates("text")
    # The generator's own ids may reveal the kind.
    pool.insert(0, "id", [blake2b(text.encode(), digest_size=5).hexdigest() for text in pool["text"]])
    generator = random_generator(seed, "sample for annotators", name)
    pool = pool.iloc[generator.permutation(len(pool))]
    quotas = _quotas(pool["kind"].value_counts().to_dict(), size)
    drawn = pd.concat([pool[pool["kind"] == kind].head(count) for kind, count in quotas.items()])
    if len(drawn) < size:
        log.warning("%s: %d sentences can be drawn, not %d, with as many of each label", name, len(drawn), size)
    # Shuffle again, so that the order reveals nothing.
    drawn = drawn.iloc[generator.permutation(len(drawn))]
    write_csv(drawn[["id", "text"]].assign(label=""), sample)
    write_csv(drawn[_KEY], key)


def _quotas(available: dict[str, int], size: int) -> dict[str, int]:
    """Compute the number to draw of each kind: labels balanced, and kinds within a label as far as there are enough."""
    kinds = {label: [kind for kind, its in KINDS.items() if its.label == label] for label in LABELS}
    of_label = min([size // 2, *(sum(available.get(kind, 0) for kind in these) for these in kinds.values())])
    quotas: dict[str, int] = {}
    for label, (first, second) in kinds.items():
        # The odd sentence is about men for one label, and about women for the other.
        half = of_label - of_label // 2 if label == CONSISTENT else of_label // 2
        count = min(half, available.get(first, 0))
        other = min(of_label - count, available.get(second, 0))
        quotas |= {first: min(of_label - other, available.get(first, 0)), second: other}
    return quotas


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
