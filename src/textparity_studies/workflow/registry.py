"""Load the registry: languages, sources, corpora and lexicons are rows of tables, which are checked against each other.

Rule files import this module while they are parsed.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field, model_validator

from textparity.errors import TableError
from textparity.registry import (
    LOCAL,
    LOCK,
    FileReference,
    Language,
    LanguageCode,
    Name,
    Needed,
    Registry,
    Row,
    has_placeholder,
)
from textparity_studies import STUDIES, load_study
from textparity_studies.llm.models import ModelRow

# Endings in a folder with annotated entities: texts (and the split), annotations, source lines.
ENTITY_FILES = (".txt", ".ann", ".meta")
# Steps that were applied to a set of swapped outputs before the paper scored it (docs/configuration.md).
TIDIED, TITLES_PER_ITEM = "tidied", "titles_per_item"
CodePattern = Annotated[str, has_placeholder("code")]


class StudyRow(Row):
    """Base class of the rows. `KEY` has the columns that identify a row; `REFERENCES` maps columns to tables.

    Each word of such a column must be the name of a row in that table (see `StudyRegistry`).
    """

    KEY: ClassVar[tuple[str, ...]]
    REFERENCES: ClassVar[dict[str, str]] = {"source": "sources"}


class MultilingualCorpus(StudyRow):
    """Describe one corpus in many languages; `{code}` in `path` and `member` is the cell of `code_column`.

    `languages` lists its languages, separated by spaces; empty means all with a code. `cmn=zh_CN` gives a language a
    code that differs from the column's. `document_ids` is the path of a file with the document's id for each line, or
    `path#column` of a tab-separated table with a header. If there is a `member`, it is another member of the same
    archive. `sample` is the number of a sample of an archive's pairs; empty means the whole file. `access` explains how
    to get a file that is not public (`unpublished`, unless it begins with `gated: `). `wet_files` makes the corpus a
    crawl. It is a number of files from the list of WET files in `path` (`.paths.gz`); or `path` is the only WET file
    itself.
    """

    KEY = ("corpus",)
    REFERENCES: ClassVar = {"source": "sources", "codes": "languages", "parallel_to": "languages"}

    corpus: Name
    name: str
    source: str
    path: CodePattern
    member: CodePattern
    code_column: str
    languages: str
    unit: Literal["sentence", "document"]
    parallel_to: str
    document_ids: str
    published_table: str
    sample: str
    access: str
    wet_files: Annotated[str, Field(pattern=r"^([1-9]\d*)?$")]

    @property
    def codes(self) -> dict[str, str]:
        """The listed languages, each with its own code or an empty string."""
        return {lang: code for lang, _, code in (item.partition("=") for item in self.languages.split())}

    @property
    def sample_set(self) -> str:
        """The common name of an archive's samples: the name without the sample's number, or an empty string."""
        return self.corpus.removesuffix(f"_{self.sample}") if self.sample else ""

    @model_validator(mode="after")
    def _check(self) -> "MultilingualCorpus":
        if self.code_column not in Language.model_fields:
            raise ValueError(f"code_column {self.code_column!r} is not a column of the languages table")
        if not self.sample:
            return self
        if not re.fullmatch(r"[1-9][0-9]*", self.sample) or not self.corpus.endswith(f"_{self.sample}"):
            raise ValueError(f"sample {self.sample!r} must be a number from 1 and end the corpus, as in x_1")
        if len(self.codes) != 2 or "{code}" not in self.member or "{code}" in self.path or self.document_ids:
            raise ValueError("a sample needs two languages, one archive as path, {code} in member and no document_ids")
        return self


class EntityCorpus(StudyRow):
    """Describe one corpus with annotated entities: BRAT files in `folder` of an archive, or in the local folder `path`.

    `split` names the file with the split into train and test. `swapped_from` is the corpus whose sentences were
    gender-swapped, empty for an original corpus. `access` explains how to get files that are not public.
    """

    KEY = ("corpus",)
    REFERENCES: ClassVar = {"source": "sources", "swapped_from": "entity_corpora"}

    corpus: Name
    name: str
    # The language need not be in the languages table, which has the languages whose words are counted.
    lang: LanguageCode
    source: str
    path: str
    folder: str
    split: Needed
    swapped_from: str
    access: str


class SwapOutputs(StudyRow):
    """Describe one set of swapped outputs: a CSV file with inputs, references, outputs and outputs swapped back.

    Without swaps back, `round_trip_column` is empty. `published_steps` lists the published procedure's additional steps
    for this set, separated by spaces. `tidied`: names, titles and tokens are compared after a lower-case beginning and
    a missing full stop were copied from the input. `titles_per_item`: matched titles are divided by items.
    """

    KEY = ("system",)

    system: Name
    name: str
    source: str
    path: str
    input_column: Needed
    reference_column: Needed
    output_column: Needed
    round_trip_column: str
    published_steps: str

    @property
    def columns(self) -> dict[str, str]:
        """The file's columns by their content."""
        names = ("input", "reference", "output", "round_trip")
        return {name: getattr(self, f"{name}_column") for name in names}

    @model_validator(mode="after")
    def _check(self) -> "SwapOutputs":
        if steps := set(self.published_steps.split()) - {TIDIED, TITLES_PER_ITEM}:
            raise ValueError(f"published_steps {', '.join(sorted(steps))} is not {TIDIED} or {TITLES_PER_ITEM}")
        return self


class GoldRow(StudyRow):
    """Describe one file of annotated sentences; `lang` chooses the lexicon for the comparison."""

    KEY = ("gold",)
    REFERENCES: ClassVar = {"source": "sources", "lang": "languages"}

    gold: Name
    name: str
    lang: str
    source: str
    path: str


class PromptPart(StudyRow):
    """Describe one file of a prompt, for one language and way of asking.

    `part` is `prompt`, the text with placeholders; `system`, the first message of a chat; or an addition by the study,
    such as `examples` and `skip_list`. Models of the hosts in `not_sent_to`, separated by spaces, do not receive it.
    """

    KEY = ("prompt", "lang", "mode", "part")
    REFERENCES: ClassVar = {"source": "sources", "lang": "prompt_languages"}

    prompt: str
    lang: str
    mode: Literal["chat", "completion"]
    part: Literal["prompt", "system", "examples", "skip_list"]
    source: str
    path: str
    not_sent_to: str


SomeRow = TypeVar("SomeRow", bound=StudyRow)


class StudyRegistry(Registry):
    """Hold all tables of `resources/`, by the names in `Tables`; see `Registry`.

    A table that one study alone reads is declared by that study (`Study.tables`).
    """

    if TYPE_CHECKING:

        def __getattr__(self, table: str) -> Any: ...

    def __init__(self, tables: dict[str, str], base: Path = Path()) -> None:
        super().__init__(tables, base)
        self._study_tables: dict[str, Mapping[str, StudyRow]] = {}
        self.corpora = self._read("corpora", MultilingualCorpus)
        self.entity_corpora = self._read("entity_corpora", EntityCorpus)
        self.swap_outputs = self._read("swap_outputs", SwapOutputs)
        self.gold = self._read("gold", GoldRow)
        self.prompts: dict[tuple[str, str, str], dict[str, PromptPart]] = {}
        for part in self._read("prompts", PromptPart).values():
            self.prompts.setdefault((part.prompt, part.lang, part.mode), {})[part.part] = part
        for study in STUDIES:
            for table, kind in load_study(study).tables.items():
                setattr(self, table, self._read(table, kind))
        self._check_references()
        for corpus in self.corpora.values():
            if corpus.sample:
                self._check_sample(corpus, f"{self.paths['corpora']}, {corpus.corpus}")
        for key, parts in self.prompts.items():
            if "prompt" not in parts:
                raise TableError(f"{self.paths['prompts']}: {' '.join(key)} has no part named prompt; add its row")

    def corpus_has(self, corpus: str, lang: str) -> bool:
        """Check whether the corpus has a text in this language: a code in its code column, and an entry in its list."""
        codes = self.corpora[corpus].codes
        return (not codes or lang in codes) and bool(self._code(corpus, lang))

    @property
    def corpus_names(self) -> dict[str, str]:
        """The names of corpora in tables."""
        return {corpus: row.name for corpus, row in self.corpora.items()}

    def corpus_file(self, corpus: str, lang: str) -> FileReference:
        """Look up the file that holds `corpus` in `lang`."""
        row, code = self.corpora[corpus], self._code(corpus, lang)
        return self.file_of(row, row.path.format(code=code), row.member.format(code=code))

    def file_of(self, row: Any, path: str = "", member: str = "") -> FileReference:
        """Look up a file of a row: its own, or another `path` of its source."""
        return replace(self._reference(row.source, path or row.path, member), access=getattr(row, "access", ""))

    def base_url(self, corpus: str) -> str:
        """Look up the common beginning of the addresses of a corpus' files; empty for files on this machine."""
        source = self.corpora[corpus].source
        return "" if source == LOCAL else self.sources[source].base_url

    def sample_members(self, sample_set: str) -> dict[str, str]:
        """Map the two languages of a sampled archive, in table order, to their members."""
        row = self._first_sample(sample_set)
        return {lang: self.corpus_file(row.corpus, lang).member for lang in self.languages if lang in row.codes}

    def sample_archive(self, sample_set: str) -> FileReference:
        """Look up the sampled archive."""
        row = self._first_sample(sample_set)
        return self.corpus_file(row.corpus, next(iter(row.codes)))

    def document_ids_file(self, corpus: str) -> FileReference | None:
        """Look up the file with a document id for each line, if the corpus has one; in an archive, its member."""
        row = self.corpora[corpus]
        path = row.document_ids.partition("#")[0]
        if not row.document_ids or not row.member:
            return self._reference(row.source, path, "") if path else None
        # Any language's row leads to the archive. The hashes of its texts do not pin this member.
        archive = self.corpus_file(corpus, next(lang for lang in self.languages if self.corpus_has(corpus, lang)))
        return replace(archive, member=path, member_sha256="")

    def entity_files(self, corpus: str) -> list[FileReference]:
        """List the archive of a corpus with entities, or its files by path; if there are none, its folder."""
        row = self.entity_corpora[corpus]
        if row.source != LOCAL:
            return [self.file_of(row)]
        folder = Path(self.locate(row.path))
        files = sorted(path for path in folder.glob("**/*") if path.suffix in ENTITY_FILES and path.is_file())
        return [FileReference(str(path), access=row.access) for path in files or [folder]]

    def pinned_hash(self, source: str, path: str) -> str:
        """Look up the sha256 of a source's file; empty if its members or the lock file pin it."""
        rows = self.source_files.get((source, path), [])
        return "".join(row.sha256 for row in rows if not row.member and row.sha256 != LOCK)

    def pinned_members(self, source: str, path: str) -> dict[str, str]:
        """Look up the sha256 of each member of a source's archive."""
        return {row.member: row.sha256 for row in self.source_files.get((source, path), []) if row.member}

    def is_locked(self, source: str, path: str) -> bool:
        """Check whether the lock file pins a source's file, because its sha256 is not known before it is fetched."""
        return any(row.sha256 == LOCK for row in self.source_files.get((source, path), []))

    def is_list_of_files(self, crawl: str) -> bool:
        """Check whether a crawl is a list of WET files, which are fetched, or one such file."""
        return self.corpora[crawl].path.endswith(".paths.gz")

    def crawl_codes(self, crawl: str) -> dict[str, str]:
        """Map the codes of a crawl's languages, ISO 639-3 and the locale's, to the former."""
        rows = [row for lang, row in self.languages.items() if self.corpus_has(crawl, lang)]
        return {code: row.lang for row in rows for code in (row.lang, row.icu_locale)}

    def crawl_scripts(self, crawl: str) -> dict[str, str]:
        """Map the languages of a crawl, whichever are counted in this run, to their scripts."""
        return {lang: row.script for lang, row in self.languages.items() if self.corpus_has(crawl, lang)}

    def prompt_files(self, prompt: str, lang: str, model: ModelRow) -> dict[str, FileReference]:
        """Look up the files of a prompt for a model, by part; empty if its language or mode has none."""
        parts = self.prompts.get((prompt, lang, model.mode), {})
        return {
            name: self._reference(part.source, part.path, "")
            for name, part in parts.items()
            if model.host not in part.not_sent_to.split()
        }

    def _read(self, table: str, kind: type[SomeRow]) -> dict[str, SomeRow]:
        rows = self._load(kind, table, *kind.KEY)
        self._study_tables[table] = rows
        return rows

    def _code(self, corpus: str, lang: str) -> str:
        row = self.corpora[corpus]
        return row.codes.get(lang) or getattr(self.languages[lang], row.code_column)

    def _first_sample(self, sample_set: str) -> MultilingualCorpus:
        return next(row for row in self.corpora.values() if row.sample_set == sample_set)

    def _check_references(self) -> None:
        """Check that each row that another row names exists."""
        names: dict[str, set[str]] = {
            "sources": {LOCAL, *self.sources},
            "languages": {*self.languages},
            "entity_corpora": {*self.entity_corpora},
            # The languages of entity corpora need not be in the languages table, whose words are counted.
            "prompt_languages": {*self.languages, *(row.lang for row in self.entity_corpora.values())},
        }
        for table, rows in self._study_tables.items():
            for label, row in rows.items():
                for column, target in row.REFERENCES.items():
                    cell: Any = getattr(row, column)
                    if unknown := [word for word in (cell.split() if isinstance(cell, str) else cell)
                                   if word not in names[target]]:  # fmt: skip
                        raise TableError(
                            f"{self.paths[table]}, {label}: {column} {unknown[0]!r} is not in "
                            f"{self.paths.get(target, 'the languages or entity_corpora tables')}"
                        )

    def _check_sample(self, row: MultilingualCorpus, where: str) -> None:
        if missing := [lang for lang in row.codes if not self._code(row.corpus, lang)]:
            raise TableError(f"{where}: {', '.join(missing)} has no {row.code_column} code; write {missing[0]}=code")
        first = self._first_sample(row.sample_set)
        if any(getattr(row, name) != getattr(first, name) for name in ("source", "path", "member", "languages")):
            raise TableError(
                f"{where}: source, path, member and languages differ from those of {first.corpus}, which by its name "
                "is a sample of the same archive; rename one of them"
            )
