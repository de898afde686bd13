"""The settings of an audit or a comparison: what each does, and how options and settings files give them.

A settings file is TOML with a line per setting, `name = value`. Options of the command line win over it.
"""

import argparse
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from textwrap import wrap
from typing import Any

from textparity.auditing.settings import DEFAULT_METHOD, DETECT, default_count
from textparity.auditing.settings import SETTINGS as AUDIT_SETTINGS
from textparity.commands.values import (
    number_from,
    read_delimiter,
    read_languages,
    read_layers,
    read_list,
    read_methods,
    read_path,
)
from textparity.counting.terms import LAYERS
from textparity.counting.tokenizers import ENGINES
from textparity.errors import ConfigError
from textparity.files import is_unicode, printable
from textparity.persons.mentions import METHODS, SAME_NAMES, UNITS_COUNTED
from textparity.reading.formats import FILE_FORMATS
from textparity.reading.options import TEXT_UNITS

STOP, SKIP = ON_ERROR = ("stop", "skip")
_HEAD = "# The settings of a textparity audit or comparison, for --settings. Options of the command line win over them."
_WIDTH = 120
# The names of the types of values, for messages.
_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    tuple: "a list of strings",
    Path: "the path of a file or folder, as a string",
}
# Which files an audit writes decides these.
_FROM_OUTPUTS = ("keep_mentions", "keep_records")


@dataclass(frozen=True)
class FileSettings:
    """How files are read: the settings of the commands that are not settings of an audit in Python."""

    lang: tuple[str, ...] = ()
    field: str | None = None
    format: str | None = None
    encoding: str = ""
    delimiter: str = ""
    documents: Path | None = None
    subset: str | None = None
    split: tuple[str, ...] = ()
    on_error: str = STOP


@dataclass(frozen=True)
class Setting:
    """A setting: the type of its value, what it does, and how its option reads it.

    `metavar`, `choices`, `read` (its `type`) and `action` are as for `argparse`.
    """

    type: type
    text: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    read: Callable[[str], Any] | None = None
    action: Any = "store"

    def option_details(self) -> dict[str, Any]:
        """Make the keywords with which `argparse` reads the option."""
        if self.type is bool:
            return {"action": "store_true"}
        if self.choices:
            return {"choices": self.choices}
        return {"type": self.read or self.type, "metavar": self.metavar, "action": self.action}

    def read_value(self, value: Any) -> Any:
        """Read a value of a settings file. Raises `ConfigError` for one of another type."""
        if isinstance(value, str) and self.type in (str, tuple, Path):
            return self._read_text(value)
        if isinstance(value, list) and self.type is tuple and all(isinstance(item, str) for item in value):
            return tuple(value)
        if type(value) is self.type:
            return value
        if self.type is float and type(value) is int:
            return float(value)
        raise ConfigError(f"must be {_TYPES[self.type]}")

    def _read_text(self, text: str) -> Any:
        if self.choices and text not in self.choices:
            raise ConfigError(f"must be one of {', '.join(self.choices)}")
        if self.read is None:
            return text
        try:
            return self.read(text)
        except argparse.ArgumentTypeError as error:
            raise ConfigError(str(error)) from None


class _Joined(argparse.Action):
    """An option whose values are concatenated if it is given more than once."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        given = getattr(namespace, self.dest, "")
        setattr(namespace, self.dest, ",".join(filter(None, [given, values])))


# In the order in which a settings file has them.
SETTINGS = {
    "lang": Setting(
        tuple,
        "language (ISO 639-3, 639-1 or English name) of all files, or one for each FILE in order; default: detected "
        "in each text",
        "LANG[,LANG]", read=read_languages, action="extend",
    ),
    "lang_field": Setting(
        str,
        "field or column of the records with the language of each text, as any usual code (en, eng, en-US, eng_Latn) "
        "or English name",
        "FIELD",
    ),
    "field": Setting(
        str,
        "field or column of the text, or several that form one text (default: text); a.b is b within a; each element "
        "of a list is a text",
        "NAME[,NAME]",
    ),
    "id_field": Setting(str, "field or column with the id of each text, for records and mentions", "FIELD"),
    "format": Setting(str, "format, if the file's name does not end in it", choices=FILE_FORMATS),
    "encoding": Setting(
        str, "encoding of text, JSON lines, CSV, TSV and HTML, such as windows-1252 (default: UTF-8)", "NAME"
    ),
    "delimiter": Setting(str, "character between cells of CSV (default: a comma)", "CHAR", read=read_delimiter),
    "documents": Setting(
        Path,
        "file with the name of a document for each line of a text file; the lines of a document form one text",
        "FILE", read=read_path,
    ),
    "text_unit": Setting(
        str, "unit of a text in text files; paragraphs end at blank lines (default: line)", choices=TEXT_UNITS
    ),
    "strip_html": Setting(bool, "treat texts and fields as HTML (always done for .html files)"),
    "subset": Setting(str, "configuration of the --dataset", "NAME"),
    "split": Setting(
        tuple, "splits of the --dataset (default: train)", "NAME", read=lambda text: (text,), action="extend"
    ),
    "max_samples": Setting(int, "read only the first N texts of each file", "N", read=number_from(1)),
    "on_error": Setting(
        str,
        "stop at files that cannot be read, and at invalid lines and records (default), or skip and count them (exit "
        "code 3)",
        choices=ON_ERROR,
    ),
    "detect": Setting(
        str,
        "detect the language of each text, or of each file from its first texts (text, file; default: text)",
        choices=DETECT,
    ),
    "minimum_certainty": Setting(float, "leave out texts whose language is less probable (default: 0.5)", "P"),
    "min_size": Setting(
        int,
        "exclude languages detected in fewer than N texts and under 1 % of them, and list them together (default: 10)",
        "N", read=number_from(0),
    ),
    "group_by": Setting(
        str,
        "add a row for each language and value of one or two fields of the records, such as year, url:domain or "
        "outlet,date; dates are grouped by year (or by month of one year)",
        "FIELD[,FIELD]",
    ),
    "date_format": Setting(
        str, "form of the dates in that field, if they are not like 2019-11-26 or 26.11.2019: %d/%m/%Y", "FORM"
    ),
    "max_groups": Setting(
        int, "with group_by, show the N largest groups, all others as one (default: 30)", "N", read=number_from(1)
    ),
    "unique": Setting(bool, "count a text that occurs more than once only once in each group"),
    "method": Setting(
        str,
        "what is counted, the method that finds most first: persons, by a language pipeline (extra: persons; "
        "downloads word lists); words: nouns, pronouns, titles and names of a list; nouns alone; published, as in the "
        f"paper (downloads its lexicon) (default: {DEFAULT_METHOD}); several, with a comma between, give a row each, "
        "and mark what depends on the method",
        f"{{{','.join(METHODS)}}}", read=read_methods,
    ),
    "count": Setting(
        str,
        "with the method persons: people, each once per document (default), mentions, or speakers, the people quoted",
        choices=UNITS_COUNTED,
    ),
    "same_names": Setting(
        str,
        "with --count people: a full name counts once per document (default), or per corpus",
        choices=SAME_NAMES,
    ),
    "layers": Setting(
        tuple, f"with the method words, only some of {', '.join(LAYERS)} (default: all)", "LAYER[,LAYER]",
        read=read_layers,
    ),
    "exclude_words": Setting(tuple, "words that are not counted", "WORD[,WORD]", read=read_list),
    "include_words": Setting(
        tuple, "additional words to count, such as feminine:chairwoman", "CLASS:WORD[,CLASS:WORD]", read=read_list
    ),
    "lexicon_folder": Setting(Path, "your own lexicons of nouns, as FOLDER/eng.json", "FOLDER", read=read_path),
    "pipeline": Setting(
        str,
        "spaCy pipeline (package or folder) for the method persons; LANG=NAME,LANG=NAME sets those of single languages",
        "[LANG=]NAME", action=_Joined,
    ),
    "engine": Setting(
        str,
        "tokenizer: icu (default), fast, for all languages; paper, the paper's tools (extra: stanza)",
        choices=ENGINES,
    ),
    "seed": Setting(int, "seed of intervals, tests and examples", "N"),
    "resamples": Setting(int, "samples of the bootstrap", "N"),
    "confidence_level": Setting(float, "level of intervals and tests", "P"),
    "minimum_matches": Setting(int, "words of exactly one gender that a verdict needs", "N"),
    "minimum_units": Setting(int, "texts with such a word that a verdict needs", "N"),
    "jobs": Setting(int, "number of processes (default: 1)", "N", read=number_from(1)),
    "per_file": Setting(bool, "one row for each file and language, instead of all files together"),
    "top": Setting(int, "number of frequent words and people to show (default: 10)", "N", read=number_from(0)),
    "examples": Setting(int, "number of example sentences per class (default: 5)", "N", read=number_from(0)),
}  # fmt: skip


@dataclass(frozen=True)
class ChosenSettings:
    """The settings of a run: how files are read, and the values for `make_settings`."""

    files: FileSettings = field(default_factory=FileSettings)
    counting: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, options: argparse.Namespace) -> "ChosenSettings":
        """Take the settings of the options, and those of the settings file that no option gives."""
        values = read_settings(options.settings) if options.settings else {}
        for name, setting in SETTINGS.items():
            if name in options:
                value = getattr(options, name)
                values[name] = tuple(value) if setting.type is tuple else value
        reading = {item.name for item in fields(FileSettings)}
        files = {name: value for name, value in values.items() if name in reading}
        counting = {name: value for name, value in values.items() if name not in reading}
        return cls(FileSettings(**files), counting)

    @property
    def lexicons(self) -> Path | None:
        """The user's folder of lexicons."""
        return self.counting.get("lexicon_folder")

    @property
    def pipelines(self) -> list[Path]:
        """The pipelines that the user named, which may be folders."""
        # Imported here so that --help stays fast.
        from textparity.auditing.languages import given_pipelines

        return [Path(name) for name in given_pipelines(self.counting.get("pipeline", "")).values()]

    def render(self, method: str) -> str:
        """Render all settings as a settings file, `method` for the one that was used."""
        values = {name: default_of(name) for name in setting_names()}
        for item in fields(self.files):
            values[item.name] = getattr(self.files, item.name)
        values["count"] = default_count(method)
        return render_settings({**values, **self.counting, "method": method})


def setting_names() -> list[str]:
    """List the names of the settings that a settings file may have."""
    counting = [name for name in AUDIT_SETTINGS if name not in _FROM_OUTPUTS]
    return counting + [item.name for item in fields(FileSettings)]


def default_of(name: str) -> Any:
    """Look up the value of a setting that is not given."""
    if hasattr(FileSettings, name):
        return getattr(FileSettings, name)
    return AUDIT_SETTINGS[name].default


def read_settings(path: Path) -> dict[str, Any]:
    """Read a settings file. Raises `ConfigError` with the name of a setting that is unknown or has a wrong value."""
    try:
        content = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: is not TOML ({error})") from None
    values = {}
    for name, value in content.items():
        if name not in SETTINGS:
            raise ConfigError(f"{path}: {name} is not a setting; settings are {', '.join(sorted(SETTINGS))}")
        try:
            values[name] = SETTINGS[name].read_value(value)
        except ConfigError as error:
            raise ConfigError(f"{path}: {name} {value!r}: {error}") from None
    return values


def render_settings(values: Mapping[str, Any]) -> str:
    """Render settings as TOML, below what each of them does. Those without a value are comments."""
    lines = [_HEAD]
    for name, setting in SETTINGS.items():
        value = values[name]
        is_set = value not in (None, "", ())
        lines += ["", *wrap(setting.text, _WIDTH, initial_indent="# ", subsequent_indent="# ")]
        line = f"{name} = {toml_value(value)}" if is_set else f"# {name} ="
        if not is_unicode(line):
            raise ConfigError(f"{name} is not Unicode, so a settings file cannot have it: {printable(line)}")
        lines.append(line)
    return "\n".join([*lines, ""])


def toml_value(value: Any) -> str:
    """Render a string, number, truth value, path or sequence of strings as a value of TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str | Path):
        return _toml_string(str(value))
    return f"[{', '.join(map(_toml_string, value))}]"


def _toml_string(text: str) -> str:
    """Quote a string as in JSON, of which all escapes are those of TOML. TOML escapes one character more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def refuse_settings(chosen: ChosenSettings, names: Iterable[str], command: str) -> None:
    """Raise `ConfigError` for a setting that has a value other than its default and that a command does not use."""
    for name in names:
        value = getattr(chosen.files, name, chosen.counting.get(name, default_of(name)))
        if value != default_of(name):
            raise ConfigError(f"{name} is not a setting of textparity {command}; remove it")
