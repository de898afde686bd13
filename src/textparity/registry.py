"""Load and cross-check the tables of languages, sources, lexicons and pipelines. Each cell is checked as it is read."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from textparity.counting.tokenizers import TokenizerChoice
from textparity.errors import ConfigError, TableError
from textparity.files import NAME, escapes_folder, read_tsv
from textparity.sources.model_files import NLTK_PACKAGE

LOCAL = "local"
# Stands for a sha256 that is recorded in the lock file at the first download.
LOCK = "lock"


class Row(BaseModel):
    """A row of a table. Its first column is its name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


SomeRow = TypeVar("SomeRow", bound=Row)


def _require(is_right: Callable[[str], object], message: str) -> AfterValidator:
    """Make a check of a cell. The error has `message` after the column and the cell."""

    def check(cell: str) -> str:
        if not is_right(cell):
            raise ValueError(message)
        return cell

    return AfterValidator(check)


def has_placeholder(name: str) -> AfterValidator:
    """Make a check that the only placeholder in braces is `name`."""
    placeholder = f"{{{name}}}"

    def has_no_other(cell: str) -> bool:
        rest = cell.replace(placeholder, "")
        return not re.search(r"[{}]", rest)

    return _require(has_no_other, f"has an unknown placeholder; the only one is {placeholder}")


_NAME_RULE = "becomes part of file names; use letters, digits, dot, dash and underscore, the first not a dot"
Name = Annotated[str, _require(re.compile(NAME).fullmatch, _NAME_RULE)]
LanguageCode = Annotated[str, _require(re.compile("[a-z]{3}").fullmatch, "must be an ISO 639-3 code of three letters")]
Inside = Annotated[str, _require(lambda cell: not escapes_folder(cell), "leads out of results/sources; correct it")]
Needed = Annotated[str, Field(min_length=1)]


class Language(Row):
    """One language. `lang` is ISO 639-3. An empty code means that the resource does not cover the language.

    `clitics` are the short words joined to others with an apostrophe (see `counting.tokenizers.Clitics`).
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
        rules = self.clitics.split()
        wrong = [rule for rule in rules if not re.fullmatch(r"[^']+'|'[^']+", rule)]
        if wrong:
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

    `revises` is the lexicon that its files change (`counting.lexicon.read_revision`), empty for a lexicon of its own,
    which lists nouns (`{lang}.json`) or lemmas (`{lang}.tsv`, `counting.lemmas`).
    """

    lexicon: Name
    name: str
    source: str
    path: Annotated[str, has_placeholder("lang")]
    revises: str


class PersonPipeline(Row):
    """What the method `persons` needs for a language: a spaCy pipeline, and files of the Open Multilingual Wordnet.

    `wordnets` are separated by spaces. English uses WordNet itself. A language with rules of its own has `lists`,
    separated by spaces: `name=source:path`, and one with rules for quotes `quote_lists`. Its pipeline may be a
    dictionary (`textparity.persons.methods`).
    """

    lang: LanguageCode
    pipeline: Needed
    wordnets: str
    lists: str
    quote_lists: str

    @property
    def files(self) -> dict[str, tuple[str, str]]:
        """The source and path of each of its lists, by name."""
        return _read_places(self.lists)

    @property
    def quote_files(self) -> dict[str, tuple[str, str]]:
        """The source and path of each list that its rules for quotes need, by name."""
        return _read_places(self.quote_lists)


def _read_places(cell: str) -> dict[str, tuple[str, str]]:
    """Read the source and path of each file in a cell, by name."""
    places = {}
    for item in cell.split():
        name, source_and_path = item.split("=", 1)
        source, _, path = source_and_path.partition(":")
        places[name] = (source, path)
    return places


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


def read_table(row_class: type[SomeRow], path: str) -> list[SomeRow]:
    """Read a table of rows of one class. Raises `TableError`, with the file, the row and the cell that is not valid."""
    rows = []
    for line, cells in enumerate(read_tsv(path, row_class.model_fields), start=2):
        try:
            rows.append(row_class(**cells))
        except ValidationError as error:
            name = next(iter(cells.values()))
            raise TableError(f"{path}, line {line}, {name}: {_explain(error.errors()[0])}") from None
    return rows


def _explain(error: Any) -> str:
    """Describe a cell that is not valid."""
    reason = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return reason
    column = error["loc"][0]
    cell = error["input"]
    if error["type"] == "literal_error":
        return f"{column} {cell!r} is not one of {error['ctx']['expected']}"
    if error["type"] == "string_too_short":
        return f"{column} is empty"
    return f"{column} {cell!r} {reason[0].lower()}{reason[1:]}"


TABLES = {
    name: f"resources/registry/{name}.tsv"
    for name in ("languages", "sources", "source_files", "lexicons", "person_pipelines")
}
# The folder of the matches that `counting.precision` reads.
JUDGED_MATCHES = "resources/lexicons/precision"


class Registry:
    """Languages, sources, lexicons and person pipelines. `tables` maps a table's name to its path (see `TABLES`).

    Relative paths are searched in the working directory, then in `base` (the folder of the Snakefile).
    """

    def __init__(self, tables: Mapping[str, str] = TABLES, base: Path = Path()) -> None:
        # Paths are relative if possible. A job runs again if the names of its inputs change, so absolute paths would
        # make a checkout that was moved or copied compute everything anew.
        folder = base.resolve()
        self.base = Path(os.path.relpath(folder)) if Path.cwd().is_relative_to(folder) else base
        self.paths = {name: self.locate(path) for name, path in tables.items()}
        self.languages = self._load(Language, "languages", "lang")
        self.sources = self._load(Source, "sources", "source")
        self.lexicons = self._load(LexiconRow, "lexicons", "lexicon")
        self.person_pipelines = self._load(PersonPipeline, "person_pipelines", "lang")
        self.source_files = self._load_source_files()
        self._check_lexicons()
        self._check_languages()
        self._check_sources()

    def locate(self, path: str) -> str:
        """Resolve `path`: from the Snakefile's folder if it exists only there, else unchanged."""
        in_base = self.base / path
        if not Path(path).exists() and in_base.exists():
            return str(in_base)
        return path

    def select_languages(self, wanted: str | Iterable[str]) -> list[str]:
        """List the languages asked for, in table order. Raises `ConfigError` for an unknown one."""
        if wanted == "all":
            return list(self.languages)
        unknown = [lang for lang in wanted if lang not in self.languages]
        if unknown:
            raise ConfigError(
                f"languages: {', '.join(unknown)} not in {self.paths['languages']}; "
                "use its ISO 639-3 codes, or add a row"
            )
        return [lang for lang in self.languages if lang in set(wanted)]

    def language(self, lang: str) -> Language:
        """Look up the row of a language. One that is not in the table is counted by what holds for all languages."""
        row = self.languages.get(lang)
        if row:
            return row
        codes = dict.fromkeys(("flores", "ntrex", "stanza", "clitics", "first_names", "note", "script"), "")
        return Language(lang=lang, name=lang, published_tokenizer="nltk", icu_locale="root", **codes)

    def tokenizer(self, lang: str, engine: str) -> TokenizerChoice:
        """Choose how `engine` splits `lang`: `paper` as the paper did, by its row; `icu` by Unicode's rules."""
        row = self.language(lang)
        stanza = row.published_uses_stanza
        if engine == "icu":
            return TokenizerChoice("icu", row.icu_locale, split_sentences=stanza, clitics=row.clitics)
        if stanza:
            return TokenizerChoice("stanza", row.stanza, expand_words=row.published_tokenizer == "stanza_mwt")
        model = NLTK_PACKAGE if row.published_tokenizer == "nltk" else ""
        return TokenizerChoice(row.published_tokenizer, model)

    def source_file(self, source: str, path: str) -> FileReference:
        """Look up a whole file of a source."""
        return self._reference(source, path, "")

    def lexicon_file(self, lexicon: str, lang: str) -> FileReference:
        """Look up the lexicon file of `lang`."""
        row = self.lexicons[lexicon]
        return self._reference(row.source, row.path.format(lang=lang), "")

    def lexicon_name(self, lexicon: str) -> str:
        """Look up the readable name of a lexicon, or its key if it has no row."""
        return self.lexicons[lexicon].name if lexicon in self.lexicons else lexicon

    def is_table_of(self, lexicon: str, person_nouns: str) -> bool:
        """Check whether a lexicon is a table with layers: lemmas, or a revision of the list `person_nouns`."""
        row = self.lexicons[lexicon]
        return row.path.endswith(".tsv") and row.revises in ("", person_nouns)

    def table_file(self, lexicon: str, lang: str) -> str:
        """Look up the table of `lexicon` in `lang`: a revision, or lemmas. Empty if there is none."""
        return self._locate_file(self.lexicons[lexicon].path.format(lang=lang))

    def judged_matches(self, lang: str) -> str:
        """Look up the matches of lexicons in `lang` that were judged. Empty if there are none."""
        return self._locate_file(f"{JUDGED_MATCHES}/{lang}.tsv")

    def _locate_file(self, path: str) -> str:
        located = self.locate(path)
        return located if Path(located).is_file() else ""

    def url(self, source: str, path: str) -> str:
        """Build the address of a source's file, percent-encoded. Raises `ConfigError` for an unknown source."""
        folder = f"results/sources/{source}"
        if source not in self.sources:
            raise ConfigError(f"{folder}/{path}: {source} is not a row of {self.paths['sources']}")
        if escapes_folder(path):
            raise ConfigError(f"{folder}/{path}: leads out of {folder}; correct the path")
        base_url = self.sources[source].base_url
        return f"{base_url}/{quote(path)}"

    def _reference(self, source: str, path: str, member: str) -> FileReference:
        if source == LOCAL:
            return FileReference(path=self.locate(path), member=member)
        by_member: dict[str, SourceFile] = {}
        for file in self.source_files.get((source, path), []):
            by_member.setdefault(file.member, file)
        # An archive is pinned by its members, or as a whole by a row without a member.
        row = by_member.get(member) or by_member.get("")
        if row is None:
            what = f"{path} with member {member}" if member else path
            raise TableError(
                f"{self.paths['source_files']}: no row for source {source}, path {what}; add it with its sha256"
            )
        return FileReference(
            path=f"results/sources/{source}/{path}",
            url=self.url(source, path),
            sha256="" if row.member or row.sha256 == LOCK else row.sha256,
            member=member,
            member_sha256=row.sha256 if row.member else "",
        )

    def _load(self, row_class: type[SomeRow], table: str, *key: str) -> dict[str, SomeRow]:
        """Read a table by the cells of its `key` columns, joined by spaces."""
        path = self.paths[table]
        rows: dict[str, SomeRow] = {}
        for line, row in enumerate(read_table(row_class, path), start=2):
            cells = [getattr(row, column) for column in key]
            name = " ".join(cells)
            if name in rows:
                raise TableError(f"{path}, line {line}: {', '.join(key)} {name} is a duplicate; keep one row")
            rows[name] = row
        return rows

    def _load_source_files(self) -> dict[tuple[str, str], list[SourceFile]]:
        """Read the rows of each file, by source and path: one of the whole file, or of its members, or both."""
        rows: dict[tuple[str, str], list[SourceFile]] = {}
        for row in read_table(SourceFile, self.paths["source_files"]):
            rows.setdefault((row.source, row.path), []).append(row)
        return rows

    # These check references between rows. Single cells are checked as they are read.

    def _check_lexicons(self) -> None:
        for lexicon in self.lexicons.values():
            where = f"{self.paths['lexicons']}, {lexicon.lexicon}"
            if lexicon.source not in (LOCAL, *self.sources):
                raise TableError(
                    f"{where}: source {lexicon.source!r} is not {LOCAL!r} or a row of {self.paths['sources']}"
                )
            if not lexicon.revises:
                continue
            if lexicon.source != LOCAL:
                raise TableError(f"{where}: the source of a revision must be {LOCAL!r}, not {lexicon.source!r}")
            revised = self.lexicons.get(lexicon.revises)
            if revised is None or revised.revises:
                raise TableError(f"{where}: revises {lexicon.revises!r} is not a lexicon of its own in this table")

    def _check_languages(self) -> None:
        unknown = [lang for lang in self.person_pipelines if lang not in self.languages]
        if unknown:
            langs = ", ".join(map(repr, unknown))
            raise TableError(f"{self.paths['person_pipelines']}: lang {langs} is not in {self.paths['languages']}")

    def _check_sources(self) -> None:
        for source, path in self.source_files:
            if source not in self.sources:
                raise TableError(
                    f"{self.paths['source_files']}, {source} {path}: source is not a row of {self.paths['sources']}"
                )
