"""Detect JSON objects that have a key more than once. Python would keep only the last value."""

import json
from collections import Counter
from typing import Any

from textparity.errors import InputError


class RepeatedKeys(dict[str, Any]):
    """An object in which the keys `repeated` occur more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = {name for name, times in Counter(name for name, _ in pairs).items() if times > 1}


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else RepeatedKeys(pairs)


DECODER = json.JSONDecoder(object_pairs_hook=_make_object)


def check_once(record: Any, name: str, where: str) -> None:
    """Raise `InputError` if a record has the field `name` more than once."""
    if isinstance(record, RepeatedKeys) and name in record.repeated:
        raise InputError(f"{where}: has the field {name} more than once; leave one of them, or rename the others")
