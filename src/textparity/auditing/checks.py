"""Checks of a result, which may fail a build: what they compared, and the messages about them."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from textparity.auditing.results import RowName

# The number of rows that the message about a passed check describes. Further ones are only counted.
_ROWS_SHOWN = 5


class Outcome(StrEnum):
    """The outcome of a check for one row of a result."""

    FAILED = "failed"
    PASSED = "passed"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True)
class CheckedRow:
    """The outcome of a check for a row of a result, and the values that were compared, or why none were.

    `condition` is the text of the condition, or the title of the check.
    """

    condition: str
    name: RowName
    values: str
    outcome: Outcome

    def __str__(self) -> str:
        name = self.name
        where = f"{name.corpus}, group {name.group_name}" if name.group else name.corpus
        if name.method:
            where += f", {name.method}"
        return f"{self.outcome}: {self.condition}; {name.lang}, {where}: {self.values}"

    def to_json(self) -> dict[str, str]:
        """Make the object that `--json` prints."""
        values = {"condition": self.condition, **asdict(self.name), "values": self.values}
        method = values.pop("method")
        return values | {"method": method} if method else values


@dataclass(frozen=True)
class Checks:
    """The checks of a result by their titles, the rows of each, and notes on what the checks name but no row has."""

    titles: tuple[str, ...] = ()
    rows: tuple[CheckedRow, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[CheckedRow, ...]:
        """The rows for which a check failed."""
        return tuple(row for row in self.rows if row.outcome == Outcome.FAILED)

    def messages(self) -> Iterator[str]:
        """Describe each failure, and what each check that passed has compared."""
        yield from map(str, self.failures)
        failed = {row.condition for row in self.failures}
        for title in dict.fromkeys(self.titles):
            if title not in failed:
                yield _describe_passed(title, [row for row in self.rows if row.condition == title])

    def to_json(self) -> dict[str, list[Any]]:
        """Make the lists for JSON: the rows by outcome, and the notes."""
        by_outcome: dict[Outcome, list[Any]] = {outcome: [] for outcome in Outcome}
        for row in self.rows:
            by_outcome[row.outcome].append(row.to_json())
        return {
            "failures": by_outcome[Outcome.FAILED],
            "passed": by_outcome[Outcome.PASSED],
            "not_compared": by_outcome[Outcome.NOT_COMPARED],
            "unmet": list(self.notes),
        }


def _describe_passed(title: str, rows: Iterable[CheckedRow]) -> str:
    """Describe what a check without a failure has compared."""
    compared = []
    others = 0
    for row in rows:
        if row.outcome == Outcome.PASSED:
            compared.append(f"{row.name}: {row.values}")
        else:
            others += 1
    if not compared:
        return f"careful: {title}: nothing was compared"
    shown = compared[:_ROWS_SHOWN]
    more = len(compared) - len(shown)
    if more:
        shown.append(f"{more:,} more passed")
    if others:
        shown.append(f"{others:,} not compared")
    return f"passed: {title}; {'; '.join(shown)}"
