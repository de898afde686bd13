"""Conditions on a result, such as `masculine_per_feminine > 3 and matches > 200`, for checks that may fail a build.

Of what is estimated, the interval decides: a comparison holds if it does for the whole interval, does not hold if it
does for no part of it, and is open else, as it is where there is too little for an interval. What is open fails
nothing.
"""

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from textparity.auditing.rendering import show_interval, show_number
from textparity.auditing.results import Estimate, result_columns
from textparity.auditing.settings import AuditSettings
from textparity.errors import ConfigError
from textparity.measures.statistics import normal_quantile, wilson_interval
from textparity.measures.terms import CLASSES

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

MATCHES, RATIO = "matches", "masculine_per_feminine"
_TEXTS = ("corpus", "lang", "group", "verdict", "verdict_unadjusted")
_NO_NUMBERS = {
    *_TEXTS, "engine", "procedure", "method", "resampling_unit", "verdict_in_one_unit", "tokenizer", "stand_in",
    "calibrated_masculine_per_feminine_by", "warnings", "signature",
}  # fmt: skip
# What has an interval that is no column.
_OTHER_RATES = ("gap", "coverage_percent")
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_ALLOWED = "names of columns, numbers, < <= > >= == !=, and, or, not, and parentheses"


@dataclass(frozen=True)
class Condition:
    """A condition that was read by `read_condition`; `names` are those of the columns in it."""

    text: str
    tree: ast.expr
    names: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """A row of a result for which a condition holds, and the values that it holds for."""

    condition: str
    corpus: str
    lang: str
    values: str

    def __str__(self) -> str:
        return f"failed: {self.condition}; {self.lang}, {self.corpus}: {self.values}"


def read_condition(text: str, settings: AuditSettings) -> Condition:
    """Read a condition on the columns of a result by these settings; raise `ConfigError` for anything else."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        columns = [name for name in (*result_columns(settings), MATCHES) if name in _TEXTS or name not in _NO_NUMBERS]
        names: dict[str, None] = {}
        _check(tree, columns, names)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ConfigError(f"--fail-if {text!r}: {reason}; a condition is made of {_ALLOWED}") from None
    return Condition(text, tree, tuple(names))


def _check(node: ast.expr, columns: list[str], names: dict[str, None]) -> None:
    """Raise `ValueError` for what is no condition, and note the names in it."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            _check(value, columns, names)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check(node.operand, columns, names)
    elif isinstance(node, ast.Compare):
        _check_comparison(node, columns, names)
    else:
        raise ValueError(f"{ast.unparse(node)!r} is no comparison")


def _check_comparison(node: ast.Compare, columns: list[str], names: dict[str, None]) -> None:
    operands = [node.left, *node.comparators]
    for operand in operands:
        if isinstance(operand, ast.Name):
            if operand.id not in columns:
                near = get_close_matches(operand.id, columns, 1)
                hint = f", did you mean {near[0]}?" if near else ";"
                raise ValueError(f"{operand.id!r} is no column{hint} It has {', '.join(columns)}")
            names[operand.id] = None
        elif not _is_number(operand) and not (isinstance(operand, ast.Constant) and isinstance(operand.value, str)):
            raise ValueError(f"{ast.unparse(operand)!r} is neither a column nor a number")
    for one, sign, other in zip(operands, node.ops, operands[1:], strict=False):
        pair = [operand.id for operand in (one, other) if isinstance(operand, ast.Name)]
        kinds = [_is_text(operand) for operand in (one, other)]
        if type(sign) not in _COMPARED:
            raise ValueError(f"{ast.unparse(node)!r} has a comparison that is not known")
        if kinds[0] != kinds[1] or (kinds[0] and not isinstance(sign, ast.Eq | ast.NotEq)):
            raise ValueError(f"{ast.unparse(node)!r} compares what cannot be; texts are equal (==) or not (!=)")
        if not pair:
            raise ValueError(f"{ast.unparse(node)!r} has no column")
        if len(pair) == 2 and not kinds[0] and not all(map(_is_estimated, pair)):
            raise ValueError(f"{' and '.join(pair)} are compared by chance; compare rates, or {RATIO} with a number")


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_text(node: ast.expr) -> bool:
    return node.id in _TEXTS if isinstance(node, ast.Name) else not _is_number(node)


def _is_estimated(name: str) -> bool:
    return name in (*_OTHER_RATES, RATIO, f"calibrated_{RATIO}") or name.endswith(("_percent", "_precision"))


def check_result(result: "AuditResult", conditions: Iterable[Condition]) -> list[Failure]:
    """Return each row of the result for which a condition holds."""
    columns = result.table().records()
    failures = []
    for condition in conditions:
        for item, row in zip(result.rows, columns, strict=True):
            values = {name: _value(name, item, row, result.settings) for name in condition.names}
            if _holds(condition.tree, values):
                shown = ", ".join(f"{name} {_show(value)}" for name, value in values.items())
                where = f"{item.corpus}, {result.settings.group_by} {item.group}" if item.group else item.corpus
                failures.append(Failure(condition.text, where, item.lang, shown))
    return failures


def _holds(node: ast.expr, values: Mapping[str, Any]) -> bool | None:
    """Return whether a condition holds, None where that is open."""
    if isinstance(node, ast.BoolOp):
        found = [_holds(value, values) for value in node.values]
        decisive = isinstance(node.op, ast.Or)
        return decisive if decisive in found else None if None in found else not decisive
    if isinstance(node, ast.UnaryOp):
        holds = _holds(node.operand, values)
        return None if holds is None else not holds
    assert isinstance(node, ast.Compare)
    operands = [values[one.id] if isinstance(one, ast.Name) else ast.literal_eval(one)
                for one in (node.left, *node.comparators)]  # fmt: skip
    found = [_compare(sign, *pair) for sign, pair in zip(node.ops, pairwise(operands), strict=True)]
    return False if False in found else None if None in found else True


def _compare(sign: ast.cmpop, one: Any, other: Any) -> bool | None:
    compare = _COMPARED[type(sign)]
    if isinstance(one, str):
        return compare(one, other)
    (low, high), (least, most) = _ends(one), _ends(other)
    if any(map(math.isnan, (low, high, least, most))):
        return None
    if isinstance(sign, ast.Eq | ast.NotEq):
        apart = high < least or most < low
        same = low == high == least == most
        return isinstance(sign, ast.NotEq) if apart else isinstance(sign, ast.Eq) if same else None
    # At the corners, as all between lies between them.
    corners = {compare(low, most), compare(high, least), compare(low, least), compare(high, most)}
    return corners.pop() if len(corners) == 1 else None


def _ends(value: Any) -> tuple[float, float]:
    return (value.low, value.high) if isinstance(value, Estimate) else (float(value), float(value))


def _show(value: Any) -> str:
    if isinstance(value, Estimate):
        interval = show_interval(value, 3)
        return show_number(value.value, 3) + (f" ({interval})" if interval else "")
    return value if isinstance(value, str) else f"{value:,.6g}"


def _value(name: str, item: "LanguageAudit", row: Mapping[str, Any], settings: AuditSettings) -> Any:
    """Return a column of a row: a text, a number, or what is estimated with its interval."""
    if name == MATCHES:
        return sum(row[of] for of in CLASSES)
    value = math.nan if row[name] is None else row[name]
    if not _is_estimated(name):
        return value
    if name == "gap":
        return _gap(row, settings)
    if name == "coverage_percent":
        share = wilson_interval(row["matched_texts"], row["texts"] - row["blank_texts"], settings.confidence_level)
        return Estimate(value, 100 * share.low, 100 * share.high)
    stem = name.removesuffix("_percent")
    low, high = (row[f"{stem}{end}"] for end in ("_low", "_high"))
    found = Estimate(value, *(math.nan if end is None else end for end in (low, high)))
    if not math.isnan(found.low):
        return found
    if name == RATIO:
        return _rare_ratio(row, settings)
    return _rate_of_none(row, settings) if name.endswith("_percent") and value == 0 else found


def _gap(row: Mapping[str, Any], settings: AuditSettings) -> Estimate:
    # As published, the error is a fraction.
    error = row["standard_error"] * (100 if settings.procedure == "published" else 1)
    half = normal_quantile(settings.confidence_level) * error if error > 0 else math.nan
    return Estimate(row["gap"], max(0.0, row["gap"] - half) if half == half else half, row["gap"] + half)


def _rare_ratio(row: Mapping[str, Any], settings: AuditSettings) -> Estimate:
    """Return the ratio where one gender is so rare that resamples lack it, by the Wilson interval of its share.

    Its share is taken to be one of texts, so that words of one text are no more than one observation; without a clear
    difference, it stays open.
    """
    feminine, masculine, both = (row[name] for name in ("feminine", "masculine", "feminine_and_masculine"))
    units, matches = row["matched_units"], feminine + masculine - 2 * both
    ratio = masculine / feminine if feminine else math.inf if masculine else math.nan
    unclear = not row.get("p_value", math.nan) <= 1 - settings.confidence_level
    if unclear or units < settings.minimum_units or matches < settings.minimum_matches:
        return Estimate(ratio, math.nan, math.nan)
    share = feminine / (feminine + masculine)
    interval = wilson_interval(share * units, units, settings.confidence_level)
    low = (1 - interval.high) / interval.high
    return Estimate(ratio, low, (1 - interval.low) / interval.low if interval.low else math.inf)


def _rate_of_none(row: Mapping[str, Any], settings: AuditSettings) -> Estimate:
    """Return a rate of 0 with how large it may be where none of the texts has a match of the class."""
    units = row["units"]
    if units < settings.minimum_units or not row["words"]:
        return Estimate(0.0, math.nan, math.nan)
    return Estimate(0.0, 0.0, 100 * wilson_interval(0, units, settings.confidence_level).high * units / row["words"])
