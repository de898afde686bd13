"""What an article is: which values of a record are its id, text and group, and what is wrong with it."""

import csv
import re
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from textparity.files import is_unicode
from textparity.tsv import split_group

# The group of every article of a corpus without groups.
ALL = "all"
# ISO 8601, perhaps without the day, or the month and the day.
_DATE = re.compile(r"(\d{4}(?:-\d{2}){0,2})(?:(?<=-\d{2}-\d{2})[T ].*)?", re.ASCII | re.DOTALL)
_DATE_OF_FILE = re.compile(r"(?<!\d)\d{4}-\d{2}(?!\d)", re.ASCII)


class Article(NamedTuple):
    """A record of a file; `reason` says why it cannot be taken, and is empty if it can.

    `place` is its line or record in the file, to be named by where it has no id.
    """

    place: str
    doc_id: str = ""
    text: str = ""
    group: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ArticleForm:
    """The columns of a row of the article corpora that say how to read it (`ArticleCorpus`)."""

    format: str
    id: str
    text: str
    group: str
    delimiter: str
    quote: str

    @property
    def group_field(self) -> str:
        """The field that has the group, or nothing if it is in no field."""
        field, part = split_group(self.group)
        return "" if part == "prefix" or (field == "file" and part) else field

    @property
    def has_header(self) -> bool:
        """Whether a CSV file begins with the names of its columns."""
        return not self.text.isdecimal()

    @property
    def dialect(self) -> dict[str, Any]:
        r"""How a CSV file is written: `delimiter` may be `\t`, `quote` may be `none`; empty, they are `,` and `"`."""
        quoting = {"quoting": csv.QUOTE_NONE} if self.quote == "none" else {}
        quote = None if quoting else self.quote or '"'
        return {"delimiter": "\t" if self.delimiter == r"\t" else self.delimiter or ",", "quotechar": quote} | quoting

    @property
    def fields(self) -> list[str]:
        """The fields that are read."""
        return [name for name in (self.id, self.text, self.group_field) if name]

    def make_article(self, place: str, file_name: str, doc_id: Any, text: Any, group: Any) -> Article:
        """Return the article of a record; values that it does not have are None."""
        name = _as_label(doc_id)
        if not name.strip():
            return Article(place, reason="it has no id")
        if text is None:
            return Article(place, name, reason="it has no text")
        if not isinstance(text, str):
            return Article(place, name, reason=f"its text is no string but {type(text).__name__}")
        if not text.strip():
            return Article(place, name, reason="its text is blank")
        label, reason = self._group_of(name, file_name, _as_label(group))
        if not reason and not all(map(is_unicode, (name, text, label))):
            # JSON may have them escaped; UTF-8 may not.
            reason = "it has a surrogate that is no character"
        return Article(place, name, text, label, reason) if not reason else Article(place, name, reason=reason)

    def _group_of(self, doc_id: str, file_name: str, value: str) -> tuple[str, str]:
        """Return the group, or why there is none."""
        if not self.group:
            return ALL, ""
        field, part = split_group(self.group)
        if part == "prefix":
            prefix, dot, _ = doc_id.partition(".")
            return (prefix, "") if prefix and dot else ("", "its id has no prefix that ends in a dot")
        if field == "file" and part:
            found = _DATE_OF_FILE.search(file_name.rpartition("/")[2])
            value = found.group() if found else ""
        if not value.strip():
            return "", f"it has no group ({self.group})"
        if not part:
            return value, ""
        day, length = _iso_date(value), {"year": 4, "month": 7}[part]
        if len(day) < length:
            return "", f"its group ({self.group}) is {value[:40]!r}, which is no ISO date"
        return day[:length], ""


def find_field(record: Any, field: str) -> Any:
    """Return the field `a.b` of nested objects, or one whose name has dots; None where there is none."""
    if isinstance(record, dict) and field in record:
        return record[field]
    for name in field.split("."):
        record = record.get(name) if isinstance(record, dict) else None
    return record


def _as_label(value: Any) -> str:
    """Return strings, whole numbers and dates as a string, and nothing for what cannot name an article or a group."""
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _iso_date(value: str) -> str:
    """Return the date (or year, or year and month) that `value` begins with, or nothing."""
    found = _DATE.fullmatch(value)
    day = found.group(1) if found else ""
    try:
        date.fromisoformat(day + "-01-01"[len(day) - 4 :])
    except ValueError:
        return ""
    return day
