"""Draw a random sample of the texts of an audit, for a person to read.

Texts are drawn with replacement, each time with a chance in proportion to the women and men found in the text, plus one
(Hansen and Hurwitz 1943). A text in which more was found decides more, and says more about the method. The one gives
every text with words a chance. Every language is a stratum with its own draws, and so is every group, if texts are
grouped.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from textparity.auditing.audit_result import AuditResult
from textparity.auditing.copies import digest_text
from textparity.auditing.groups import choose_shown
from textparity.auditing.records import DIGEST
from textparity.auditing.signature import split_parts
from textparity.auditing.tallying import ALL
from textparity.checking.samples import MATCHES, TEXTS, Design, DrawnText, Found, Stratum, TextSample
from textparity.corpora.reading import ROW_GROUP_ROWS, iterate_batches, read_metadata, read_schema
from textparity.counting import GENDERS
from textparity.errors import ConfigError, InputError
from textparity.estimating.seeds import random_generator
from textparity.persons.mentions import MENTIONS
from textparity.reading.documents import FIELDS_END, Texts
from textparity.reading.options import LINE, PARAGRAPH

_COLUMNS = ["corpus", "lang", "group", "words", *GENDERS]


class StratumName(NamedTuple):
    """The names of a stratum, as those of a row of an audit."""

    corpus: str
    lang: str
    group: str


@dataclass(frozen=True)
class Drawing:
    """What is drawn: `number` texts, or single matches, of each stratum."""

    drawn: str
    number: int
    seed: int

    def sizes(self, batch: pa.RecordBatch) -> np.ndarray:
        """Compute what the chance of each text is in proportion to."""
        women, men = (batch[gender].to_numpy() for gender in GENDERS)
        found = women + men
        if self.drawn == MATCHES:
            return found
        return np.where(batch["words"].to_numpy() > 0, found + 1, 0)


@dataclass(frozen=True)
class CountedRecords:
    """What is known of counted texts besides their records: the signature of each language of each corpus, by names.

    `method` and `count` are those of the audit, `unit` is that of a text. `is_per_file`: each file is a corpus of its
    own. Of the groups, the `max_groups` largest are strata, and all others together.
    """

    signatures: Mapping[tuple[str, str], str]
    method: str
    count: str
    unit: str
    is_per_file: bool
    max_groups: int

    @classmethod
    def of_result(cls, result: AuditResult) -> "CountedRecords":
        """Describe the texts of a result."""
        signatures = {(item.corpus, item.lang): item.signature for item in result.languages}
        counting, showing = result.settings.counting, result.settings.showing
        return cls(signatures, counting.method, counting.count, result.unit, showing.per_file, showing.max_groups)

    @classmethod
    def of_records(cls, path: Path, unit: str, max_groups: int) -> "CountedRecords":
        """Describe the texts of records that an audit has written. Raises `InputError` if these are no such records."""
        rows = read_metadata(path).get("rows")
        missing = set(_COLUMNS) - set(read_schema(path).names)
        if not rows or missing:
            raise InputError(
                f"{path}: has no records of this version; write them with textparity audit --write records=FILE"
            )
        signatures = {}
        for row in rows:
            if not row.get("group"):
                signatures[row["corpus"], row["lang"]] = row["signature"]
        parts = split_parts(rows[0]["signature"])
        is_per_file = any(corpus != ALL for corpus, _ in signatures)
        return cls(signatures, parts["method"], parts.get("count", MENTIONS), unit, is_per_file, max_groups)


def draw_sample(
    records: Path, counted: CountedRecords, portions: Iterator[tuple[str, Texts]], drawing: Drawing, folder: Path
) -> TextSample:
    """Draw from the texts of records. Nothing is written to `folder`, where the sample belongs.

    `portions` are the same texts, with the name of their corpus in the records. Raises `InputError` if there is nothing
    to draw from.
    """
    strata = _Strata(counted, drawing)
    strata.measure(records)
    texts = list(_read_drawn(portions, strata.draw(records)))
    design = Design(
        drawn=drawing.drawn,
        seed=drawing.seed,
        method=counted.method,
        count=counted.count,
        unit=counted.unit,
        strata=tuple(strata.described()),
    )
    return TextSample(folder, design, tuple(texts))


def check_unit(unit: str, counted: str) -> None:
    """Raise `ConfigError` for lines if people are counted: they count once in a document, of which a line is a part."""
    if counted != MENTIONS and unit in (LINE, PARAGRAPH):
        raise ConfigError(
            f"people are counted once in a document, so a single {unit} cannot be checked; add --text-unit document or "
            "--documents FILE, or count mentions (--count mentions)"
        )


@dataclass
class _Measure:
    """The sums of a stratum."""

    texts: int = 0
    women: int = 0
    men: int = 0
    size: int = 0


class _Draw(NamedTuple):
    """The text of some draws of a stratum."""

    stratum: int
    draws: tuple[int, ...]
    chance: float
    record: Mapping[str, Any]


class _Strata:
    """The strata of counted texts, which are drawn in two passes over the records."""

    def __init__(self, counted: CountedRecords, drawing: Drawing) -> None:
        self._counted = counted
        self._drawing = drawing
        self._measures: dict[StratumName, _Measure] = {}
        self._shown: Mapping[str, str] = {}

    def measure(self, records: Path) -> None:
        """Add up the sizes of the texts. Raises `InputError` if there are none."""
        texts_by_group: Counter[str] = Counter()
        for batch in iterate_batches(records, ROW_GROUP_ROWS, ["group"]):
            groups = batch["group"].to_pylist()
            texts_by_group.update(filter(None, groups))
        if texts_by_group:
            self._shown = choose_shown(texts_by_group, self._counted.max_groups).names
        for rows_of, batch in self._batches(records, _COLUMNS):
            sizes = self._drawing.sizes(batch)
            women, men = (batch[gender].to_numpy() for gender in GENDERS)
            has_words = batch["words"].to_numpy() > 0
            for name, rows in rows_of.items():
                measure = self._measures.setdefault(name, _Measure())
                measure.texts += int(has_words[rows].sum())
                measure.women += int(women[rows].sum())
                measure.men += int(men[rows].sum())
                measure.size += int(sizes[rows].sum())
        self._measures = {name: measure for name, measure in self._measures.items() if measure.size}
        if not self._measures:
            raise InputError("there is nothing to draw from: no text has words of a language with a lexicon")

    def described(self) -> Iterator[Stratum]:
        """Describe each stratum."""
        for name, measure in self._measures.items():
            yield Stratum(
                *name,
                texts=measure.texts,
                women=measure.women,
                men=measure.men,
                draws=self._drawing.number,
                signature=self._counted.signatures[name.corpus, name.lang],
            )

    def draw(self, records: Path) -> list[_Draw]:
        """Draw texts, and list them in the order in which they are read: the first draws of all strata come first."""
        points = self._draw_points()
        passed = dict.fromkeys(self._measures, 0)
        draws = []
        for rows_of, batch in self._batches(records):
            sizes = self._drawing.sizes(batch)
            for name in rows_of.keys() & self._measures.keys():
                rows = rows_of[name]
                ends = passed[name] + np.cumsum(sizes[rows])
                for index, numbers in _find_texts(points[name], passed[name], ends).items():
                    row = rows[index]
                    record = batch.slice(row, 1).to_pylist()[0]
                    draws += self._draws_of(name, numbers, int(sizes[row]), record)
                passed[name] = int(ends[-1])
        return sorted(draws, key=lambda draw: (draw.draws[0], draw.stratum))

    def _draw_points(self) -> dict[StratumName, np.ndarray]:
        """Draw numbers below the size of each stratum, one for each draw. Each falls into one text."""
        points = {}
        for name, measure in self._measures.items():
            generator = random_generator(self._drawing.seed, "check", *name)
            points[name] = generator.integers(measure.size, size=self._drawing.number)
        return points

    def _draws_of(self, name: StratumName, numbers: list[int], size: int, record: Mapping[str, Any]) -> list[_Draw]:
        """Make the draws of a text. It is read once, but each single match of it by itself."""
        stratum = list(self._measures).index(name)
        chance = size / self._measures[name].size
        if self._drawing.drawn == TEXTS:
            return [_Draw(stratum, tuple(numbers), chance, record)]
        draws = []
        for number in numbers:
            with_match = self._with_one_match(name, number, record)
            draws.append(_Draw(stratum, (number,), chance, with_match))
        return draws

    def _with_one_match(self, name: StratumName, number: int, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Keep one random match of a woman or man."""
        matches = [match for match in record["matches"] if match["gender"] in GENDERS]
        generator = random_generator(self._drawing.seed, "check match", *name, str(number))
        return {**record, "matches": [matches[int(generator.integers(len(matches)))]]}

    def _batches(
        self, records: Path, columns: list[str] | None = None
    ) -> Iterator[tuple[dict[StratumName, list[int]], pa.RecordBatch]]:
        """Read the records in batches, with the rows of each stratum."""
        for batch in iterate_batches(records, ROW_GROUP_ROWS, columns):
            rows_of: dict[StratumName, list[int]] = {}
            corpora, langs, groups = (batch[name].to_pylist() for name in StratumName._fields)
            for row, corpus in enumerate(corpora):
                name = self._name(corpus, langs[row], groups[row])
                rows_of.setdefault(name, []).append(row)
            yield rows_of, batch

    def _name(self, corpus: str, lang: str, group: str | None) -> StratumName:
        shown_corpus = corpus if self._counted.is_per_file else ALL
        shown_group = self._shown.get(group or "", "")
        return StratumName(shown_corpus, lang, shown_group)


def _find_texts(points: np.ndarray, start: int, ends: np.ndarray) -> dict[int, list[int]]:
    """Find the texts into which points fall, and list the numbers of their draws, from 1.

    The texts follow each other from `start` on; `ends` has the end of each.
    """
    is_inside = (start <= points) & (points < ends[-1])
    draws = np.flatnonzero(is_inside)
    texts = np.searchsorted(ends, points[draws], side="right")
    found: dict[int, list[int]] = {}
    for index, draw in enumerate(draws.tolist()):
        text = int(texts[index])
        found.setdefault(text, []).append(draw + 1)
    return found


def _read_drawn(portions: Iterator[tuple[str, Texts]], draws: Sequence[_Draw]) -> Iterator[DrawnText]:
    """Find the texts that were drawn, which are not in the records."""
    wanted = {(draw.record["corpus"], draw.record["place"]): draw.record[DIGEST] for draw in draws}
    texts: dict[tuple[str, int], tuple[str, Callable[[str], int]]] = {}
    for name, portion in portions:
        for index, place in enumerate(portion.places):
            key = (name, place)
            text = portion.texts[index]
            # A list in one record is several texts at one place.
            if key in wanted and text is not None and digest_text(text) == wanted[key]:
                texts[key] = (text, _starts_of(portion, index))
    for number, draw in enumerate(draws, start=1):
        record = draw.record
        key = (record["corpus"], record["place"])
        if key not in texts:
            raise InputError(f"{key[0]}: the text at {key[1]} is another one than the one counted; count again")
        text, start_of = texts[key]
        yield DrawnText(
            number=number,
            stratum=draw.stratum,
            draws=draw.draws,
            chance=draw.chance,
            corpus=record["corpus"],
            place=record["place"],
            id=record["id"],
            lang=record["lang"],
            text=text,
            found=tuple(_found_in(record["matches"], text, start_of)),
        )


def _starts_of(texts: Texts, index: int) -> Callable[[str], int]:
    """Make a function that says where a field begins in a text of several fields; 0 without one."""
    starts = {}
    begin = 0
    for name, length in texts.labels[index].parts if texts.labels else ():
        starts[name] = begin
        begin += length + len(FIELDS_END)
    return lambda field: starts.get(field, 0)


def _found_in(matches: Sequence[Mapping[str, Any]], text: str, start_of: Callable[[str], int]) -> Iterator[Found]:
    """Put the matches of a text in order. Those of one person are one, with the longest of their words."""
    by_person: dict[object, Found] = {}
    for index, match in enumerate(matches):
        spans: tuple[tuple[int, int], ...] = ()
        words = match["form"]
        if match["start"] is not None:
            begin = start_of(match["field"] or "")
            start, end = begin + match["start"], begin + match["end"]
            spans = ((start, end),)
            words = " ".join(text[start:end].split())
        person = match["person"]
        key = ("match", index) if person is None else ("person", person)
        known = by_person.get(key)
        if known:
            longest = max(known.words, words, key=len)
            by_person[key] = replace(known, words=longest, spans=known.spans + spans)
        else:
            by_person[key] = Found(0, match["gender"], match["layer"], words, spans)
    ordered = sorted(by_person.values(), key=lambda found: found.spans[:1])
    for number, found in enumerate(ordered, start=1):
        yield replace(found, number=number)
