"""Checks of a result for continuous integration: against an earlier result, and as a JUnit report."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from textparity.auditing.fail_conditions import SHARE, Failure
from textparity.auditing.reliability import EVEN, KIN_NOUNS_ONLY
from textparity.auditing.rendering import show_estimate
from textparity.auditing.signature import split_parts
from textparity.counting.statistics import Estimate, adjust_by_holm, normal_quantile
from textparity.errors import InputError
from textparity.files import printable, write_text

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult

_NAMES = ("corpus", "lang", "group", "second_group")
# What may differ between two signatures: the texts, not how they were counted.
_FREE = ("lang", "n")


@dataclass(frozen=True)
class Baseline:
    """An earlier result, as `--json` prints it: its path and its rows by name."""

    path: Path
    rows: Mapping[tuple[str, ...], Mapping[str, Any]]

    @classmethod
    def read(cls, path: Path) -> "Baseline":
        """Read the file. Raises `InputError` if it is not a result."""
        try:
            found = json.loads(path.read_text("utf-8"))
            rows = {_names_of(row): row for row in found["rows"]}
            for row in rows.values():
                _share_of(row), split_parts(row["signature"])
            return cls(path, rows)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read ({error.strerror}); write it with textparity audit --json"
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{path}: is not a result; write it with textparity audit --json") from None

    @property
    def title(self) -> str:
        """The name of the check."""
        return f"{SHARE} against {self.path}"

    def check(self, result: "AuditResult") -> tuple[list[Failure], list[str]]:
        """List the rows whose share is farther from half than before by more than chance, and those not compared.

        The test is one-sided, of two independent shares with the errors that their intervals imply. Holm's method
        adjusts it for the rows. Raises `InputError` if the two results were not counted in the same way.
        """
        level = result.settings.confidence_level
        tested, notes = [], []
        known = dict(self.rows)
        for item, row in zip(result.rows, result.table().rounded(), strict=True):
            before = known.pop(_names_of(row), None)
            if before is None:
                notes.append(f"{self.path}: has no row {item.title}; it was not compared")
                continue
            _check_alike(self.path, before["signature"], item.signature)
            shares = [_share_of(one) for one in (before, row)]
            errors = [(one.high - one.low) / 2 / normal_quantile(level) for one in shares]
            further = abs(shares[1].value - EVEN) - abs(shares[0].value - EVEN)
            if math.isnan(sum(errors)) or not sum(errors):
                notes.append(f"{self.path}: {item.title} has no interval in one of the results; it was not compared")
            else:
                tested.append((item, shares, 1 - NormalDist().cdf(further / math.hypot(*errors))))
        notes += [f"{self.path}: has a row {', '.join(filter(None, names))}, the result has none" for names in known]
        failures = [
            Failure(
                self.title, item.corpus, item.lang, item.group, item.second_group,
                f"{show_estimate(now, 1)} %, was {show_estimate(then, 1)} %; p = {p_value:.2g}",
            )
            for (item, (then, now), _), p_value in zip(tested, adjust_by_holm([one[2] for one in tested]), strict=True)
            if p_value <= 1 - level
        ]  # fmt: skip
        return failures, notes


def _names_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row.get(name) or "" for name in _NAMES)


def _share_of(row: Mapping[str, Any]) -> Estimate:
    if row["grade"] == KIN_NOUNS_ONLY:
        return Estimate(math.nan)
    ends = (math.nan if row[f"{SHARE}{end}"] is None else float(row[f"{SHARE}{end}"]) for end in ("", "_low", "_high"))
    return Estimate(*ends)


def _check_alike(path: Path, before: str, now: str) -> None:
    one, other = map(split_parts, (before, now))
    for name in one | other:
        if name not in _FREE and one.get(name) != other.get(name):
            raise InputError(
                f"{path}: was counted with {name} {one.get(name, 'none')}, this result with {other.get(name, 'none')}; "
                "count both alike, or write a new baseline with --json"
            )


def write_junit(result: "AuditResult", checks: Sequence[str], failures: Sequence[Failure], path: Path) -> None:
    """Write a JUnit report with one test case for each check and row."""
    suite = ElementTree.Element("testsuite", name="textparity", failures=str(len(failures)))
    failed = {(one.condition, one.corpus, one.lang, one.group, one.second_group): one for one in failures}
    for check in checks:
        for item in result.rows:
            case = ElementTree.SubElement(suite, "testcase", classname=printable(check), name=printable(item.title))
            if found := failed.get((check, item.corpus, item.lang, item.group, item.second_group)):
                ElementTree.SubElement(case, "failure", message=printable(found.values)).text = printable(str(found))
    suite.set("tests", str(len(suite)))
    ElementTree.indent(suite)
    write_text(path, ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n")
