"""The check of a result against an earlier one, for continuous integration."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing.checks import CheckedRow, Outcome
from textparity.auditing.fail_conditions import SHARE
from textparity.auditing.records import DIGEST
from textparity.auditing.reliability import EVEN, KIN_NOUNS_ONLY
from textparity.auditing.results import RowName
from textparity.auditing.showing.numbers import show_estimate, show_interval
from textparity.auditing.showing.tables import result_table
from textparity.auditing.signature import split_parts
from textparity.corpora.reading import read_metadata, read_schema
from textparity.errors import InputError
from textparity.estimating.distributions import normal_quantile
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.estimating.hypothesis_tests import adjust_by_holm, z_test, z_test_quantile
from textparity.files import number_of
from textparity.persons.mentions import IN_DOCUMENT, MENTIONS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit

_NAMES = ("corpus", "lang", "group", "second_group")
# The columns that a later result is compared with, beside the names of the row.
_COMPARED = ("grade", SHARE, f"{SHARE}_low", f"{SHARE}_high", "signature")
# What may differ between two signatures: the texts, not how they were counted.
_FREE = ("lang", "n")
# What a signature without this part means.
_UNSIGNED = {"count": MENTIONS, "names": IN_DOCUMENT}
_PARQUET = b"PAR1"
_ROWS = "rows"


@dataclass(frozen=True)
class ComparedTexts:
    """The texts with words of one row: how many the baseline has, how many the result has, and how many they share.

    `difference` is women's share in the result minus that in the baseline, in percentage points, and `p_value` that of
    its two-sided test. Both are undefined unless one of the two contains all texts of the other.
    """

    before: int
    now: int
    shared: int
    difference: Estimate = UNDEFINED
    p_value: float = math.nan

    @property
    def is_part(self) -> bool:
        """Whether one contains all texts of the other, for instance because a filter removed some."""
        return self.shared > 0 and self.shared == min(self.before, self.now)

    def __str__(self) -> str:
        shared = f"{self.shared:,}"
        before = f"{self.before:,}"
        new_texts = self.now - self.shared
        if self.before == self.shared == self.now:
            return f"the same {shared} texts"
        if not new_texts:
            return f"{shared} of the {before} texts"
        if self.shared == self.before:
            return f"the {before} texts and {new_texts:,} more"
        return f"{shared} of the {before} texts and {number_of(new_texts, 'other')}"


# Compares the texts of a row of the result with those of the baseline.
CompareTexts = Callable[["LanguageAudit"], ComparedTexts]


@dataclass(frozen=True)
class _Test:
    """A row with its test. `error` is the standard error in points by which it takes the shares to be independent."""

    item: "LanguageAudit"
    shares: tuple[Estimate, Estimate]
    values: str
    p_value: float
    error: float = math.nan


@dataclass(frozen=True)
class Baseline:
    """An earlier result: its path, its rows by name, and whether the file also has the digests of its texts."""

    path: Path
    rows: Mapping[RowName, Mapping[str, Any]]
    has_texts: bool = False

    @classmethod
    def read(cls, path: Path) -> "Baseline":
        """Read a result (JSON) or records (Parquet) of an audit. Raises `InputError` if it is neither."""
        try:
            with path.open("rb") as file:
                has_texts = file.read(len(_PARQUET)) == _PARQUET
            result = _read_records(path) if has_texts else json.loads(path.read_text("utf-8"))
            rows = {}
            for row in result[_ROWS]:
                # Both are read here so that a file without them is an error now.
                _share_of(row)
                split_parts(row["signature"])
                rows[_name_of(row)] = row
            return cls(path, rows, has_texts)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read ({error.strerror}); write it with textparity audit --write "
                "records=FILE or json=FILE"
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}: is not a result; write it with textparity audit --write json=FILE, or its "
                "texts with records=FILE"
            ) from None

    @property
    def title(self) -> str:
        """The name of the check."""
        return f"{SHARE} against {self.path}"

    def check(
        self, result: "AuditData", compare_texts: CompareTexts | None = None
    ) -> tuple[list[CheckedRow], list[str]]:
        """Check each row against the baseline, and list notes on the rows that only one of the two has.

        `compare_texts` compares the texts of a language with those of the baseline. If these are the same or a part, a
        row fails if women's share differs by more than chance. Any other row fails if its share is farther from half
        than before by more than chance, by a one-sided test of two independent shares with the errors that their
        intervals imply. Holm's method adjusts the p-values for the rows of the result. Raises `InputError` if the two
        results were not counted in the same way.
        """
        level = result.settings.estimating.confidence_level
        checked: list[CheckedRow] = []
        tests: list[_Test] = []
        notes: list[str] = []
        known = dict(self.rows)
        for item, row in zip(result.rows, result_table(result).rounded(), strict=True):
            before = known.pop(_name_of(row), None)
            if before is None:
                notes.append(f"{self.path}: has no row {item.row_name}; it was not compared")
                checked.append(self._checked(item, "the baseline has no such row", Outcome.NOT_COMPARED))
                continue
            _check_alike(self.path, before["signature"], item.signature)
            # Records have no groups.
            texts = compare_texts(item) if compare_texts and not item.group_name else None
            test = _test_row(item, (_share_of(before), _share_of(row)), texts, level)
            if math.isnan(test.p_value):
                reason = "too little text, or no share, in one of the results"
                notes.append(f"{self.path}: {item.row_name} has {reason}; it was not compared")
                checked.append(self._checked(item, reason, Outcome.NOT_COMPARED))
            else:
                tests.append(test)
        checked += self._decide(tests, level)
        if tests and not self.has_texts:
            notes.append(
                f"{self.path}: has no texts; a baseline of records shows smaller losses, if the texts are the same "
                "or a part of them"
            )
        langs = {item.lang for item in result.rows}
        for name, lost in known.items():
            checked.append(self._check_lost(name, lost, langs))
            notes.append(f"{self.path}: has a row {name}, the result has none")
        return checked, notes

    def _decide(self, tests: Sequence[_Test], level: float) -> Iterator[CheckedRow]:
        """Decide the tests of all rows together, with p-values adjusted by Holm."""
        adjusted = adjust_by_holm([test.p_value for test in tests])
        alpha = 1 - level
        quantile = z_test_quantile(level, len(tests))
        for test, p_value in zip(tests, adjusted, strict=True):
            values = f"{test.values}; p = {p_value:.2g}"
            outcome = Outcome.FAILED
            if not p_value <= alpha:
                outcome = Outcome.PASSED
                values += self._unseen(test, quantile)
            yield self._checked(test.item, values, outcome)

    def _check_lost(self, name: RowName, row: Mapping[str, Any], langs: Set[str]) -> CheckedRow:
        """Check a row that a result with the languages `langs` lacks. The loss of a whole language fails."""
        had_share = not math.isnan(_share_of(row).value)
        is_lost = had_share and name.lang not in langs
        outcome = Outcome.FAILED if is_lost else Outcome.NOT_COMPARED
        return CheckedRow(self.title, name, "the result has no such row", outcome)

    def _checked(self, item: "LanguageAudit", values: str, outcome: Outcome) -> CheckedRow:
        return CheckedRow(self.title, item.row_name, values, outcome)

    def _unseen(self, test: _Test, quantile: float) -> str:
        """Describe the largest loss of women's share that a test at this quantile lets pass. Empty for a part."""
        if math.isnan(test.error):
            return ""
        before = test.shares[0].value
        # If women are above half, their share may first fall to as far below it.
        loss = 2 * max(0.0, before - EVEN) + quantile * test.error
        if loss < before:
            return f"; a loss of less than {loss:.1f} points would pass"
        return "; even the loss of all women would pass"


def _test_row(
    item: "LanguageAudit", shares: tuple[Estimate, Estimate], texts: ComparedTexts | None, level: float
) -> _Test:
    """Test a row by the texts that it shares with the baseline, if one has a part of the other's."""
    if texts and texts.is_part:
        return _test_part(item, shares, texts)
    return _test_independent(item, shares, texts, level)


def _test_independent(
    item: "LanguageAudit", shares: tuple[Estimate, Estimate], texts: ComparedTexts | None, level: float
) -> _Test:
    """Test whether the share is farther from half than before, as if no text were in both."""
    before, now = shares
    errors = [(share.high - share.low) / 2 / normal_quantile(level) for share in shares]
    error = math.hypot(*errors)
    farther = abs(now.value - EVEN) - abs(before.value - EVEN)
    # Without any variation, or without an interval, there is no test.
    p_value = z_test(farther, error)
    values = _describe_shares(shares)
    if texts:
        values += f", in {texts}"
    return _Test(item, shares, values, p_value, error)


def _test_part(item: "LanguageAudit", shares: tuple[Estimate, Estimate], texts: ComparedTexts) -> _Test:
    """Take the test of texts of which one corpus has only a part."""
    interval = show_interval(texts.difference, 1)
    points = f"{texts.difference.value:+z.1f} points" + (f" ({interval})" if interval else "")
    return _Test(item, shares, f"{_describe_shares(shares)}, {points}, in {texts}", texts.p_value)


def make_baseline(result: "AuditData") -> dict[str, Any]:
    """Make the part of a result that a later one is checked against, for the metadata of its records."""
    rows = []
    for row in result_table(result).rounded():
        rows.append({name: row[name] for name in (*_NAMES, *_COMPARED) if name in row})
    return {_ROWS: rows}


def _read_records(path: Path) -> dict[str, Any]:
    """Read the rows of a result from the metadata of its records."""
    try:
        metadata = read_metadata(path)
        columns = read_schema(path).names
    except InputError as error:
        raise InputError(
            f"{path}: cannot be read as Parquet; write it again with textparity audit --write records=FILE"
        ) from error
    if DIGEST not in columns or _ROWS not in metadata:
        raise InputError(
            f"{path}: is Parquet without digests of texts; write it with textparity audit --write records=FILE "
            "of this version"
        )
    return metadata


def _describe_shares(shares: Sequence[Estimate]) -> str:
    before, now = shares
    return f"{show_estimate(now, 1)} %, was {show_estimate(before, 1)} %"


def _name_of(row: Mapping[str, Any]) -> RowName:
    return RowName(*(row.get(name) or "" for name in _NAMES))


def _share_of(row: Mapping[str, Any]) -> Estimate:
    if row["grade"] == KIN_NOUNS_ONLY:
        return Estimate(math.nan)
    numbers = []
    for column in UNDEFINED.columns(SHARE):
        value = row[column]
        numbers.append(math.nan if value is None else float(value))
    return Estimate(*numbers)


def _check_alike(path: Path, before: str, now: str) -> None:
    parts_before = split_parts(before)
    parts_now = split_parts(now)
    for name in parts_before | parts_now:
        value_before = parts_before.get(name, _UNSIGNED.get(name))
        value_now = parts_now.get(name, _UNSIGNED.get(name))
        if name not in _FREE and value_before != value_now:
            raise InputError(
                f"{path}: was counted with {name} {value_before or 'none'}, this result with {value_now or 'none'}; "
                "count both alike, or write a new baseline"
            )
