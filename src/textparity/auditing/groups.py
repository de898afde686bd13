"""Group texts by a field of their records, such as outlet or year: name the groups, and choose those to show."""

import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from textparity.auditing.json_objects import check_once
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import Tally, add_tally
from textparity.errors import InputError
from textparity.files import writable

NO_GROUP, OTHER_GROUPS, NO_DATE = "(none)", "(other)", "(no date)"
# A value that equals one of these names, or looks like it in quotes, gets quotes. This keeps the two groups apart.
_OUR_NAME = re.compile(rf'"*({"|".join(map(re.escape, (NO_GROUP, OTHER_GROUPS, NO_DATE)))})"*')
# If at least this share of the texts that have a value have a date, the field is a time series. Other values are
# mistakes.
_MOST_DATED = 0.9
# pandas writes years as 2019.0 if some are missing.
_YEAR = re.compile(r"([12]\d{3})(?:\.0)?")
_DATE = re.compile(r"([12]\d{3}-(?:0[1-9]|1[0-2]))(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:?\d\d.*)?)?")


def group_of(record: Any, field: str, where: str) -> str:
    """Find the group of a record: the value of a field, or of a nested field, named by `group_name`.

    Raises `InputError` if the value is a list or a record.
    """
    value, rest = find_value(record, field, where)
    if isinstance(value, dict | list | bytes) or (rest and value is not None):
        raise InputError(f"{where}: field {field} is {type(value).__name__}, no single value; group by another one")
    return group_name(value)


def find_value(record: Any, field: str, where: str) -> tuple[Any, str]:
    """Find the value of a field of a record, None if there is none, and the part of the field's name that leads into
    the value.

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
def group_name(value: Any) -> str:
    """Name the group of a value. A date is named by its month, a missing value `(none)`, and the value "(none)"
    `"(none)"`.

    The number of groups therefore does not grow with the number of days or times.
    """
    if isinstance(value, date):
        value = value.isoformat()
    # NaN does not equal itself.
    name = writable(" ".join(str(value).split())) if value is not None and value == value else ""
    if found := _YEAR.fullmatch(name) or _DATE.fullmatch(name):
        return found[1]
    return f'"{name}"' if _OUR_NAME.fullmatch(name) else name or NO_GROUP


def choose_groups(settings: AuditSettings, corpora: Mapping[str, Mapping[str, Tally]]) -> tuple[int, bool]:
    """Remove the groups that are not shown from each language, and put the others in order.

    Returns the number of groups that were merged into one, and whether the groups are years or months. The groups shown
    are those with the most texts over all languages. Years and months are sorted by time, other groups by size. Months
    are merged into years unless all are of one year. If nearly all values are dates, the others form one group.
    """
    found: Counter[str] = Counter()
    for tallies in corpora.values():
        for tally in tallies.values():
            found.update({name: group.totals["texts"] for name, group in tally.groups.items()})
    del found[NO_GROUP]
    dated = {name for name in found if _YEAR.fullmatch(name) or _DATE.fullmatch(name)}
    time = bool(dated) and sum(found[name] for name in dated) >= _MOST_DATED * found.total()
    undated = found.keys() - dated if time else set()
    for name in undated:
        del found[name]
    by_year = time and (len({name[:4] for name in found}) > 1 or any(map(_YEAR.fullmatch, found)))
    shown_as = {name: name[:4] if by_year else name for name in found}
    sizes: Counter[str] = Counter()
    for name, texts in found.items():
        sizes[shown_as[name]] += texts
    largest = sorted(sizes, key=lambda name: (-sizes[name], name))
    shown = largest[: settings.max_groups]
    order = [*(sorted(shown) if time else shown), OTHER_GROUPS, NO_DATE, NO_GROUP]
    shown_as = {name: group if group in shown else OTHER_GROUPS for name, group in shown_as.items()}
    shown_as |= dict.fromkeys(undated, NO_DATE)
    for corpus, tallies in corpora.items():
        for lang, tally in tallies.items():
            together: dict[str, Tally] = {}
            for name, group in tally.groups.items():
                add_tally(together, group, settings, lang, corpus, shown_as.get(name, NO_GROUP))
            tally.groups = {name: together[name] for name in order if name in together}
    return len(largest) - len(shown), time
