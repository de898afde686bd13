"""Measure what a language's word lists find in a text that also exists in English (`resources/lexicons/coverage.tsv`).

The text mentions the same persons in each language. The recall of men is computed over the lines in which the English
lists find a man: it is the share of these in which the language's lists find one, too. The recall of women is computed
likewise. If the lists see men as well as women, the two recalls are equal.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from textparity.counting.statistics import MINIMUM_UNITS, UNDEFINED, Interval
from textparity.counting.terms import GENDERS, LAYERS, Match
from textparity.tsv import read_tsv

TABLE = Path(__file__).parents[1] / "resources" / "lexicons" / "coverage.tsv"
PIVOT = "eng"
# All layers except inclusive forms, which have no gender.
GENDERED_LAYERS = LAYERS[:-1]
_SEED, _RESAMPLES, _LEVEL = 20231206, 2000, 0.95
_DECIMALS = 4


@dataclass(frozen=True)
class Coverage:
    """The matches in one parallel text in one language; a row of the table.

    `feminine_names` and similar fields are numbers of matches by gender and layer. English has a feminine match in
    `english_feminine` lines, and the language has one in `shared_feminine` of these; that share is the recall.
    `recall_ratio` is the recall of masculine lines divided by that of feminine lines. Intervals come from a bootstrap
    over documents, or over lines if the documents are unknown. There is no interval if there are fewer than
    `MINIMUM_UNITS`.
    """

    corpus: str
    lang: str
    lines: int
    documents: int
    feminine_nouns: int
    feminine_pronouns: int
    feminine_titles: int
    feminine_names: int
    masculine_nouns: int
    masculine_pronouns: int
    masculine_titles: int
    masculine_names: int
    english_feminine: int
    english_masculine: int
    shared_feminine: int
    shared_masculine: int
    recall_feminine: float
    recall_feminine_low: float
    recall_feminine_high: float
    recall_masculine: float
    recall_masculine_low: float
    recall_masculine_high: float
    recall_ratio: float
    recall_ratio_low: float
    recall_ratio_high: float

    def matches(self, layer: str) -> int:
        """The number of feminine and masculine matches of a layer."""
        return sum(getattr(self, f"{gender}_{layer}") for gender in GENDERS)

    @property
    def noun_share(self) -> float:
        """The share of nouns in all feminine and masculine matches, NaN without matches."""
        total = sum(map(self.matches, GENDERED_LAYERS))
        return self.matches("nouns") / total if total else math.nan


Matches = Mapping[int, Sequence[Match]]


def measure_coverage(corpus: str, lang: str, documents: Sequence[str], english: Matches, found: Matches) -> Coverage:
    """Compare the matches of a language with those of English, both by line number; `documents` has one id per line."""
    lines = len(documents)
    _, document_of = np.unique(np.array(documents), return_inverse=True)
    size = int(document_of.max()) + 1
    expected, shared = [], []
    for gender in GENDERS:
        wanted = _lines_with(english, gender, lines)
        both = wanted & _lines_with(found, gender, lines)
        expected.append(np.bincount(document_of, wanted, size))
        shared.append(np.bincount(document_of, both, size))
    generator = np.random.default_rng(_SEED)
    weights = generator.multinomial(size, np.full(size, 1 / size), size=_RESAMPLES)
    # The first row is the text itself, the others are its resamples.
    draws = np.vstack([np.ones(size, int), weights])
    with np.errstate(divide="ignore", invalid="ignore"):
        feminine, masculine = (draws @ part / (draws @ whole) for part, whole in zip(shared, expected, strict=True))
        ratio = masculine / feminine
    values: dict[str, Any] = {}
    for name, drawn in (("recall_feminine", feminine), ("recall_masculine", masculine), ("recall_ratio", ratio)):
        interval = _interval(drawn[1:]) if size >= MINIMUM_UNITS else UNDEFINED
        values |= {name: float(drawn[0]), f"{name}_low": interval.low, f"{name}_high": interval.high}
    values |= {f"{gender}_{layer}": _count(found, gender, layer) for gender in GENDERS for layer in GENDERED_LAYERS}
    for gender, whole, part in zip(GENDERS, expected, shared, strict=True):
        values |= {f"english_{gender}": int(whole.sum()), f"shared_{gender}": int(part.sum())}
    return Coverage(corpus=corpus, lang=lang, lines=lines, documents=size, **values)


def _is_of(match: Match, gender: str) -> bool:
    return match.classes == frozenset({gender})


def _lines_with(matches: Matches, gender: str, lines: int) -> np.ndarray:
    has = np.zeros(lines, bool)
    has[[line for line, of_line in matches.items() if any(_is_of(match, gender) for match in of_line)]] = True
    return has


def _count(matches: Matches, gender: str, layer: str) -> int:
    return sum(_is_of(match, gender) and match.layer == layer for of_line in matches.values() for match in of_line)


def _interval(drawn: np.ndarray) -> Interval:
    """Compute the percentile interval of resampled values. 0 / 0 is left out, and a positive number / 0 is infinite."""
    tail = 50 * (1 - _LEVEL)
    known = drawn[~np.isnan(drawn)]
    if not known.size:
        return Interval(math.nan, math.nan)
    # The ends are drawn values, because interpolation towards infinity is not possible.
    low = np.percentile(known, tail, method="lower")
    high = np.percentile(known, 100 - tail, method="higher")
    return Interval(float(low), float(high))


COLUMNS = tuple(field.name for field in fields(Coverage))


def coverage_cells(coverage: Coverage) -> list[str]:
    """Convert the coverage to a row of the table."""
    return [f"{value:.{_DECIMALS}f}" if isinstance(value, float) else str(value) for value in asdict(coverage).values()]


@cache
def load_coverage() -> tuple[Coverage, ...]:
    """Load the measurements made by `tools/measure_coverage.py`."""
    return read_coverage(TABLE)


def read_coverage(path: Path) -> tuple[Coverage, ...]:
    """Read a table of coverage."""
    kinds = get_type_hints(Coverage)
    return tuple(Coverage(**{name: kinds[name](cell) for name, cell in row.items()}) for row in read_tsv(path, COLUMNS))
