"""Groups of texts by a field of their records, such as outlet or year: what they are called, and which are shown."""

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
# A value that is one of these names, or looks like it in quotes, gets quotes, so that two groups stay two.
_OUR_NAME = re.compile(rf'"*({"|".join(map(re.escape, (NO_GROUP, OTHER_GROUPS, NO_DATE)))})"*')
# Where so large a share of the texts with a value have a date, the others are mistakes in a series.
_MOST_DATED = 0.9
# Pandas writes years as 2019.0 where some are missing.
_YEAR = re.compile(r"([12]\d{3})(?:\.0)?")
_DATE = re.compile(r"([12]\d{3}-(?:0[1-9]|1[0-2]))(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:?\d\d.*)?)?")


def group_of(record: Any, field: str, where: str) -> str:
    """Return the group of a record: the value of a field, or of one within it, as `group_name` has it.

    Raises `InputError` for a value that is a list or a record itself.
    """
    value, rest = find_value(record, field, where)
    if isinstance(value, dict | list | bytes) or (rest and value is not None):
        raise InputError(f"{where}: field {field} is {type(value).__name__}, no single value; group by another one")
    return group_name(value)


def find_value(record: Any, field: str, where: str) -> tuple[Any, str]:
    """Return the value of a field of a record, None for none, and what of the field's name leads further than that.

    Raises `InputError` for a field that the record has more than once.
    """
    value, rest = record, field
    while rest and isinstance(value, dict):
        # A name may have dots.
        name, rest = (rest, "") if rest in value else rest.partition(".")[::2]
        check_once(value, name, where)
        value = value.get(name)
    return value, rest


# The number 1 is another value than true.
@lru_cache(maxsize=4096, typed=True)
def group_name(value: Any) -> str:
    """Name the group of a value: a date is called by its month, a missing value `(none)`,
    and the value "(none)" itself `"(none)"`.

    So the number of groups does not grow with the number of days, or of times.
    """
    if isinstance(value, date):
        value = value.isoformat()
    # A number that is none does not equal itself.
    name = writable(" ".join(str(value).split())) if value is not None and value == value else ""
    if found := _YEAR.fullmatch(name) or _DATE.fullmatch(name):
        return found[1]
    return f'"{name}"' if _OUR_NAME.fullmatch(name) else name or NO_GROUP


def choose_groups(settings: AuditSettings, corpora: Mapping[str, Mapping[str, Tally]]) -> tuple[int, bool]:
    """Leave of each language the groups that are shown, in their order.

    Return how many groups are together in one, and whether they are years or months. Those shown have the most texts of
    all languages. Years and months are in the order of time, other groups by size; months are put together to years,
    unless all are of one year. What is no date among nearly all dates is one group.
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
