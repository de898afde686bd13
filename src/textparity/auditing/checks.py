"""Checks of a result, which may fail a build: what they compared, and the messages about them."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from textparity.auditing.groups import join_group

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

    `condition` is the text of the condition, or the title of the check, and `title` names the row. `method` is empty if
    the result has only one.
    """

    condition: str
    corpus: str
    lang: str
    group: str
    second_group: str
    title: str
    values: str
    outcome: Outcome
    method: str = ""

    def __str__(self) -> str:
        group = join_group(self.group, self.second_group)
        where = f"{self.corpus}, group {group}" if group else self.corpus
        where += f", {self.method}" if self.method else ""
        return f"{self.outcome}: {self.condition}; {self.lang}, {where}: {self.values}"


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
        """Make the lists that `--json` prints: the rows by outcome, and the notes."""
        lists: dict[str, list[Any]] = {"failures": [], "passed": [], "not_compared": []}
        names = {Outcome.FAILED: "failures", Outcome.PASSED: "passed", Outcome.NOT_COMPARED: "not_compared"}
        for row in self.rows:
            values = asdict(row)
            del values["title"], values["outcome"]
            if not row.method:
                del values["method"]
            lists[names[row.outcome]].append(values)
        return lists | {"unmet": list(self.notes)}


def _describe_passed(title: str, rows: Iterable[CheckedRow]) -> str:
    """Describe what a check without a failure has compared."""
    compared = []
    others = 0
    for row in rows:
        if row.outcome == Outcome.PASSED:
            compared.append(f"{row.title}: {row.values}")
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
