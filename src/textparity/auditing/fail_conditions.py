"""Conditions on a result, such as `women_share < 30 and matches > 200`, for checks that may fail a build.

They name columns of the table of an audit or of a comparison, with one grammar. A condition holds if all of its
comparisons hold: for an estimate, over its whole interval. Without an interval, the comparison does not hold.
"""

import ast
import io
import math
import operator
import re
import tokenize
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing.checks import CheckedRow, Checks, Outcome
from textparity.auditing.languages import read_language
from textparity.auditing.reliability import KIN_NOUNS_ONLY
from textparity.auditing.results import RowName
from textparity.auditing.row_statistics import CORRECTED_SHARE, DIFFERENCE
from textparity.auditing.showing.numbers import show_estimate
from textparity.auditing.showing.tables import result_columns, result_table
from textparity.counting import CLASSES
from textparity.errors import ConfigError
from textparity.estimating.distributions import normal_quantile
from textparity.estimating.estimates import Estimate
from textparity.estimating.gaps import PUBLISHED_VERDICTS, VERDICTS
from textparity.estimating.intervals import wilson_interval
from textparity.files import printable

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData

MATCHES, SHARE, RATIO = "matches", "women_share", "masculine_per_feminine"
# Columns of comparisons: M : F divided by that of the reference, and how the corpora are related.
RATIO_TO_REFERENCE, DESIGN = "ratio", "design"
_TEXTS = ("corpus", "lang", "group", "second_group", "verdict", "verdict_unadjusted", DESIGN)
_NO_NUMBERS = {
    *_TEXTS, "engine", "method", "resampling_unit", "tokenizer", "stand_in", "grade", "error_measured_on",
    "verdict_reason", "warnings", "signature", f"{DIFFERENCE}_from",
}  # fmt: skip
# Columns whose interval is computed here because the result has no columns for its ends.
_OTHER_RATES = ("gap", "coverage_percent")
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_ALLOWED = (
    "names of columns, numbers, texts in quotation marks, < <= > >= == != and the word and, such as "
    f"{SHARE} < 30 and {MATCHES} > 200"
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
# Common spellings in other languages or in plain English, with the operator to use here.
_INSTEAD = (
    (r"[‘’“”„«»]", "straight quotation marks, ' or \""),
    (r"&&?", "and"),
    (r"(?i:\bor\b)|\|\|?", "each part as a separate --fail-if, since one that holds is enough to fail"),
    (r"(?i:\bnot\b)|!(?!=)", "the comparison the other way round, such as >= for < or != for =="),
    (r"(?i:\b(?:in|is)\b)", "== with one text, and a separate --fail-if for each other text"),
    (r"[()]", "comparisons without parentheses, joined by and"),
    (r"<>", "!="),
    (r"=>", ">="),
    (r"=<", "<="),
    (r"(?<![<>=!])=(?!=)", "=="),
    (r"\bAND\b", "and"),
    (r"%", "the number alone"),
    (r"(?<=\d),(?=\d)", "numbers without commas"),
)


@dataclass(frozen=True)
class Condition:
    """A condition. `names` are the columns in it, `texts` those compared with a text, and that text."""

    text: str
    comparisons: tuple[ast.Compare, ...]
    names: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ConditionColumns:
    """The columns that conditions may name.

    `values` has the texts that are possible in a column, if they are known. `why_no_groups` explains why there are no
    groups. `printed` has the columns that the readable table shows by another name. `lexicons` is the user's folder of
    lexicons, whose names of languages are known, too.
    """

    names: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]
    why_no_groups: str
    printed: Mapping[str, str]
    lexicons: Path | None = None


@dataclass(frozen=True)
class ConditionRow:
    """A row that conditions are checked on. `value` looks up a column: a text, a number, or an `Estimate`."""

    name: RowName
    value: Callable[[str], Any]


def audit_columns(
    procedure: str, group_fields: Sequence[str], lexicons: Path | None, is_checked: bool = False
) -> ConditionColumns:
    """List the columns of an audit that conditions may name. `lexicons` is the user's folder of them.

    `is_checked`: some of the texts were read, so that it has the corrected share.
    """
    columns = (*result_columns(procedure, group_fields, is_checked=is_checked), MATCHES)
    names = [name for name in columns if name in _TEXTS or name not in _NO_NUMBERS]
    # The published procedure leaves a verdict empty if it is undefined.
    verdicts = (*PUBLISHED_VERDICTS, "") if procedure == "published" else VERDICTS
    return ConditionColumns(
        names=tuple(names),
        values={"verdict": verdicts, "verdict_unadjusted": verdicts},
        why_no_groups="add --group-by FIELD",
        printed={"F": "feminine", "M": "masculine", "women": SHARE, "matched": "coverage_percent"},
        lexicons=lexicons,
    )


def columns_of(result: "AuditData") -> ConditionColumns:
    """List the columns of a result that conditions may name."""
    settings = result.settings
    return audit_columns(
        settings.counting.procedure,
        settings.reading.group_fields,
        settings.counting.lexicon_folder,
        is_checked=result.is_checked,
    )


def read_condition(text: str, columns: ConditionColumns) -> Condition:
    """Parse a condition on these columns. Raises `ConfigError` for anything else."""
    reader = _ConditionReader(columns, text.strip())
    try:
        tree = ast.parse(reader.source, mode="eval").body
        _check_tokens(text)
        comparisons = tuple(map(reader.check, _split_at_and(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConfigError(f"--fail-if {text!r}: {_explain(text, error)}") from None
    return Condition(text, comparisons, tuple(reader.names), tuple(reader.texts))


def _split_at_and(tree: ast.expr) -> list[ast.expr]:
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return tree.values
    return [tree]


def _check_tokens(text: str) -> None:
    """Raise `ValueError` for what the syntax tree does not contain: comments and parentheses."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    # Python ignores comments in silence, even if one hides half of the condition.
    if any(token.type == tokenize.COMMENT for token in tokens):
        raise ValueError("# starts a comment, which would be ignored; remove it")
    if any(token.string == "(" for token in tokens):
        raise ValueError("there are parentheses")


def _explain(text: str, error: Exception) -> str:
    """Explain what is wrong with a condition, and what to write."""
    if not text.strip():
        return f"is empty; write {_ALLOWED}"
    bare = _QUOTED.sub("''", text)
    for pattern, instead in _INSTEAD:
        match = re.search(pattern, bare)
        if match:
            return f"{match[0]} is not allowed here; write {instead}"
    if isinstance(error, ValueError):
        return str(error)
    rest = ""
    if isinstance(error, SyntaxError) and error.offset:
        rest = text.strip()[error.offset - 1 :]
    start = f" from {rest[:20]!r} on" if rest else ""
    return f"cannot be read{start}; a condition consists of {_ALLOWED}"


class _ConditionReader:
    """Parse a condition, and collect its columns and the texts compared with them. Raises `ValueError` if invalid."""

    def __init__(self, columns: ConditionColumns, source: str) -> None:
        self.columns, self.source = columns, source
        self.names: dict[str, None] = {}
        self.texts: dict[tuple[str, str], None] = {}

    def check(self, node: ast.expr) -> ast.Compare:
        if not isinstance(node, ast.Compare):
            raise ValueError(f"{ast.unparse(node)} is not a comparison; a condition consists of {_ALLOWED}")
        operands = [node.left, *node.comparators]
        for sign, (left, right) in zip(node.ops, pairwise(operands), strict=True):
            self._check_pair(sign, left, right)
        return node

    def _check_pair(self, sign: ast.cmpop, left: ast.expr, right: ast.expr) -> None:
        if type(sign) not in _COMPARED:
            raise ValueError("there is another operator")
        pair = (left, right)
        columns = [operand.id for operand in pair if isinstance(operand, ast.Name)]
        text_columns = [name for name in columns if name in _TEXTS]
        for operand in pair:
            self._check_operand(operand, text_columns)
        if not columns:
            raise ValueError(f"{ast.unparse(left)} and {ast.unparse(right)} are compared, neither of which is a column")
        texts = [operand for operand in pair if _is_text(operand)]
        if len(texts) == len(pair):
            self._check_texts(columns[0], sign, texts)
        elif text_columns:
            raise ValueError(f"{text_columns[0]} is a text; compare it with a text in quotation marks, by == or !=")
        elif texts:
            raise ValueError(f"{columns[0]} is a number; compare it with a number without quotation marks")
        else:
            _check_numbers(columns, pair)

    def _check_operand(self, operand: ast.expr, text_columns: Sequence[str]) -> None:
        """Check an operand of a comparison in which these columns are texts."""
        if isinstance(operand, ast.Name):
            self._check_column(operand.id, text_columns)
        elif _is_number(operand):
            if not _is_finite(operand):
                raise ValueError(f"{ast.unparse(operand)[:20]} is larger than any value of a column; change it")
        elif not (isinstance(operand, ast.Constant) and isinstance(operand.value, str)):
            raise ValueError(f"{ast.unparse(operand)} is neither a column, a number nor a text; there is no arithmetic")

    def _check_column(self, name: str, text_columns: Sequence[str]) -> None:
        if text_columns and name not in _TEXTS:
            raise ValueError(f"{text_columns[0]} is a text; write {name!r} in quotation marks")
        if name not in self.columns.names:
            raise ValueError(self._explain_unknown(name))
        self.names[name] = None

    def _explain_unknown(self, name: str) -> str:
        if name.endswith("group"):
            groups = f"{name.replace('_', ' ')}s"
            why = self.columns.why_no_groups
            more = ",FIELD" if name != "group" and "FIELD" in why else ""
            return f"there are no {groups}; {why}{more}"
        if name == CORRECTED_SHARE:
            return f"there is no {name}; add --checked FOLDER"
        printed = self.columns.printed.get(name)
        if printed:
            return f"{name} is not a column; did you mean {printed}?"
        return f"{name} is not a column; {_suggest(name, self.columns.names, 'columns are')}"

    def _check_texts(self, column: str, sign: ast.cmpop, operands: Sequence[ast.expr]) -> None:
        """Check a comparison of texts, and replace those that are known by another name."""
        if not isinstance(sign, ast.Eq | ast.NotEq):
            raise ValueError(f"{column} is a text; texts are compared by == and !=")
        for operand in operands:
            if isinstance(operand, ast.Constant):
                operand.value = self._check_text(column, self._read_text(operand))

    def _read_text(self, operand: ast.Constant) -> str:
        r"""Read a text as Python does, or as it stands between its quotation marks if names contain no such characters.

        A group that is shown as `a\x1bb` is thereby found by 'a\x1bb', as its name is copied.
        """
        value = str(operand.value)
        if printable(value) == value:
            return value
        quoted = ast.get_source_segment(self.source, operand) or ""
        return quoted[1:-1]

    def _check_text(self, column: str, value: str) -> str:
        """Check a text that a column is compared with, and convert the name of a language to its code."""
        known = self.columns.values.get(column)
        if known is not None:
            if value in known:
                return value
            kind = column.removesuffix("_unadjusted")
            raise ValueError(f"{value!r} is not a {kind}; {kind}s are {', '.join(filter(None, known))}")
        if column == "lang":
            try:
                value = read_language(value, self.columns.lexicons)
            except ConfigError as error:
                raise ValueError(str(error)) from None
        self.texts[column, value] = None
        return value


def _check_numbers(columns: Sequence[str], operands: Sequence[ast.expr]) -> None:
    """Check a comparison of numbers, at least one of which is a column."""
    if columns[0].startswith((SHARE, CORRECTED_SHARE)):
        for operand in operands:
            value = operand.value if isinstance(operand, ast.Constant) else None
            if isinstance(value, float) and 0 < value < 1:
                raise ValueError(f"{columns[0]} is in percent: {100 * value:g}?")
    if len(columns) == 2 and not all(map(_is_estimated, columns)):
        raise ValueError(
            f"{' and '.join(columns)} differ by chance; compare two rates, such as masculine_percent > "
            f"feminine_percent, or {RATIO} with a number"
        )


def _suggest(name: str, known: Sequence[str], are: str) -> str:
    nearest = get_close_matches(name, known, 1, cutoff=0.7)
    return f"did you mean {nearest[0]}?" if nearest else f"{are} {', '.join(known)}"


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_finite(number: ast.expr) -> bool:
    try:
        return math.isfinite(float(ast.literal_eval(number)))
    except OverflowError:
        return False


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _TEXTS
    return not _is_number(node)


def _is_estimated(name: str) -> bool:
    estimated = (*_OTHER_RATES, RATIO, SHARE, CORRECTED_SHARE, DIFFERENCE, RATIO_TO_REFERENCE)
    return name in estimated or name.endswith(("_percent", "_precision"))


def audit_rows(result: "AuditData") -> list[ConditionRow]:
    """List the rows of an audit for its conditions."""
    rows = []
    for item, columns in zip(result.rows, result_table(result).records(), strict=True):
        value = partial(_value_in_audit, columns, result)
        rows.append(ConditionRow(item.row_name, value))
    return rows


def check_rows(rows: Sequence[ConditionRow], conditions: Iterable[Condition]) -> list[CheckedRow]:
    """Check each condition on each row. A row for which a condition holds has failed."""
    checked = []
    for condition in conditions:
        checked += [_check_row(row, condition) for row in rows]
    return checked


def _check_row(row: ConditionRow, condition: Condition) -> CheckedRow:
    values = {name: row.value(name) for name in condition.names}
    shown = [f"{name} {_show(value)}" for name, value in values.items()]
    return CheckedRow(condition.text, row.name, ", ".join(shown), _outcome(condition, values))


def _outcome(condition: Condition, values: Mapping[str, Any]) -> Outcome:
    # An empty verdict is compared only if the condition asks for it.
    may_be_empty = {column for column, value in condition.texts if not value}
    for name, value in values.items():
        if name not in may_be_empty and _is_undefined(value):
            return Outcome.NOT_COMPARED
    if all(_holds(comparison, values) for comparison in condition.comparisons):
        return Outcome.FAILED
    return Outcome.PASSED


def check_conditions(texts: Sequence[str], columns: ConditionColumns, rows: Sequence[ConditionRow]) -> Checks:
    """Read conditions and check them on all rows. Raises `ConfigError` if one cannot be read."""
    conditions = [read_condition(text, columns) for text in texts]
    return Checks(tuple(texts), tuple(check_rows(rows, conditions)), tuple(find_unmet(rows, conditions)))


def find_unmet(rows: Sequence[ConditionRow], conditions: Iterable[Condition]) -> list[str]:
    """List the texts in conditions that no row has. They may be misspelt, and nothing was compared with them."""
    notes = []
    for condition in conditions:
        for column, value in condition.texts:
            known = list(dict.fromkeys(row.value(column) for row in rows))
            if value in known:
                continue
            shown = [text for text in known if text] or ["nothing"]
            hint = _suggest(value, shown, "rows have")
            notes.append(f"--fail-if {condition.text!r}: no row has {column} {value!r}; {hint}")
    return notes


def _holds(node: ast.Compare, values: Mapping[str, Any]) -> bool:
    operands = [_value_of(operand, values) for operand in (node.left, *node.comparators)]
    pairs = zip(node.ops, pairwise(operands), strict=True)
    return all(_compare(sign, left, right) for sign, (left, right) in pairs)


def _value_of(operand: ast.expr, values: Mapping[str, Any]) -> Any:
    if isinstance(operand, ast.Name):
        return values[operand.id]
    return ast.literal_eval(operand)


def _compare(sign: ast.cmpop, left: Any, right: Any) -> bool:
    """Compare two whole intervals. Without an interval, the comparison does not hold."""
    compare = _COMPARED[type(sign)]
    if isinstance(left, str):
        return compare(left, right)
    low, high = _ends(left)
    other_low, other_high = _ends(right)
    if any(map(math.isnan, (low, high, other_low, other_high))):
        return False
    if isinstance(sign, ast.Eq):
        return low == high == other_low == other_high
    if isinstance(sign, ast.NotEq):
        return high < other_low or other_high < low
    # If the comparison holds for the two ends that are nearest each other, it holds for all values between.
    return compare(low, other_high) and compare(high, other_low)


def _ends(value: Any) -> tuple[float, float]:
    """Find the ends of an interval. A number is both."""
    if isinstance(value, Estimate):
        return value.low, value.high
    return float(value), float(value)


def _is_undefined(value: Any) -> bool:
    """Check whether a value is missing: an empty text, an undefined number, or an estimate without an interval."""
    if isinstance(value, str):
        return not value
    if isinstance(value, Estimate):
        return math.isnan(value.low)
    return isinstance(value, float) and math.isnan(value)


def _show(value: Any) -> str:
    if isinstance(value, str):
        return value or "none"
    if isinstance(value, Estimate):
        return show_estimate(value, 3) + " (no interval)" * _is_undefined(value)
    return "undefined" if _is_undefined(value) else f"{value:,.6g}"


def read_value(row: Mapping[str, Any], name: str) -> Any:
    """Look up a column of a row: a text, a number, or an estimate with the interval in the columns beside it."""
    if not _is_estimated(name):
        return _value_or_nan(row, name)
    stem = name.removesuffix("_percent")
    return Estimate(_value_or_nan(row, name), _value_or_nan(row, f"{stem}_low"), _value_or_nan(row, f"{stem}_high"))


def _value_or_nan(row: Mapping[str, Any], name: str) -> Any:
    """Look up a column, with NaN for a gap."""
    return math.nan if row[name] is None else row[name]


def _value_in_audit(row: Mapping[str, Any], result: "AuditData", name: str) -> Any:
    """Look up a column of an audit. Some of its rates have no columns for their intervals, which are computed here."""
    if name == MATCHES:
        return sum(row[class_name] for class_name in CLASSES)
    if not _is_estimated(name):
        return read_value(row, name)
    settings = result.settings
    value = _value_or_nan(row, name)
    level = settings.estimating.confidence_level
    if name == "gap":
        return _gap_in_audit(row, settings.counting.procedure, level)
    if name == "coverage_percent":
        texts = row["texts"] - row["blank_texts"]
        interval = wilson_interval(row["matched_texts"], texts, level) * 100
        return replace(interval, value=value)
    if row["grade"] == KIN_NOUNS_ONLY and name in (SHARE, RATIO):
        # It is unknown which gender the method misses, so the share cannot support any comparison.
        return Estimate(value)
    estimate = read_value(row, name)
    is_zero_rate = name.endswith("_percent") and value == 0
    if is_zero_rate and math.isnan(estimate.low):
        return _zero_rate(row, settings.estimating.minimum_units, level)
    return estimate


def _gap_in_audit(row: Mapping[str, Any], procedure: str, level: float) -> Estimate:
    """Compute the interval of the gap by its standard error. If there is no error, there is no interval."""
    value = _value_or_nan(row, "gap")
    error = row["standard_error"]
    if procedure == "published":
        # The published procedure gives the standard error as a fraction.
        error *= 100
    if not error > 0:
        return Estimate(value)
    half = normal_quantile(level) * error
    return Estimate(value, max(0.0, value - half), value + half)


def _zero_rate(row: Mapping[str, Any], fewest_units: int, level: float) -> Estimate:
    """Estimate the rate of a class that no text has a match of: the upper end is the largest plausible rate."""
    units = row["units"]
    words = row["words"]
    if units < fewest_units or not words:
        return Estimate(0.0)
    largest_share = wilson_interval(0, units, level).high
    return Estimate(0.0, 0.0, 100 * largest_share * units / words)
