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
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from textparity.auditing.formats import check_once
from textparity.auditing.settings import OF_DOMAIN, AuditSettings, join_names, split_names
from textparity.errors import InputError
from textparity.files import writable

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


class GroupField(NamedTuple):
    """A field to group by: its name, whether it has URLs whose domains are the groups, and the form of its dates."""

    name: str
    is_url: bool = False
    date_format: str = ""


def read_group_fields(settings: AuditSettings) -> tuple[GroupField, ...]:
    """List the fields that an audit groups by."""
    fields = []
    for name in split_names(settings.group_by):
        is_url = name.endswith(OF_DOMAIN)
        fields.append(GroupField(name.removesuffix(OF_DOMAIN), is_url, settings.date_format))
    return tuple(fields)


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
    period = _find_period(trimmed, date_format)
    if period:
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
    else:
        date_match = _DATE.fullmatch(text)
        if date_match:
            return date_match[1]
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
    by_values = {group: tuple(group.split(SEPARATOR)) for group in texts}
    width = len(next(iter(by_values.values()), ("",)))
    fields = []
    for index in range(width):
        texts_by_value = Counter[str]()
        for group, values in by_values.items():
            texts_by_value[values[index]] += texts[group]
        fields.append(_read_periods(texts_by_value))
    named = {group: _show_values(values, fields) for group, values in by_values.items()}
    sizes = Counter[tuple[str, ...]]()
    for group, names in named.items():
        sizes[names] += texts[group]
    ranked = sorted(filter(_is_group, sizes), key=lambda names: (-sizes[names], names))
    other = (OTHER_GROUPS, *[""] * (width - 1))
    merged = dict.fromkeys(ranked[most:], other)
    shown = {group: merged.get(names, names) for group, names in named.items()}
    order = _order_groups(set(shown.values()), fields, sizes)
    return ShownGroups(
        names={group: SEPARATOR.join(names) for group, names in shown.items()},
        order=list(map(SEPARATOR.join, order)),
        together=len(merged),
        in_time=fields[-1].in_time,
        unread=["" if field.in_time else _like_date(field.names) for field in fields],
    )


@dataclass(frozen=True)
class _FieldValues:
    """The name under which each value of a field is shown, and whether these are years or months."""

    names: Mapping[str, str]
    in_time: bool = False


def _show_values(values: Sequence[str], fields: Sequence[_FieldValues]) -> tuple[str, ...]:
    return tuple(field.names[value] for field, value in zip(fields, values, strict=True))


def _is_group(names: Sequence[str]) -> bool:
    """Check whether a field has a value of its own, rather than none."""
    return any(name not in _LAST for name in names)


def _order_groups(
    groups: Iterable[tuple[str, ...]], fields: Sequence[_FieldValues], sizes: Mapping[tuple[str, ...], int]
) -> list[tuple[str, ...]]:
    """Sort groups field by field: years and months by time, other values by size."""
    totals = [Counter[str]() for _ in fields]
    for names, size in sizes.items():
        for total, name in zip(totals, names, strict=True):
            total[name] += size

    def rank(names: tuple[str, ...]) -> list[tuple[int, int, str]]:
        ranks = []
        for name, total, field in zip(names, totals, fields, strict=True):
            last = _LAST.index(name) if name in _LAST else 0
            size = 0 if field.in_time else total[name]
            ranks.append((last, -size, name))
        return ranks

    return sorted(groups, key=rank)


def _read_periods(texts: Counter[str]) -> _FieldValues:
    """Name each value of a field as it is shown: by years, or by months if all are of one year, if these are dates."""
    names = {value: value for value in texts}
    values = [value for value in texts if value != NO_GROUP]
    periods = _find_periods(values)
    dated_texts = sum(texts[value] for value in periods)
    texts_with_value = sum(texts[value] for value in values)
    if not periods or dated_texts < _MOST_DATED * texts_with_value:
        return _FieldValues(names)
    years = {value: period[:4] for value, period in periods.items()}
    has_bare_year = any(map(_YEAR.fullmatch, periods))
    if has_bare_year or len(set(years.values())) > 1:
        periods = years
    return _FieldValues(names | dict.fromkeys(values, NO_DATE) | periods, in_time=True)


def _find_periods(values: Sequence[str]) -> dict[str, str]:
    """Find the year or month of each value that is a date. Days come first only if they do so in all values."""
    days = {}
    for value in values:
        day = _DAY_FIRST.fullmatch(value)
        if day:
            month, year = day.groups()
            days[value] = f"{year}-{int(month):02}"
    if days and len(days) == len(values):
        return days
    return {value: value for value in values if _YEAR.fullmatch(value) or _DATE.fullmatch(value)}


def _like_date(values: Iterable[str]) -> str:
    """Find one of the values if most of them look like dates that were not read as dates. Empty otherwise."""
    names = [value for value in values if value != NO_GROUP]
    like_dates = list(filter(_LIKE_DATE.fullmatch, names))
    if not like_dates or len(like_dates) < _MOST_DATED * len(names):
        return ""
    # The first one would depend on the order of the texts.
    return min(like_dates)
