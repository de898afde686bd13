"""Groups of texts by one or two fields of their records: their names, their periods, and which of them are shown.

The group of a text is the names of its values, joined by `SEPARATOR`, which no name contains. Different values have
different names, but dates of one month, which are one group.
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

from textparity.errors import InputError
from textparity.files import writable
from textparity.reading.options import GroupField, join_names
from textparity.reading.records import check_once

SEPARATOR = "\t"
NO_GROUP, OTHER_GROUPS, NO_DATE = "(none)", "(other)", "(no date)"
# In this order after all other groups.
_LAST = ["", OTHER_GROUPS, NO_DATE, NO_GROUP]
_OUR_NAMES = (NO_GROUP, OTHER_GROUPS, NO_DATE)
# If at least this share of the texts that have a value have a date, the field is a time series. Other values are
# mistakes.
_MOST_DATED = 0.9
# pandas writes years as 2019.0 if some are missing.
_YEAR = re.compile(r"([12]\d{3})(?:\.0)?")
_DATE = re.compile(r"([12]\d{3}-(?:0[1-9]|1[0-2]))(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:?\d\d.*)?)?")
# Some write the month first, so a value alone does not tell.
_DAY_FIRST = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\. ?(0?[1-9]|1[0-2])\. ?([12]\d{3})(?:,? \d\d?:\d\d.*)?")
_LIKE_DATE = re.compile(r"\d{1,4}([/. -])\d{1,2}\1\d{1,4}\b.*|\d{1,2}\.? \w{3,12} \d{4}|\w{3,12} \d{1,2}, \d{4}")


def group_of(record: Any, fields: Iterable[GroupField], where: str) -> str:
    """Find the group of a record: the values of fields, or of nested fields, each named by `value_name`.

    Raises `InputError` if a value is a list or a record.
    """
    names = []
    for field in fields:
        value, rest = find_value(record, field.name, where)
        if isinstance(value, dict | list | bytes) or (rest and value is not None):
            raise InputError(
                f"{where}: field {field.name} is {type(value).__name__}, not a single value; group by another field"
            )
        names.append(value_name(value, field.is_url, field.date_format))
    return SEPARATOR.join(names)


def join_group(group: str, second_group: str) -> str:
    """Name a group by one or two fields in one text."""
    return join_names((group, second_group)) if second_group else group


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


def value_name(value: Any, is_url: bool = False, date_format: str = "") -> str:
    """Name the group of a value: a date by its month, a URL by its domain, and a missing or blank value `(none)`.

    Every other value has its own name: that of the text "(none)" is `"(none)"`. Dates that are texts are read by
    `date_format`, if it is given.
    """
    # NaN does not equal itself.
    if value is None or value != value:
        return NO_GROUP
    if isinstance(value, date):
        return _name_text(value.isoformat(), is_url, "")
    # Equal values may be written differently, such as -0.0 and 0.0, or one instant in two time zones. Only the text
    # identifies the value.
    return _name_text(str(value), is_url, date_format)


@lru_cache(maxsize=4096)
def _name_text(text: str, is_url: bool, date_format: str) -> str:
    trimmed = " ".join(text.split())
    if not trimmed:
        return NO_GROUP
    if is_url:
        return _name_apart(_find_domain(trimmed) or text, has_dates=False)
    if period := _find_period(trimmed, date_format):
        return period
    if date_format:
        # A date of another form could not be told from a month that was read.
        return _name_apart(text, has_dates=False)
    return trimmed if _DAY_FIRST.fullmatch(trimmed) else _name_apart(text, has_dates=True)


def _find_domain(url: str) -> str:
    """Find the domain of a URL. Empty if it has none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.") or host


def _find_period(text: str, date_format: str) -> str:
    """Find the month of a date, or a year that stands alone. Empty if the text is neither."""
    if date_format:
        with suppress(ValueError):
            month = datetime.strptime(text, date_format).isoformat()[: len("2019-11")]
            if _DATE.fullmatch(month):
                return month
    elif found := _DATE.fullmatch(text):
        return found[1]
    year = _YEAR.fullmatch(text)
    return year[1] if year else ""


def _name_apart(text: str, has_dates: bool) -> str:
    """Name a text. It gets quotation marks if it could be taken for another name, with or without such marks.

    These are our own names, white space that does not show, and dates (unless `has_dates`: then texts are read as
    dates).
    """
    name = writable(text)
    core = name.strip('"')
    has_hidden_space = core != core.strip() or "  " in core
    is_like_date = any(form.fullmatch(core) for form in (_YEAR, _DATE, _DAY_FIRST))
    if core in _OUR_NAMES or has_hidden_space or (is_like_date and not has_dates):
        return f'"{name}"'
    return name


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
    # The first one would depend on the order of the texts.
    return min(found) if found and len(found) >= _MOST_DATED * len(names) else ""
