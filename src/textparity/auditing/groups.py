"""Groups of texts by one or two fields of their records: their names, their periods, and which of them are shown.

The group of a text is the values of its fields, joined by `SEPARATOR`, which no value contains.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from textparity.auditing.formats import check_once
from textparity.auditing.settings import OF_DOMAIN, split_names
from textparity.errors import InputError
from textparity.files import writable

SEPARATOR = "\t"
NO_GROUP, OTHER_GROUPS, NO_DATE = "(none)", "(other)", "(no date)"
# In this order after all other groups.
_LAST = ["", OTHER_GROUPS, NO_DATE, NO_GROUP]
# A value that equals one of these names, or looks like it in quotes, gets quotes. This keeps the two groups apart.
_OUR_NAME = re.compile(rf'"*({"|".join(map(re.escape, (NO_GROUP, OTHER_GROUPS, NO_DATE)))})"*')
# If at least this share of the texts that have a value have a date, the field is a time series. Other values are
# mistakes.
_MOST_DATED = 0.9
# pandas writes years as 2019.0 if some are missing.
_YEAR = re.compile(r"([12]\d{3})(?:\.0)?")
_DATE = re.compile(r"([12]\d{3}-(?:0[1-9]|1[0-2]))(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:?\d\d.*)?)?")
# Some write the month first, so a value alone does not tell.
_DAY_FIRST = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\. ?(0?[1-9]|1[0-2])\. ?([12]\d{3})(?:,? \d\d?:\d\d.*)?")
_LIKE_DATE = re.compile(r"\d{1,4}([/. -])\d{1,2}\1\d{1,4}\b.*|\d{1,2}\.? \w{3,12} \d{4}|\w{3,12} \d{1,2}, \d{4}")


def group_of(record: Any, fields: Iterable[str], where: str) -> str:
    """Find the group of a record: the values of fields, or of nested fields, each named by `value_name`.

    Raises `InputError` if a value is a list or a record.
    """
    names = []
    for field in fields:
        value, rest = find_value(record, field, where)
        if isinstance(value, dict | list | bytes) or (rest and value is not None):
            raise InputError(
                f"{where}: field {field} is {type(value).__name__}, not a single value; group by another field"
            )
        names.append(value_name(value))
    return SEPARATOR.join(names)


def find_value(record: Any, field: str, where: str) -> tuple[Any, str]:
    """Find the value of a field of a record (None if there is none), and the rest of the field's name within it.

    Raises `InputError` if the record has the field more than once.
    """
    value, rest = record, field
    while rest and isinstance(value, dict):
        # A name may contain dots.
        name, rest = (rest, "") if rest in value else rest.partition(".")[::2]
        check_once(value, name, where)
        value = value.get(name)
    return value, rest


# Without `typed`, the cache would take the number 1 for true.
@lru_cache(maxsize=4096, typed=True)
def value_name(value: Any) -> str:
    """Name the group of a value: a date by its month, a missing value `(none)`, and the value "(none)" `"(none)"`."""
    if isinstance(value, date):
        value = value.isoformat()
    # NaN does not equal itself.
    name = writable(" ".join(str(value).split())) if value is not None and value == value else ""
    if found := _YEAR.fullmatch(name) or _DATE.fullmatch(name):
        return found[1]
    return f'"{name}"' if _OUR_NAME.fullmatch(name) else name or NO_GROUP


@lru_cache(maxsize=4096)
def read_group(group: str, group_by: str, date_format: str) -> str:
    """Replace the values of a group: URLs by domains where `group_by` says so, and dates of `date_format` by months."""
    names = []
    for name, field in zip(group.split(SEPARATOR), split_names(group_by), strict=True):
        with suppress(ValueError):
            if field.endswith(OF_DOMAIN):
                name = (urlsplit(name).hostname or name).removeprefix("www.")
            elif date_format:
                name = f"{datetime.strptime(name, date_format):%Y-%m}"
        names.append(name)
    return SEPARATOR.join(names)


@dataclass(frozen=True)
class ShownGroups:
    """The name under which each group is shown, and these names in order.

    `together` is the number of groups merged into one. `in_time` is true if the last field has years or months, and
    `unread` has a value that looks like a date, by field.
    """

    names: Mapping[str, str]
    order: Sequence[str]
    together: int
    in_time: bool
    unread: Sequence[str]


def choose_shown(texts: Counter[str], most: int) -> ShownGroups:
    """Choose the groups to be shown, from the number of texts of each: the `most` largest, and all others as one.

    Years and months are sorted by time, other values by size.
    """
    counts = [Counter[str]() for _ in next(iter(texts), "").split(SEPARATOR)]
    for group, number in texts.items():
        for of_field, value in zip(counts, group.split(SEPARATOR), strict=True):
            of_field[value] += number
    periods = [_read_periods(of_field) for of_field in counts]
    shown_as = {
        group: tuple(shown[value] for (shown, _), value in zip(periods, group.split(SEPARATOR), strict=True))
        for group in texts
    }
    sizes, totals = Counter[tuple[str, ...]](), [Counter[str]() for _ in counts]
    for group, names in shown_as.items():
        sizes[names] += texts[group]
        for of_field, name in zip(totals, names, strict=True):
            of_field[name] += texts[group]
    ranked = sorted((names for names in sizes if not {*names} <= {*_LAST}), key=lambda names: (-sizes[names], names))
    other = (OTHER_GROUPS, *[""] * (len(counts) - 1))
    merged = dict.fromkeys(ranked[most:], other)

    def rank(names: tuple[str, ...]) -> list[tuple[int, int, str]]:
        return [
            (_LAST.index(name) if name in _LAST else 0, 0 if in_time else -of_field[name], name)
            for name, of_field, (_, in_time) in zip(names, totals, periods, strict=True)
        ]

    order = sorted({merged.get(names, names) for names in sizes}, key=rank)
    return ShownGroups(
        {group: SEPARATOR.join(merged.get(names, names)) for group, names in shown_as.items()},
        list(map(SEPARATOR.join, order)),
        len(merged),
        periods[-1][1],
        ["" if in_time else _like_date(shown) for shown, in_time in periods],
    )


def _read_periods(texts: Counter[str]) -> tuple[dict[str, str], bool]:
    """Name each value as it is shown, and tell if they are periods: years, or months if all are of one year."""
    values = [name for name in texts if name != NO_GROUP]
    days = {name: f"{day[2]}-{int(day[1]):02}" for name in values if (day := _DAY_FIRST.fullmatch(name))}
    if len(days) < len(values):
        days = {}
    dated = {
        name: days.get(name, name) for name in values if name in days or _YEAR.fullmatch(name) or _DATE.fullmatch(name)
    }
    shown = {name: name for name in texts}
    if not dated or sum(texts[name] for name in dated) < _MOST_DATED * sum(texts[name] for name in values):
        return shown, False
    if len({period[:4] for period in dated.values()}) > 1 or any(map(_YEAR.fullmatch, dated)):
        dated = {name: period[:4] for name, period in dated.items()}
    return shown | dict.fromkeys(values, NO_DATE) | dated, True


def _like_date(values: Iterable[str]) -> str:
    """Return one of the values if most of them look like dates that were not read as dates, else an empty string."""
    names = [name for name in values if name != NO_GROUP]
    found = list(filter(_LIKE_DATE.fullmatch, names))
    return found[0] if found and len(found) >= _MOST_DATED * len(names) else ""
