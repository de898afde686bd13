"""Load and cross-check the tables that an audit needs."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from textparity.counting.tokenizers import TokenizerChoice
from textparity.errors import ConfigError, TableError
from textparity.files import escapes_folder
from textparity.registry.rows import (
    LOCAL,
    LOCK,
    FileReference,
    Language,
    LexiconRow,
    PersonPipeline,
    SomeRow,
    Source,
    SourceFile,
    read_table,
)
from textparity.sources.model_files import NLTK_PACKAGE

TABLES = {
    name: f"resources/registry/{name}.tsv"
    for name in ("languages", "sources", "source_files", "lexicons", "person_pipelines")
}


class Registry:
    """Languages, sources, lexicons and person pipelines.

    `tables` maps a table's name to its path (see `TABLES`). Relative paths are searched in the working directory, then
    in `base` (the folder of the Snakefile).
    """

    def __init__(self, tables: Mapping[str, str] = TABLES, base: Path = Path()) -> None:
        # Paths are relative if possible. A job runs again if the names of its inputs change, so absolute paths would
        # make a checkout that was moved or copied compute everything anew.
        within = Path.cwd().is_relative_to(base.resolve())
        self.base = Path(os.path.relpath(base.resolve())) if within else base
        self.paths = {name: self.locate(path) for name, path in tables.items()}
        self.languages = self._load(Language, "languages", key="lang")
        self.sources = self._load(Source, "sources", key="source")
        self.lexicons = self._load(LexiconRow, "lexicons", key="lexicon")
        self.person_pipelines = self._load(PersonPipeline, "person_pipelines", key="lang")
        self.source_files: dict[tuple[str, str], list[SourceFile]] = {}
        for file in read_table(SourceFile, self.paths["source_files"]):
            self.source_files.setdefault((file.source, file.path), []).append(file)
        self._check()

    def locate(self, path: str) -> str:
        """Resolve `path`: from the Snakefile's folder if it exists only there, else unchanged."""
        return str(self.base / path) if not Path(path).exists() and (self.base / path).exists() else path

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

    def tokenizer(self, lang: str, engine: str) -> TokenizerChoice:
        """Choose how `engine` splits `lang`: `paper` as the paper did, by its row; `icu` by Unicode's rules."""
        row = self.languages[lang]
        stanza = row.published_uses_stanza
        if engine == "icu":
            return TokenizerChoice("icu", row.icu_locale, split_sentences=stanza, clitics=row.clitics)
        if stanza:
            return TokenizerChoice("stanza", row.stanza, expand_words=row.published_tokenizer == "stanza_mwt")
        return TokenizerChoice(row.published_tokenizer, NLTK_PACKAGE if row.published_tokenizer == "nltk" else "")

    def source_file(self, source: str, path: str) -> FileReference:
        """Look up a whole file of a source."""
        return self._reference(source, path, "")

    def lexicon_file(self, lexicon: str, lang: str) -> FileReference:
        """Look up the lexicon file of `lang`."""
        row = self.lexicons[lexicon]
        return self._reference(row.source, row.path.format(lang=lang), "")

    def lexicon_name(self, lexicon: str) -> str:
        """Look up the readable name of a lexicon: its key if it has no row, which stops studies that count anyway."""
        return self.lexicons[lexicon].name if lexicon in self.lexicons else lexicon

    def revision_file(self, lexicon: str, lang: str) -> str:
        """Look up the file that changes the base of `lexicon` in `lang`. Empty if there is none."""
        path = self.locate(self.lexicons[lexicon].path.format(lang=lang))
        return path if Path(path).is_file() else ""

    def url(self, source: str, path: str) -> str:
        """Build the address of a source's file, percent-encoded. Raises `ConfigError` for an unknown source."""
        if source not in self.sources:
            raise ConfigError(f"results/sources/{source}/{path}: {source} is not a row of {self.paths['sources']}")
        if escapes_folder(path):
            raise ConfigError(
                f"results/sources/{source}/{path}: leads out of results/sources/{source}; correct the path"
            )
        return f"{self.sources[source].base_url}/{quote(path)}"

    def _reference(self, source: str, path: str, member: str) -> FileReference:
        if source == LOCAL:
            return FileReference(path=self.locate(path), member=member)
        rows = self.source_files.get((source, path), [])
        # An archive is pinned by its members, or as a whole by a row without a member.
        row = next((row for name in (member, "") for row in rows if row.member == name), None)
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

    def _load(self, kind: type[SomeRow], table: str, key: str) -> dict[str, SomeRow]:
        rows: dict[str, SomeRow] = {}
        for line, row in enumerate(read_table(kind, self.paths[table]), start=2):
            name = getattr(row, key)
            if name in rows:
                raise TableError(f"{self.paths[table]}, line {line}: {key} {name} is there twice; keep one row")
            rows[name] = row
        return rows

    def _check(self) -> None:
        """Check references between rows. Single cells are checked as they are read."""
        for lexicon in self.lexicons.values():
            where = f"{self.paths['lexicons']}, {lexicon.lexicon}"
            self._require_source(where, lexicon.source)
            if lexicon.revises:
                if lexicon.source != LOCAL:
                    raise TableError(f"{where}: what revises a lexicon is of source {LOCAL!r}, not {lexicon.source!r}")
                if lexicon.revises not in self.lexicons or self.lexicons[lexicon.revises].revises:
                    raise TableError(f"{where}: revises {lexicon.revises!r} is not a lexicon of its own in this table")
        self._require_languages(self.paths["person_pipelines"], "lang", self.person_pipelines)
        for source, path in self.source_files:
            if source not in self.sources:
                raise TableError(
                    f"{self.paths['source_files']}, {source} {path}: source is not a row of {self.paths['sources']}"
                )

    def _require_languages(self, where: str, column: str, langs: Iterable[str]) -> None:
        if unknown := [lang for lang in langs if lang not in self.languages]:
            raise TableError(f"{where}: {column} {', '.join(map(repr, unknown))} is not in {self.paths['languages']}")

    def _require_source(self, where: str, source: str) -> None:
        if source not in (LOCAL, *self.sources):
            raise TableError(f"{where}: source {source!r} is not {LOCAL!r} or a row of {self.paths['sources']}")
