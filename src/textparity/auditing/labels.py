"""The labels of records: the group, the language and the id of a text, from the fields that name them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textparity.auditing.groups import find_value, group_of
from textparity.auditing.languages import read_given
from textparity.errors import InputError
from textparity.files import writable
from textparity.reading.documents import GivenLanguage, Label
from textparity.reading.options import GroupField


@dataclass(frozen=True)
class RecordLabels:
    """The fields of a record that make its label, empty for what was not asked for.

    `lexicons` is the user's folder of them, for languages of his own.
    """

    groups: tuple[GroupField, ...] = ()
    lang_field: str = ""
    id_field: str = ""
    lexicons: Path | None = None

    def label(self, record: Any, where: str) -> Label | None:
        """Make the label of a record, if it has one. Raises `InputError` if a group or an id is not a single value."""
        if not (self.groups or self.lang_field or self.id_field):
            return None
        group = group_of(record, self.groups, where) if self.groups else ""
        language = self._language(record, where) if self.lang_field else None
        name = self._id(record, where) if self.id_field else ""
        return Label(group, language, name)

    def _language(self, record: Any, where: str) -> GivenLanguage:
        value, rest = find_value(record, self.lang_field, where)
        is_missing = rest and not isinstance(value, list)
        return read_given(None if is_missing else value, self.lang_field, self.lexicons)

    def _id(self, record: Any, where: str) -> str:
        value, rest = find_value(record, self.id_field, where)
        # NaN does not equal itself.
        if rest or isinstance(value, dict | list | bytes) or value is None or value != value:
            raise InputError(f"{where}: field {self.id_field} has no single value; change the setting id_field")
        return writable(str(value))
