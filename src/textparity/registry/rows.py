"""Define the rows of the tables that an audit needs. Each cell is checked as it is read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from textparity.errors import TableError
from textparity.files import escapes_folder
from textparity.tsv import NAME, read_tsv

LOCAL = "local"
# Stands for a sha256 that is recorded in the lock file at the first download.
LOCK = "lock"


class Row(BaseModel):
    """A row of a table. Its first column is its name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


SomeRow = TypeVar("SomeRow", bound=Row)


def _is_name(cell: str) -> str:
    if not re.fullmatch(NAME, cell):
        raise ValueError(
            "becomes part of file names; use letters, digits, dot, dash and underscore, the first not a dot"
        )
    return cell


def _is_code(cell: str) -> str:
    if not re.fullmatch(r"[a-z]{3}", cell):
        raise ValueError("must be an ISO 639-3 code of three letters")
    return cell


def has_placeholder(name: str) -> AfterValidator:
    """Make a check that the only placeholder in braces is `name`."""

    def check(cell: str) -> str:
        if re.search(r"[{}]", cell.replace(f"{{{name}}}", "")):
            raise ValueError(f"has a placeholder that is not one; only {{{name}}} is")
        return cell

    return AfterValidator(check)


def _stays_inside(cell: str) -> str:
    if escapes_folder(cell):
        raise ValueError("leads out of results/sources; correct it")
    return cell


Name = Annotated[str, AfterValidator(_is_name)]
LanguageCode = Annotated[str, AfterValidator(_is_code)]
Inside = Annotated[str, AfterValidator(_stays_inside)]
Needed = Annotated[str, Field(min_length=1)]


class Language(Row):
    """One language. `lang` is ISO 639-3. An empty code means that the resource does not cover the language.

    `clitics` are the short words joined to others with an apostrophe (see `counting.tokenizers.icu.Clitics`).
    `first_names` are the sources of the names that are counted (`counting.names`).
    """

    lang: LanguageCode
    name: str
    script: str
    flores: str
    ntrex: str
    stanza: str
    published_tokenizer: Literal["stanza", "stanza_mwt", "nltk", "pythainlp"]
    icu_locale: Needed
    clitics: str
    first_names: str
    note: str

    @property
    def published_uses_stanza(self) -> bool:
        """Whether the paper used Stanza for this language, and therefore kept only the first sentence of each text."""
        return self.published_tokenizer.startswith("stanza")

    @model_validator(mode="after")
    def _check(self) -> "Language":
        if self.published_uses_stanza and not self.stanza:
            raise ValueError(f"published_tokenizer is {self.published_tokenizer} but stanza is empty")
        if wrong := [rule for rule in self.clitics.split() if not re.fullmatch(r"[^']+'|'[^']+", rule)]:
            raise ValueError(f"clitics {' '.join(wrong)} must each begin or end with one apostrophe (U+0027)")
        return self


class Source(Row):
    """The origin of files. `base_url` plus a file's path, percent-encoded, is its URL."""

    source: Name
    name: str
    version: str
    base_url: str
    licence: str
    citation: str


class SourceFile(Row):
    """One file of a source, or one member of an archive, with the sha256 of its bytes (or `lock`)."""

    source: str
    path: Inside
    member: Inside
    sha256: str

    @model_validator(mode="after")
    def _check(self) -> "SourceFile":
        is_learnt = self.sha256 == LOCK and not self.member
        if not is_learnt and not re.fullmatch(r"[0-9a-f]{64}", self.sha256):
            raise ValueError(f"sha256 must be 64 hexadecimal digits, or {LOCK} for a whole file")
        return self


class LexiconRow(Row):
    """One lexicon in many languages, or changes to one. `{lang}` in `path` is the ISO 639-3 code.

    `revises` is the lexicon that its files change (`counting.revision.read_revision`), empty for a lexicon of its own.
    """

    lexicon: Name
    name: str
    source: str
    path: Annotated[str, has_placeholder("lang")]
    revises: str


class PersonPipeline(Row):
    """What the method `persons` needs for a language: a spaCy pipeline, and files of the Open Multilingual Wordnet.

    `wordnets` are separated by spaces. English uses WordNet itself. A language with rules of its own has `lists`,
    separated by spaces: `name=source:path`. Its pipeline may be a dictionary (`textparity.persons.methods`).
    """

    lang: LanguageCode
    pipeline: Needed
    wordnets: str
    lists: str

    @property
    def files(self) -> dict[str, tuple[str, str]]:
        """The source and path of each of its lists, by name."""
        pairs = (cell.split("=", 1) for cell in self.lists.split())
        return {name: (place.partition(":")[0], place.partition(":")[2]) for name, place in pairs}


@dataclass(frozen=True)
class FileReference:
    """A file that a rule reads: its `path` once downloaded, `url` (empty if local), `access` (how to get it)."""

    path: str
    url: str = ""
    sha256: str = ""
    member: str = ""
    member_sha256: str = ""
    access: str = ""

    @property
    def pinned_sha256(self) -> str:
        """The sha256 of the bytes to be read, of the member or the whole file. Empty if it is unknown."""
        return self.member_sha256 if self.member else self.sha256


def read_table(kind: type[SomeRow], path: str) -> list[SomeRow]:
    """Read a table of rows of one kind. Raises `TableError`, with the file, the row and the cell that is not valid."""
    rows = []
    for line, cells in enumerate(read_tsv(path, kind.model_fields), start=2):
        try:
            rows.append(kind(**cells))
        except ValidationError as error:
            name = next(iter(cells.values()))
            raise TableError(f"{path}, line {line}, {name}: {_explain(error.errors())}") from None
    return rows


def _explain(errors: Iterable[Any]) -> str:
    """Describe the first cell that is not valid."""
    error = next(iter(errors))
    said = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return said
    column = error["loc"][0]
    if error["type"] == "literal_error":
        return f"{column} {error['input']!r} is not one of {error['ctx']['expected']}"
    if error["type"] == "string_too_short":
        return f"{column} is empty"
    return f"{column} {error['input']!r} {said[0].lower()}{said[1:]}"
