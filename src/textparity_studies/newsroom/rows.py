"""The rows of the table of article corpora, and the files that they name.

Rule files import this module while they are parsed.
"""

import glob
import re
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import model_validator

from textparity.files import split_group
from textparity.registry import LOCAL, FileReference, Name
from textparity_studies.workflow.registry import StudyRegistry, StudyRow

# Formats of corpora of articles, with the endings of a folder's files.
ARTICLE_FORMATS = {
    "taz_json": ".json", "csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "lines": ".txt",
}  # fmt: skip


class ArticleCorpus(StudyRow):
    """Describe one corpus of newspaper articles in one language; a local `path` may be a folder or a pattern.

    `format` is one of `ARTICLE_FORMATS`. `id`, `text` and `group` name fields (`a.b` is field b of object a), or
    columns by number, from 1, in a CSV file without a header. Without `id`, articles are numbered. `group` may be
    `field:year` or `field:month` of a date, `file:year` or `file:month` of a file's name, `id:prefix`, or empty. In the
    format `lines`, `id` is the path of the file with a document id per line. `delimiter` is one character or `\\t`;
    `quote` one character or `none`. `access` explains how to get files that are not public.
    """

    KEY = ("corpus",)
    REFERENCES: ClassVar = {"source": "sources", "lang": "languages"}

    corpus: Name
    name: str
    lang: str
    source: str
    path: str
    format: Literal["taz_json", "csv", "jsonl", "parquet", "lines"]
    id: str
    text: str
    group: str
    group_name: str
    delimiter: str
    quote: str
    access: str

    @property
    def form(self) -> dict[str, str]:
        """The columns that describe the format of the files, for reading and writing."""
        return {name: getattr(self, name) for name in ("format", "id", "text", "group", "delimiter", "quote")}

    @model_validator(mode="after")
    def _check(self) -> "ArticleCorpus":
        field, part = split_group(self.group)
        is_lines = self.format == "lines"
        is_of_file = field == "file" and bool(part)
        problems = {
            f"path {self.path} is a pattern; only local corpora, not of lines, may have one": (
                glob.has_magic(self.path) and (self.source != LOCAL or is_lines)
            ),
            "format lines needs the file of document ids as id, and no text": is_lines and (self.text or not self.id),
            "text is empty; name the field of the text": not is_lines and not self.text,
            "group and group_name need each other; fill in both, or leave both empty": (
                bool(self.group) != bool(self.group_name)
            ),
            f"group {self.group!r} is neither a field nor field:year, field:month, file:year, file:month or "
            "id:prefix": (
                part not in ("", "year", "month", "prefix") or (part == "prefix") != (field == "id" and bool(part))
            ),
            f"format {self.format} has no group {self.group!r}": (
                (is_of_file and self.format != "taz_json") or (is_lines and self.group and part != "prefix")
            ),
            "delimiter and quote are for format csv; leave them empty": (
                self.format != "csv" and (self.delimiter or self.quote)
            ),
        }
        for problem, holds in problems.items():
            if holds:
                raise ValueError(problem)
        if self.format == "csv":
            self._check_csv([self.id, self.text, "" if part == "prefix" else field])
        return self

    def _check_csv(self, columns: list[str]) -> None:
        columns = [column for column in columns if column]
        if any(map(str.isdecimal, columns)) and not all(re.fullmatch("[1-9][0-9]*", column) for column in columns):
            raise ValueError(
                f"id, text and group are {', '.join(columns)}; all must be numbers of columns, from 1, or all names of "
                "the header"
            )
        delimiter, quote = self.delimiter or ",", self.quote or '"'
        single = (len(delimiter) == 1 or delimiter == "\\t") and (len(quote) == 1 or quote == "none")
        if not single or delimiter == quote:
            raise ValueError(
                f"delimiter {delimiter!r} and quote {quote!r} must be two different characters; \\t is a tab, none is "
                "no quote"
            )


def article_files(registry: StudyRegistry, corpus: str) -> list[FileReference]:
    """List the files of a corpus of articles by path; if there are none, the pattern itself as the only one."""
    row = registry.article_corpora[corpus]
    if row.source != LOCAL:
        return [registry.file_of(row)]
    return [FileReference(path, access=row.access) for path in _find_articles(registry, row) or [row.path]]


def document_ids_files(registry: StudyRegistry, corpus: str) -> list[FileReference]:
    """List the file with one document id per line: one for a corpus of articles in the format `lines`, else none."""
    row = registry.article_corpora[corpus]
    return [registry.file_of(row, row.id)] if row.format == "lines" else []


def _find_articles(registry: StudyRegistry, row: ArticleCorpus) -> list[str]:
    """List the files of a local corpus, sorted; the working directory comes before the Snakefile's folder."""
    for path in (row.path, str(registry.base / row.path)):
        if Path(path).is_file():
            return [path]
        ending = ARTICLE_FORMATS[row.format]
        pattern = f"{glob.escape(path)}/**/*{ending}" if Path(path).is_dir() else path
        if found := sorted(name for name in glob.glob(pattern, recursive=True) if Path(name).is_file()):
            return found
    return []
