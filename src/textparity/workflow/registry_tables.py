"""The rows of the registry's tables, and how a table is read.

This module is imported wherever rules are parsed, so it needs nothing beyond the standard library.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textparity.errors import ConfigError, TableError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")
LOCAL = "local"
# Tables whose rows name a source.
SOURCED_TABLES = ("corpora", "article_corpora", "entity_corpora", "swap_outputs", "lexicons", "coded_lexicons", "gold")
PROMPT_PARTS = ("prompt", "system", "examples", "skip_list")
PROMPT_MODES = ("chat", "completion")
# Stands for a sha256 that is learnt from the first download and kept in the lock file.
LOCK = "lock"
# What becomes part of file names.
NAME = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
# Formats of corpora of articles, with what the files of a folder end in.
ARTICLE_FORMATS = {
    "taz_json": ".json", "csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "lines": ".txt",
}  # fmt: skip
# Of a folder with annotated entities: texts (and the split), annotations, source lines.
ENTITY_FILES = (".txt", ".ann", ".meta")
# What was done to a set of swapped outputs before the paper scored it (docs/configuration.md).
TIDIED, TITLES_PER_ITEM = "tidied", "titles_per_item"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
TOKENIZERS = ("stanza", "stanza_mwt", "nltk", "pythainlp")


@dataclass(frozen=True)
class Language:
    """One language: `lang` is ISO 639-3; empty codes mean the resource does not have it.

    `clitics` are the short words joined to others with an apostrophe (see `measures.tokenizers.icu.Clitics`).
    """

    lang: str
    name: str
    script: str
    flores: str
    ntrex: str
    stanza: str
    published_tokenizer: str
    icu_locale: str
    clitics: str
    note: str

    @property
    def published_uses_stanza(self) -> bool:
        """Whether the paper cut this language with Stanza, and so kept only the first sentence of each text."""
        return self.published_tokenizer.startswith("stanza")


@dataclass(frozen=True)
class Source:
    """Where files come from; `base_url` plus a file's path is its URL."""

    source: str
    name: str
    version: str
    base_url: str
    licence: str
    citation: str


@dataclass(frozen=True)
class SourceFile:
    """One file of a source, or one member of an archive, with the sha256 of its bytes (or `lock`)."""

    source: str
    path: str
    member: str
    sha256: str


@dataclass(frozen=True)
class Corpus:
    """One corpus in many languages; `{code}` in `path` and `member` is the cell of `code_column`.

    `languages` names the languages it has, separated by spaces; empty: all with a code. `cmn=zh_CN` gives a language
    another code than the column's. `sample` is the number of a sample of an archive's pairs; empty: the whole file.
    `access` says how to get a file that is not public (`unpublished`, unless it begins with `gated: `). `wet_files`
    makes the corpus a crawl: so many files of the list of WET files in `path` (`.paths.gz`), or `path` is the one WET
    file itself.
    """

    corpus: str
    name: str
    source: str
    path: str
    member: str
    code_column: str
    languages: str
    unit: str
    parallel_to: str
    document_ids: str
    published_table: str
    sample: str
    access: str
    wet_files: str

    @property
    def codes(self) -> dict[str, str]:
        """The languages listed, with the code given to each, or an empty string."""
        return {lang: code for lang, _, code in (item.partition("=") for item in self.languages.split())}

    @property
    def sample_set(self) -> str:
        """What the samples of one archive have in common: the name without the sample's number, or nothing."""
        return self.corpus.removesuffix(f"_{self.sample}") if self.sample else ""


@dataclass(frozen=True)
class ArticleCorpus:
    """One corpus of newspaper articles in one language; `path` may be a folder or a pattern if it is local.

    `format` is one of `ARTICLE_FORMATS`. `id`, `text` and `group` name fields (`a.b` is field b of object a), or
    columns by number, from 1, of a CSV file without a header; without `id`, articles are numbered. `group` may be
    `field:year` or `field:month` of a date, `file:year` or `file:month` of a file's name, `id:prefix`, or empty. In
    the format `lines`, `id` is the path of the file with a document id a line. `delimiter` is one character or `\\t`;
    `quote` one character or `none`. `access` says how to get files that are not public.
    """

    corpus: str
    name: str
    lang: str
    source: str
    path: str
    format: str
    id: str
    text: str
    group: str
    group_name: str
    delimiter: str
    quote: str
    access: str

    @property
    def form(self) -> dict[str, str]:
        """The columns that say how the files are read, and written again."""
        return {name: getattr(self, name) for name in ("format", "id", "text", "group", "delimiter", "quote")}


@dataclass(frozen=True)
class EntityCorpus:
    """One corpus with annotated entities: BRAT files in `folder` of an archive, or in the folder `path` if it is local.

    `split` names the file with the split into train and test. `swapped_from` is the corpus whose sentences these are,
    gender-swapped; empty for a corpus of its own. `access` says how to get files that are not public.
    """

    corpus: str
    name: str
    lang: str
    source: str
    path: str
    folder: str
    split: str
    swapped_from: str
    access: str


@dataclass(frozen=True)
class SwapOutputs:
    """One set of swapped outputs: a CSV file with a column of inputs, references, outputs and swaps of these back.

    Without swaps back, `round_trip_column` is empty. `published_steps` names what else the published procedure does to
    this set, separated by spaces: `tidied` (names, titles and tokens are compared after a lower-case beginning and a
    missing full stop were taken over from the input), `titles_per_item` (matched titles are divided by items).
    """

    system: str
    name: str
    source: str
    path: str
    input_column: str
    reference_column: str
    output_column: str
    round_trip_column: str
    published_steps: str

    @property
    def columns(self) -> dict[str, str]:
        """The file's columns by what they hold."""
        names = ("input", "reference", "output", "round_trip")
        return {name: getattr(self, f"{name}_column") for name in names}


@dataclass(frozen=True)
class LexiconRow:
    """One lexicon in many languages; `{lang}` in `path` is the ISO 639-3 code."""

    lexicon: str
    name: str
    source: str
    path: str


@dataclass(frozen=True)
class CodedLexicon:
    """One lexicon of words coded as feminine or masculine; `form` is `stems` or `scores`.

    `stems`: tab-separated `stem, coding, example`: feminine or masculine; a whole word for a stem with `*`, or nothing.
    `scores`: `word, part_of_speech, score, coding`; adjectives whose score is more than a standard deviation from the
    mean are kept, positive ones as masculine, and those without a score by their coding. `licence` and `citation` say
    where the words come from.
    """

    lexicon: str
    name: str
    source: str
    path: str
    form: str
    licence: str
    citation: str


@dataclass(frozen=True)
class GoldRow:
    """One file of annotated sentences; `lang` chooses the lexicon it is compared with.

    `published_table` is the paper's table (or appendix) with scores on these sentences.
    """

    gold: str
    name: str
    lang: str
    source: str
    path: str
    published_table: str


@dataclass(frozen=True)
class PromptPart:
    """One file of a prompt, for one language and way of asking.

    `part` is `prompt`, the text with placeholders; `system`, the first message of a chat; or what the study fills in,
    such as `examples` and `skip_list`.
    """

    prompt: str
    lang: str
    mode: str
    part: str
    source: str
    path: str


@dataclass(frozen=True)
class FileReference:
    """A file that a rule reads: `path` on disk once fetched, `url` empty for local files, `access` how to get it."""

    path: str
    url: str = ""
    sha256: str = ""
    member: str = ""
    member_sha256: str = ""
    access: str = ""

    @property
    def pinned_sha256(self) -> str:
        """The sha256 of the bytes to be read, of the member or the whole file; empty where it is not known."""
        return self.member_sha256 if self.member else self.sha256


def split_group(group: str) -> tuple[str, str]:
    """Return the field of a corpus of articles' `group` and the part of it: `date:year` is date, year."""
    field, colon, part = group.rpartition(":")
    return (field, part) if colon else (part, "")


def read_tsv(
    path: str | Path, columns: Iterable[str] | None = None, at_least: Iterable[str] = ()
) -> list[dict[str, str]]:
    """Read a tab-separated table with a header; cells are strings, none may be missing or have control characters.

    With `columns`, the header must be exactly these; it must have those of `at_least`. Raises `TableError` naming the
    file and line.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(_printable(file, path), delimiter="\t", quoting=csv.QUOTE_NONE)
            header = reader.fieldnames or []
            if columns is not None and list(header) != list(columns):
                raise TableError(
                    f"{path}: the header is {', '.join(header) or 'empty'}; it must be {', '.join(columns)}"
                )
            if lacking := [name for name in at_least if name not in header]:
                raise TableError(
                    f"{path}: has no column {', '.join(lacking)}; the header is {', '.join(header) or 'empty'}"
                )
            rows = []
            for line, row in enumerate(reader, start=2):
                if None in row or None in row.values():
                    raise TableError(f"{path}, line {line}: {len(header)} tab-separated cells are needed")
                rows.append(row)
            return rows
    except FileNotFoundError:
        raise TableError(f"{path}: no such table; see `tables` in config.yaml") from None
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except csv.Error as error:
        raise TableError(f"{path}: cannot be read as a table ({error})") from None


def _printable(lines: Iterable[str], path: str | Path) -> Iterator[str]:
    """Yield the lines; cells become parts of paths, messages and pages."""
    for number, line in enumerate(lines, start=1):
        if found := _CONTROL.search(line):
            raise TableError(f"{path}, line {number}: has the control character {found[0]!r}; take it out")
        yield line


def read_table(kind: type[Row], path: str) -> list[Row]:
    return [kind(**row) for row in read_tsv(path, [field.name for field in fields(kind)])]


def require_rows(key: str, names: Iterable[str], rows: Iterable[str], table: str, besides: Iterable[str] = ()) -> None:
    """Raise `ConfigError` for names of the setting `key` that are no rows of its table, nor what it has `besides`."""
    known = [*rows, *besides]
    if unknown := [name for name in names if name not in known]:
        are = "is no row" if len(unknown) == 1 else "are no rows"
        raise ConfigError(f"{key}: {', '.join(unknown)} {are} of {table}; it has {', '.join(known)}")
