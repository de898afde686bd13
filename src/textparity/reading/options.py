"""What is read from the files and datasets of an audit, by the names of the command's options."""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from textparity.errors import ConfigError

LINE, PARAGRAPH, DOCUMENT = TEXT_UNITS = ("line", "paragraph", "document")
DEFAULT_FIELD = "text"
# The encoding of texts unless another one is given.
UTF_8 = "utf-8"
# The format of a dataset of a hub, which is not a file.
DATASET = "dataset"
# The only field of the pages of a crawl.
ADDRESS = "url"
# After the name of a field of URLs in `group_by`.
_OF_DOMAIN = ":domain"
# Groups by more fields would be too many to read.
_MOST_FIELDS = 2


class GroupField(NamedTuple):
    """A field to group by: its name, whether it has URLs whose domains are the groups, and the form of its dates."""

    name: str
    is_url: bool = False
    date_format: str = ""


class NamedField(NamedTuple):
    """A field or column that is read, and the option that names it."""

    name: str
    option: str


@dataclass(frozen=True)
class ReadingOptions:
    """What is read from each source.

    `field` is the field or column of the text: `a.b` is the field b within a. If it is a list of texts, each element is
    one text. Several fields, with commas between, form one text. `text_unit` is the unit of a text in text files. With
    `strip_html`, texts and fields are HTML. At most `max_samples` texts of each source are read.

    `lang_field` and `id_field` are fields of the records with the language and the id of each text. `group_by` is a
    field of the records (`url:domain` is the domain of the field url), or two with a comma between. Dates are grouped
    by year or month; those that are not like 2019-11-26 or 26.11.2019 need a `date_format`, as for `strptime`.
    """

    field: str = DEFAULT_FIELD
    text_unit: str = LINE
    strip_html: bool = False
    max_samples: int | None = None
    lang_field: str = ""
    id_field: str = ""
    group_by: str = ""
    date_format: str = ""

    def __post_init__(self) -> None:
        if self.text_unit not in TEXT_UNITS:
            raise ConfigError(f"text_unit {self.text_unit!r} is not one of {', '.join(TEXT_UNITS)}")
        if len(self.group_fields) > _MOST_FIELDS:
            raise ConfigError(f"group_by {self.group_by!r} names more than two fields; name one or two")
        if self.date_format:
            self._check_date_format()
        check_limits(self, max_samples=(1, None))

    def _check_date_format(self) -> None:
        if not self.group_by:
            raise ConfigError("date_format is for the field of group_by; add group_by, or remove date_format")
        has_year = re.search(r"%[Yy]", self.date_format)
        has_month = re.search(r"%[mbBdj]", self.date_format)
        if not has_year or not has_month:
            raise ConfigError(f"date_format {self.date_format!r} has no year and month, such as %d/%m/%Y")

    @property
    def text_fields(self) -> tuple[str, ...]:
        """The fields that form the text."""
        return split_names(self.field)

    @property
    def groups(self) -> tuple[GroupField, ...]:
        """The fields to group by."""
        groups = []
        for name in split_names(self.group_by):
            is_url = name.endswith(_OF_DOMAIN)
            groups.append(GroupField(name.removesuffix(_OF_DOMAIN), is_url, self.date_format))
        return tuple(groups)

    @property
    def group_fields(self) -> tuple[str, ...]:
        """The fields of the records that have the group."""
        return tuple(group.name for group in self.groups)

    def text_columns(self) -> Iterator[NamedField]:
        """List the fields that form the text, with the option that names them."""
        for name in self.text_fields:
            if name:
                yield NamedField(name, "--field")

    def other_fields(self) -> Iterator[NamedField]:
        """List the fields that are read in addition to the text, with the option that names each."""
        for name in self.group_fields:
            yield NamedField(name, "--group-by")
        if self.lang_field:
            yield NamedField(self.lang_field, "--lang-field")
        if self.id_field:
            yield NamedField(self.id_field, "the setting id_field")

    def all_fields(self) -> list[NamedField]:
        """List all fields that are read, with the option that names each."""
        return [*self.text_columns(), *self.other_fields()]


def check_limits(options: Any, **limits: tuple[int, int | None]) -> None:
    """Raise `ConfigError` if one of the options is below the first or above the second of its limits."""
    for name, (least, most) in limits.items():
        value = getattr(options, name)
        if value is None:
            continue
        # NaN is not at least anything.
        if not value >= least:
            raise ConfigError(f"{name} is {value}; it must be at least {least}")
        if most is not None and value > most:
            raise ConfigError(f"{name} is {value}; it must be at most {most}")


@cache
def split_names(text: str) -> tuple[str, ...]:
    """Split names of fields at commas. A name with a comma stands in double quotes, as in CSV."""
    names = next(csv.reader([text], skipinitialspace="," in text), [])
    if len(names) == 1:
        return tuple(names)
    return tuple(filter(None, map(str.strip, names)))


def join_names(names: Iterable[str]) -> str:
    """Join names by commas so that different names never look alike: one with a comma or quote is quoted as in CSV."""
    quoted = []
    for name in names:
        if "," in name or '"' in name:
            doubled = name.replace('"', '""')
            name = f'"{doubled}"'
        quoted.append(name)
    return ", ".join(quoted)
