"""The inputs of an audit: files, folders, standard input and datasets of a hub, each with its language if given."""

import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from textparity.auditing.languages import find_language, read_language
from textparity.compression import COMPRESSIONS
from textparity.errors import ConfigError, InputError
from textparity.files import number_of, writable
from textparity.reading.formats import (
    DOCUMENTS,
    ENDINGS_IN_FOLDERS,
    FORMAT_BY_ENDING,
    FORMATS,
    TEXT_FORMAT,
    Format,
    format_named,
    options_taken,
    why_not_read,
)
from textparity.reading.options import DATASET
from textparity.reading.recognition import FIX_BY_ENDING
from textparity.reading.sources import STANDARD_INPUT, InputFile, SourceAccess

_ARCHIVE = re.compile(r"(\.tar(\.\w+)?|\.tgz|\.tbz2?|\.txz|\.zip)$", re.IGNORECASE)
# The unit of texts that are not lines.
TEXT = "text"


def check_options(accesses: Sequence[SourceAccess]) -> list[InputFile]:
    """Check that sources can be read with their options. Those that cannot get a `problem`.

    How a source is read may be an option that only some of them take, but not one that none takes. Raises `ConfigError`
    if the user gave a source a language, and also the field that has it.
    """
    taken: set[str] = set()
    for access in accesses:
        taken.update(options_taken(access))
    return [_check_source(access, taken) for access in accesses]


def _check_source(access: SourceAccess, taken: Collection[str]) -> InputFile:
    source = access.file
    if access.options.lang_field and source.lang:
        raise ConfigError(
            f"{source.title}: has the language {source.lang}, but --lang-field gives that of each record; remove one"
        )
    if source.problem:
        return source
    return replace(source, problem=why_not_read(access, taken))


def name_documents(sources: Sequence[InputFile], documents: Path) -> list[InputFile]:
    """Give sources the file with the document of each line. Raises `ConfigError` if a source has no lines."""
    for source in sources:
        if DOCUMENTS not in FORMATS[source.format].options and not source.problem:
            raise ConfigError(
                f"{source.title}: has no lines, so --documents cannot name their documents; remove --documents"
            )
    return [replace(source, documents=str(documents)) for source in sources]


def unit_of(sources: Sequence[InputFile], text_unit: str) -> str:
    """Name the unit of all sources' texts: line, paragraph or document if they agree, else text."""
    have_units = all(text_unit in FORMATS[source.format].text_units for source in sources)
    return text_unit if have_units else TEXT


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


def ending_of(path: Path) -> str:
    """Find the end of a file's name that shows its format, ignoring one of compression."""
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
    if len(langs) not in (0, 1, len(names)):
        raise ConfigError(
            f"{len(langs)} languages for {number_of(len(names), what)}; give one for all, or one for each, in order"
        )
    known: list[str | None] = [None]
    if langs:
        known = [read_language(lang, lexicons) for lang in langs]
    return known * len(names) if len(known) == 1 else known


def _check_once(sources: Sequence[InputFile]) -> None:
    names = Counter(
        os.path.realpath(source.name) if source.is_file else source.title for source in sources if not source.problem
    )
    for name, times in names.items():
        if times > 1:
            raise InputError(f"{name}: is named twice (perhaps by its folder) and would count twice; name it once")


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
        chosen = format_named(format) if format else TEXT_FORMAT
        if not chosen.is_streamed:
            raise ConfigError(
                f"standard input cannot be {chosen.title}, because {chosen.title} is read from its end; write it to a "
                "file"
            )
        return [InputFile(name, chosen.name, lang)]
    if not name:
        # An empty path would mean the working directory.
        raise InputError("the name of a file is empty; is a variable not set?")
    path = Path(name)
    if not os.path.isdir(path):
        # Corpora have all kinds of suffixes, so a file that the user names is text unless its suffix is known.
        chosen = format_named(format) if format else FORMAT_BY_ENDING.get(ending_of(path), TEXT_FORMAT)
        return [InputFile(name, chosen.name, lang, problem=_problem(path, chosen))]
    sources = []
    for file in sorted(_all_below(path)):
        if format_in_folder := _format_in_folder(file, path, format, ignored):
            problem = _problem(file, format_in_folder)
            sources.append(InputFile(str(file), format_in_folder.name, lang, problem=problem))
    if not sources:
        raise InputError(
            f"{name}: has no file that ends in {', '.join(ENDINGS_IN_FOLDERS)} (or one of these and "
            f"{', '.join(COMPRESSIONS)}); --format text reads all its files as text"
        )
    return sources


def _all_below(folder: Path) -> Iterator[Path]:
    """List everything below a folder that is not a folder, including links, and folders that cannot be read."""
    unread: list[str] = []
    for name, folders, files in os.walk(folder, onerror=lambda error: unread.append(error.filename)):
        if os.access(name, os.X_OK):
            yield from (Path(name, file) for file in files)
            paths = [Path(name, below) for below in folders]
            yield from filter(Path.is_symlink, paths)
        else:
            unread.append(name)
            folders.clear()
    yield from map(Path, unread)


def _format_in_folder(file: Path, folder: Path, format: str | None, ignored: Counter[str]) -> Format | None:
    """Determine a file's format, or count the file as ignored. Unreadable folders are kept; they may contain texts."""
    reason = _why_ignored(file, folder)
    if reason:
        ignored[reason] += 1
        return None
    if format:
        return format_named(format)
    if os.path.isdir(file):
        return TEXT_FORMAT
    known = FORMAT_BY_ENDING.get(ending_of(file))
    if known and known.is_in_folders:
        return known
    ignored[f"files that end in {writable(file.suffix) or 'nothing'}"] += 1
    return None


def _why_ignored(file: Path, folder: Path) -> str:
    """Name the reason for ignoring a file, whatever its format. Empty if there is none."""
    is_folder = os.path.isdir(file)
    if any(name.startswith(".") for name in file.relative_to(folder).parts):
        return "hidden files"
    if is_folder and file.is_symlink():
        # Links may form a cycle, or lead to files that are already listed.
        return "linked folders"
    if is_folder:
        return ""
    if os.path.exists(file) and not file.is_file():
        # Reading from a pipe might never end.
        return "pipes, sockets and devices"
    archive = _ARCHIVE.search(file.name)
    return f"files that end in {archive[0]}" if archive else ""


def _problem(path: Path, chosen: Format) -> str:
    """Explain why a file cannot be read. Returns an empty string if it can."""
    ending = ending_of(path)
    if path.exists() and ending in FIX_BY_ENDING:
        return f"{path}: is a {ending} file, not text; {FIX_BY_ENDING[ending]}"
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
    if not chosen.is_streamed and not stat.S_ISREG(mode):
        return f"{path}: is not a regular file, and {chosen.title} is read from its end; write it to a file"
    return ""
