"""Write and print the outputs of a result, without overwriting what it is made from."""

import io
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NamedTuple

from textparity.auditing.languages import PACKAGE_FOLDER, cache_folder
from textparity.auditing.showing.latex import render_latex
from textparity.auditing.showing.page import render_page
from textparity.auditing.showing.screen import SCREEN, render_text
from textparity.auditing.showing.tables import TABLES, render_csv, render_json, render_tables_as_json
from textparity.errors import ConfigError, InputError
from textparity.files import check_target, write_text, write_texts
from textparity.reading.sources import STANDARD_INPUT, InputFile

if TYPE_CHECKING:
    from textparity.auditing.checks import Checks
    from textparity.auditing.records import DataTable
    from textparity.auditing.results import AuditData

STANDARD_OUTPUT = "-"


class TextOutput(NamedTuple):
    """A kind of output that is a text: the ending of its files, and the function that renders it."""

    ending: str
    render: Callable[["AuditData"], str]


# The outputs that can be printed, too, by the option that names the file.
TEXT_OUTPUTS = {
    "csv": TextOutput(".csv", render_csv),
    "latex": TextOutput(".tex", render_latex),
    "html": TextOutput(".html", render_page),
}
# The outputs that a folder gets beside all tables.
_IN_FOLDER = [TEXT_OUTPUTS["latex"], TEXT_OUTPUTS["html"]]


def check_outputs(
    files: Iterable[str | None],
    folder: Path | None,
    sources: Sequence[InputFile],
    *also_read: Path | None,
) -> None:
    """Raise an error, before anything is counted, if an output cannot be written or would overwrite an input.

    `files` are the targets of single tables; None and `-` may be among them. All tables are written to `folder`.
    `also_read` are files and folders that are read in addition to the sources.
    """
    targets = [Path(file) for file in files if file and file != STANDARD_OUTPUT]
    if folder:
        targets += [folder / name for name in _names_in_folder()]
    read = _files_read(sources, also_read)
    if _file_at("/dev/stdout") in read:
        raise InputError("standard output: is an input and would be overwritten; redirect it to another file")
    data_folders = set(map(os.path.realpath, _data_folders()))
    written: set[object] = set()
    for target in targets:
        check_target(target)
        file = _file_at(target)
        if file in read or _is_data(target, data_folders):
            raise InputError(f"{target}: is an input and would be overwritten; write to another file")
        if file in written:
            raise ConfigError(f"{target}: two tables would be written to it; name a file for each")
        written |= {file} - {None}


def _names_in_folder() -> list[str]:
    return [*(f"{name}.csv" for name in TABLES), *(f"audit{output.ending}" for output in _IN_FOLDER)]


def _files_read(sources: Sequence[InputFile], also_read: Iterable[Path | None]) -> set[object]:
    """Collect the keys of all files that are read, also those in folders."""
    paths = [Path("/dev/stdin" if source.name == STANDARD_INPUT else source.name) for source in sources]
    paths += [path for path in also_read if path]
    for folder in [path for path in paths if path.is_dir()]:
        paths += folder.rglob("*")
    return {_file_at(path) for path in paths} - {None}


def _is_data(path: Path, data_folders: set[str]) -> bool:
    """Check whether a path is a file in one of these folders."""
    parents = map(str, Path(os.path.realpath(path)).parents)
    return path.is_file() and not data_folders.isdisjoint(parents)


def _data_folders() -> list[Path]:
    """List the folders of the data that this program reads: its own, what it has downloaded, and a mirror."""
    folders = [PACKAGE_FOLDER, cache_folder()]
    # A mirror that is gone does no harm if nothing is fetched.
    if mirror := os.environ.get("TEXTPARITY_MIRROR"):
        folders.append(Path(mirror))
    return folders


def _file_at(path: str | Path) -> object:
    """Make a key that all names of one file share. None if it is not a file: two tables may go to one pipe."""
    try:
        status = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def write_outputs(
    result: "AuditData", csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write the requested tables, `-` to standard output after all files. A folder gets all tables and the page.

    The files of the folder are written as a set: all of them, or none.
    """
    if folder:
        texts = [make_table(result).to_csv() for make_table in TABLES.values()]
        texts += [output.render(result) for output in _IN_FOLDER]
        paths = [folder / name for name in _names_in_folder()]
        write_texts(dict(zip(paths, texts, strict=True)))
    targets = {"csv": csv, "latex": latex, "html": html}
    write_or_print([(target, partial(TEXT_OUTPUTS[option].render, result)) for option, target in targets.items()])


def write_or_print(outputs: Iterable[tuple[str | None, Callable[[], str]]]) -> None:
    """Write each output to its target, `-` to standard output after all files. Those without a target are left out."""
    printed = []
    for target, render in outputs:
        if target == STANDARD_OUTPUT:
            printed.append(render)
        elif target:
            write_text(Path(target), render())
    for render in printed:
        print_text(render(), encoding="utf-8")


def print_table(result: "AuditData", show: Collection[str]) -> None:
    """Print the readable table."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else SCREEN
    print_text(render_text(result, on_terminal, width, show), errors="replace")


def print_json(result: "AuditData", checks: "Checks") -> None:
    """Print the result for programs."""
    print_text(render_json(result, checks), encoding="utf-8")


def print_tables_as_json(head: Mapping[str, Any], tables: Mapping[str, "DataTable"], checks: "Checks") -> None:
    """Print tables as JSON, between the values of `head` and the checks."""
    print_text(render_tables_as_json(head, tables, checks), encoding="utf-8")


def print_text(text: str, **form: Any) -> None:
    """Print a text. `form` is as for `io.TextIOWrapper.reconfigure`.

    With `errors="replace"`, characters that the terminal cannot show become `?`. Texts for programs are UTF-8, which is
    also what the page declares, whatever the terminal uses.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(**form)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Discard the buffered output, so that Python does not fail on it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            error.filename = "standard output"
            raise
        # The reader, such as head, has stopped reading. Checks still have to be reported, and they decide the exit
        # code.
