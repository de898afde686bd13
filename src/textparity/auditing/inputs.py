"""The inputs of an audit: files, folders, standard input and datasets of a hub, each with its language if given."""

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from textparity.auditing.formats import (
    BOOK_FIX,
    DOCUMENT,
    DOCUMENT_FIX,
    LINE_END,
    OLD_OFFICE_FIX,
    PARAGRAPH,
    PDF_FIX,
    SHEET_FIX,
    SLIDES_FIX,
    TABLE_FIX,
    number_of,
)
from textparity.auditing.languages import GivenLanguage, find_language, read_language
from textparity.auditing.settings import AuditSettings
from textparity.compression import COMPRESSIONS
from textparity.errors import ConfigError, InputError
from textparity.files import writable

STANDARD_INPUT = "-"
FORMATS = {
    ".txt": "text", ".text": "text", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv",
    ".parquet": "parquet", ".wet": "wet", ".warc": "warc", ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
# Formats that contain web pages or their text. Pages of a crawl have one field, their address.
CRAWLS, ADDRESS = ("warc", "wet"), "url"
PAGES = ("html", *CRAWLS)
_ARCHIVE = re.compile(r"(\.tar(\.\w+)?|\.tgz|\.tbz2?|\.txz|\.zip)$", re.IGNORECASE)
# A JSON file is read if it is named. In a folder it is skipped, because it usually describes the texts.
NAMED_FORMATS = FORMATS | {".json": "json"}
# Advice for files that contain texts in a format that is not read.
FIXES = {
    **dict.fromkeys((".docx", ".docm", ".odt", ".rtf", ".epub"), DOCUMENT_FIX),
    ".doc": OLD_OFFICE_FIX,
    **dict.fromkeys((".ppt", ".pptx", ".odp"), SLIDES_FIX),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), BOOK_FIX),
    **dict.fromkeys((".xls", ".xlsx", ".xlsm", ".ods"), SHEET_FIX),
    **dict.fromkeys((".arrow", ".feather", ".orc", ".avro"), TABLE_FIX),
    **dict.fromkeys((".sqlite", ".db"), "export the table as CSV"),
    ".pdf": PDF_FIX,
}
# The format of a dataset of a hub, which is not a file.
DATASET = "dataset"
# The unit of texts that are not lines.
TEXT = "text"
# Between the fields of one text, which are counted like the lines of a document.
FIELDS_END = f"{LINE_END} "


@dataclass(frozen=True)
class InputFile:
    """One file, standard input (`-`) or one split of a dataset, and the language of its texts (None: detect it).

    `problem` is the reason why it cannot be read, if that is known before it is opened. `encoding` (if not UTF-8) and
    `delimiter` (of CSV) are the values that the user gave. `documents` is a file that names the document of each line.
    """

    name: str
    format: str
    lang: str | None = None
    subset: str | None = None
    split: str = ""
    problem: str = ""
    encoding: str = ""
    delimiter: str = ""
    documents: str = ""

    @property
    def is_file(self) -> bool:
        """Whether it is a file on this machine."""
        return self.format != DATASET and self.name != STANDARD_INPUT

    @property
    def title(self) -> str:
        """Its name in tables and messages."""
        return "-".join(filter(None, [self.name, self.subset, self.split])) if self.format == DATASET else self.name


class Label(NamedTuple):
    """The fields of a record other than its text: its group, language and id, if they were asked for.

    `parts` has the name and length of each field that the text consists of, if they are several.
    """

    group: str = ""
    language: GivenLanguage | None = None
    id: str = ""
    parts: tuple[tuple[str, int], ...] = ()

    def place(self, start: int) -> tuple[str, int]:
        """Find the field that a character of the text is in, and where the field begins in the text."""
        begin = 0
        for field, length in self.parts:
            if start < begin + length + len(FIELDS_END):
                return field, begin
            begin += length + len(FIELDS_END)
        return "", 0


class Texts(NamedTuple):
    """A portion of a source's texts, with the places of their lines or records, and their labels, if asked for.

    While they are read, the text of a record without one is None. `files` has the name of each text's source, if there
    are several. `are_parts`: they follow each other in one document.
    """

    places: Sequence[int]
    texts: Sequence[Any]
    labels: Sequence[Label] = ()
    files: Sequence[str] = ()
    are_parts: bool = False

    @property
    def documents(self) -> Sequence[int]:
        """What tells apart the documents of the texts."""
        return [0] * len(self.texts) if self.are_parts else self.places

    def select(self, numbers: Sequence[int]) -> "Texts":
        """Select texts by their numbers in the portion."""
        labels = [self.labels[number] for number in numbers] if self.labels else ()
        files = [self.files[number] for number in numbers] if self.files else ()
        places, texts = ([column[number] for number in numbers] for column in (self.places, self.texts))
        return self._replace(places=places, texts=texts, labels=labels, files=files)


def with_fields(source: InputFile, settings: AuditSettings) -> InputFile:
    """Check that a source has records if groups or languages come from a field. Otherwise, it gets a `problem`.

    Raises `ConfigError` if the user also gave the source a language of its own.
    """
    if settings.lang_field and source.lang:
        raise ConfigError(
            f"{source.title}: has the language {source.lang}, but --lang-field gives that of each record; remove one"
        )
    if source.problem or source.format not in ("text", *PAGES):
        return source
    named = [(field, "--group-by") for field in settings.group_fields]
    named += [(settings.lang_field, "--lang-field"), (settings.id_field, "--id-field")]
    for field, option in named:
        if not field:
            continue
        if source.format not in CRAWLS:
            problem = f"{source.name}: has no records, so no field {field}; remove the file, or {option}"
            return replace(source, problem=problem)
        if field != ADDRESS or option == "--lang-field":
            problem = f"{source.name}: pages of a crawl have only the field {ADDRESS}, not {field}; change {option}"
            return replace(source, problem=problem)
    return source


def join_by_document(
    sources: Sequence[InputFile], documents: Path | None, settings: AuditSettings
) -> tuple[list[InputFile], AuditSettings]:
    """Prepare sources and settings so that the lines of one document form one text, if `documents` is given.

    Raises `ConfigError` if a source has no lines, or if another text unit was chosen.
    """
    if documents is None:
        return list(sources), settings
    if settings.text_unit == PARAGRAPH:
        raise ConfigError("--text-unit paragraph and --documents exclude each other; remove one")
    for source in sources:
        if source.format != "text" and not source.problem:
            raise ConfigError(
                f"{source.title}: has no lines, so --documents cannot name their documents; remove --documents"
            )
    return [replace(source, documents=str(documents)) for source in sources], replace(settings, text_unit=DOCUMENT)


def unit_of(sources: Sequence[InputFile], settings: AuditSettings) -> str:
    """Name the unit of all sources' texts: line, paragraph or document if they agree, else text."""
    return settings.text_unit if all(source.format == "text" for source in sources) else TEXT


def short_names(sources: Sequence[InputFile]) -> list[str]:
    """Make a short name of each source for tables. Files are named by the part of their path that differs.

    Different sources have different names.
    """
    paths = {source: os.path.abspath(source.name) for source in sources if source.is_file}
    folder = os.path.commonpath([os.path.dirname(path) for path in paths.values()]) if paths else ""
    if folder == os.sep:
        return [writable(paths.get(source, source.title)) for source in sources]
    names = []
    for source in sources:
        name = os.path.relpath(paths[source], folder) if source in paths else source.title
        if name == STANDARD_INPUT and source.is_file:
            # A file may have the name by which standard input is called.
            name = os.path.join(os.curdir, name)
        names.append(writable(name))
    return names


def format_of(path: Path, given: str | None, formats: Mapping[str, str] = FORMATS) -> str | None:
    """Determine the format of a file: the one given, or else that of its suffix, ignoring a suffix of compression."""
    return given or formats.get(_suffix(path))


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def choose_sources(
    arguments: Sequence[str], langs: Sequence[str] = (), format: str | None = None, lexicons: Path | None = None
) -> tuple[list[InputFile], Counter[str]]:
    """List the files that the arguments name, and count what is left out of folders. The files of a folder are sorted.

    `FILE:LANG` gives a file its language, unless a file of exactly that name exists. `langs` is one language for all
    arguments, or one for each, and `lexicons` the user's folder of them. An argument that does not exist becomes a
    source with a `problem`. Raises `InputError` for a folder without texts, and `ConfigError` if the languages do not
    match the arguments.
    """
    of_each = _languages_of(arguments, langs, "file", lexicons)
    sources: list[InputFile] = []
    ignored: Counter[str] = Counter()
    for argument, given in zip(arguments, of_each, strict=True):
        path, lang = _split_language(argument, lexicons)
        if given and lang:
            raise ConfigError(f"{argument}: has its own language and one from --lang; give only one")
        sources += _sources_of(path, lang or given, format, ignored)
    _check_once(sources)
    return sources, ignored


def dataset_sources(
    names: Sequence[str], subset: str | None, splits: Sequence[str], langs: Sequence[str], lexicons: Path | None = None
) -> list[InputFile]:
    """List every split of every dataset. `langs` is one language for all datasets, or one for each."""
    sources = [
        InputFile(name, DATASET, lang, subset, split)
        for name, lang in zip(names, _languages_of(names, langs, "dataset", lexicons), strict=True)
        for split in splits
    ]
    _check_once(sources)
    return sources


def _languages_of(names: Sequence[str], langs: Sequence[str], what: str, lexicons: Path | None) -> list[str | None]:
    if len(langs) > 1 and len(langs) != len(names):
        raise ConfigError(
            f"{len(langs)} languages for {number_of(len(names), what)}; give one for all, or one for each, in order"
        )
    known = [read_language(lang, lexicons) for lang in langs]
    return list(known) if len(known) > 1 else [known[0] if known else None] * len(names)


def _check_once(sources: Sequence[InputFile]) -> None:
    names = Counter(
        os.path.realpath(source.name) if source.is_file else source.title for source in sources if not source.problem
    )
    if twice := [name for name, times in names.items() if times > 1]:
        raise InputError(f"{twice[0]}: is named twice (perhaps by its folder) and would count twice; name it once")


def _split_language(argument: str, lexicons: Path | None) -> tuple[str, str | None]:
    head, colon, tail = argument.rpartition(":")
    if colon and not os.path.exists(argument):
        if lang := find_language(tail):
            return head, lang
        if os.path.exists(head):
            return head, read_language(tail, lexicons)
    return argument, None


def _sources_of(name: str, lang: str | None, format: str | None, ignored: Counter[str]) -> list[InputFile]:
    if name == STANDARD_INPUT:
        if format == "parquet":
            raise ConfigError(
                "standard input cannot be Parquet, because Parquet is read from its end; write it to a file"
            )
        return [InputFile(name, format or "text", lang)]
    if not name:
        # An empty path would mean the working directory.
        raise InputError("the name of a file is empty; is a variable not set?")
    path = Path(name)
    if not os.path.isdir(path):
        # Corpora have all kinds of suffixes, so a file that the user names is text unless its suffix is known.
        found = format_of(path, format, NAMED_FORMATS) or "text"
        return [InputFile(name, found, lang, problem=_problem(path, found))]
    sources = []
    for file in sorted(_all_below(path)):
        if found_there := _format_in_folder(file, path, format, ignored):
            sources.append(InputFile(str(file), found_there, lang, problem=_problem(file, found_there)))
    if not sources:
        raise InputError(
            f"{name}: has no file that ends in {', '.join(FORMATS)} (or one of these and {', '.join(COMPRESSIONS)}); "
            "--format text reads all its files as text"
        )
    return sources


def _all_below(folder: Path) -> Iterator[Path]:
    """List everything below a folder that is not a folder, including links, and folders that cannot be read."""
    unread: list[str] = []
    for name, folders, files in os.walk(folder, onerror=lambda error: unread.append(error.filename)):
        if os.access(name, os.X_OK):
            yield from (Path(name, file) for file in files)
            yield from (path for path in (Path(name, one) for one in folders) if path.is_symlink())
        else:
            unread.append(name)
            folders.clear()
    yield from map(Path, unread)


def _format_in_folder(file: Path, folder: Path, format: str | None, ignored: Counter[str]) -> str | None:
    """Determine a file's format, or count the file as ignored. Unreadable folders are kept; they may contain texts."""
    is_folder = os.path.isdir(file)
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        ignored["hidden files"] += 1
    elif is_folder and file.is_symlink():
        # Links may form a cycle, or lead to files that are already listed.
        ignored["linked folders"] += 1
    elif is_folder:
        return format or "text"
    elif os.path.exists(file) and not file.is_file():
        # Reading from a pipe might never end.
        ignored["pipes, sockets and devices"] += 1
    elif archive := _ARCHIVE.search(file.name):
        ignored[f"files that end in {archive[0]}"] += 1
    elif found := format_of(file, format):
        return found
    else:
        ignored[f"files that end in {writable(file.suffix) or 'nothing'}"] += 1
    return None


def _problem(path: Path, format: str) -> str:
    """Explain why a file cannot be read. Returns an empty string if it can."""
    suffix = _suffix(path)
    if path.exists() and (fix := FIXES.get(suffix)):
        return f"{path}: is a {suffix} file, not text; {fix}"
    if _ARCHIVE.search(path.name):
        return f"{path}: is an archive; unpack it and name the folder"
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.is_symlink():
            return f"{path}: no such file or folder"
        return (
            f"{path}: is a link to {path.readlink()}, which does not exist; get its content (for instance with "
            "git annex get or datalad get), or remove the link"
        )
    except OSError as error:
        return f"{path}: cannot be read ({error.strerror})"
    if stat.S_ISDIR(mode):
        return f"{path}: is a folder that cannot be read; change its permissions (chmod u+rx), or move it elsewhere"
    if not os.access(path, os.R_OK):
        return f"{path}: cannot be read; change its permissions (chmod u+r)"
    if format == "parquet" and not stat.S_ISREG(mode):
        return f"{path}: is not a regular file, and Parquet is read from its end; write it to a file"
    return ""
