"""The files that an audit writes."""

import io
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import get_terminal_size

from textparity.auditing.inputs import STANDARD_INPUT, Source
from textparity.auditing.results import AuditResult
from textparity.errors import ConfigError, InputError
from textparity.files import check_target, write_text
from textparity.report.tables import write_csv

STANDARD_OUTPUT = "-"
DIGITS = 6
TABLES = ("audit", "words", "examples", "left_out")


def check_outputs(
    files: Iterable[str | None], folder: Path | None, sources: Sequence[Source], lexicon_folder: Path | None
) -> None:
    """Raise, before anything is counted, for what cannot be written or would take the place of what is read.

    `files` are the targets of single tables, with None and `-` among them; `folder` gets all of them.
    """
    targets = [Path(file) for file in files if file and file != STANDARD_OUTPUT]
    if folder:
        targets += [folder / name for name in (*(f"{table}.csv" for table in TABLES), "audit.tex", "audit.html")]
    read = {_file_at("/dev/stdin" if source.name == STANDARD_INPUT else source.name) for source in sources} - {None}
    read_folders = {os.path.realpath(source.name) for source in sources if not source.is_file}
    read_folders |= {os.path.realpath(lexicon_folder)} if lexicon_folder else set()
    written: set[object] = set()
    for target in targets:
        check_target(target)
        file = _file_at(target)
        is_inside = any(str(parent) in read_folders for parent in Path(os.path.realpath(target)).parents)
        if file in read or (is_inside and target.is_file()):
            raise InputError(f"{target}: is read, and would be overwritten; write to another file")
        if file in written:
            raise ConfigError(f"{target}: two tables would be written to it; name a file for each")
        written |= {file} - {None}


def _file_at(path: str | Path) -> object:
    """Return what all names of a file have in common, None for what is no file (two tables may go to one pipe)."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def write_outputs(
    result: AuditResult, csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write what is asked for, `-` to standard output after all files; a folder gets all tables and the page."""
    if folder:
        frames = (result.to_frame(), result.words_frame(), result.examples_frame(), result.left_out_frame())
        for name, frame in zip(TABLES, frames, strict=True):
            write_csv(frame, folder / f"{name}.csv", DIGITS)
        write_text(folder / "audit.tex", result.to_latex())
        write_text(folder / "audit.html", result.to_html())
    if csv and csv != STANDARD_OUTPUT:
        write_csv(result.to_frame(), Path(csv), DIGITS)
    for target, render in ((latex, result.to_latex), (html, result.to_html)):
        if target and target != STANDARD_OUTPUT:
            write_text(Path(target), render())
    if csv == STANDARD_OUTPUT:
        _print_utf8(result.to_frame().round(DIGITS).to_csv(index=False, lineterminator="\n"))
    elif STANDARD_OUTPUT in (latex, html):
        _print_utf8(result.to_latex() if latex == STANDARD_OUTPUT else result.to_html())


def print_table(result: AuditResult) -> None:
    """Print the readable table; a character that the terminal does not have is shown as `?`."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else None
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.stdout.write(result.to_text(colour=on_terminal, width=width))


def _print_utf8(text: str) -> None:
    # As files have it, and as the page says of itself, whatever the terminal shows.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)
