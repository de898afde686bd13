"""The kinds of output: which files `--write` makes of a result, without overwriting what it is made from."""

import io
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NamedTuple

from textparity.auditing.checks import Checks
from textparity.auditing.languages import PACKAGE_FOLDER, cache_folder
from textparity.auditing.showing import card, citation, figure
from textparity.auditing.showing.junit import render_junit
from textparity.auditing.showing.latex import render_latex
from textparity.auditing.showing.page import render_page
from textparity.auditing.showing.screen import SCREEN, render_text
from textparity.auditing.showing.tables import TABLES, render_json
from textparity.errors import ConfigError, InputError
from textparity.files import check_target, write_texts
from textparity.reading.sources import STANDARD_INPUT, InputFile

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData

STANDARD_OUTPUT = "-"
FOLDER = "folder"
_KIND = re.compile(r"[a-z_]+")


@dataclass(frozen=True)
class Report:
    """What the outputs of a run are made of: its result, its checks, and its settings as a settings file.

    `top` is the number of words that a comparison shows.
    """

    result: Any
    checks: Checks = field(default_factory=Checks)
    settings: str = ""
    top: int = 0


@dataclass(frozen=True)
class OutputKind:
    """A kind of output: the endings of its files, and how it is made.

    A text has `render`, and can be printed. Any other file has `write`, and `check`, which raises an error for a path
    that it cannot write. Tables of Parquet have neither, because they are written while the texts are counted.
    `has_checks`: it shows the outcome of checks, so it is made after them. `is_of_one_method`: a result of several
    methods has none.
    """

    endings: tuple[str, ...]
    render: Callable[[Report], str] | None = None
    write: Callable[[Report, Path], None] | None = None
    check: Callable[[Path], None] | None = None
    has_checks: bool = False
    is_of_one_method: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether it is written while the texts are counted."""
        return self.render is None and self.write is None


class Output(NamedTuple):
    """An output: its kind, and its file or `-`."""

    kind: str
    target: str

    @property
    def is_printed(self) -> bool:
        """Whether it goes to standard output."""
        return self.target == STANDARD_OUTPUT


@dataclass(frozen=True)
class OutputKinds:
    """The kinds of output of a command by name, and the kinds of the files that a folder gets.

    If several kinds have an ending, it stands for the first of them.
    """

    kinds: Mapping[str, OutputKind]
    in_folder: Mapping[str, str]

    def read(self, texts: Iterable[str]) -> "Outputs":
        """Read the values of `--write`: `FILE`, `KIND=FILE` or `FOLDER`. Raises `ConfigError` for an unknown kind."""
        outputs: list[Output] = []
        for text in texts:
            outputs += self._read(text)
        return Outputs(self.kinds, outputs)

    def _read(self, text: str) -> list[Output]:
        kind, has_kind, target = text.partition("=")
        if not (has_kind and _KIND.fullmatch(kind)):
            kind, target = self._kind_of(text), text
        if kind == FOLDER:
            return [Output(file_kind, str(Path(target) / name)) for name, file_kind in self.in_folder.items()]
        if kind not in self.kinds:
            raise ConfigError(
                f"--write {text}: {kind} is not a kind of output; kinds are {', '.join([*self.kinds, FOLDER])}"
            )
        if not target:
            raise ConfigError(f"--write {text}: the name is empty; is a variable not set?")
        output = Output(kind, target)
        if output.is_printed and self.kinds[kind].render is None:
            raise ConfigError(f"--write {text}: {kind} is not a text, so it cannot be printed; name a file")
        return [output]

    def _kind_of(self, path: str) -> str:
        """Find the kind of a file by its ending. A name without an ending is that of a folder."""
        ending = Path(path).suffix
        is_folder = path.endswith(os.sep) or os.path.isdir(path) or not (ending or os.path.exists(path))
        if is_folder and path != STANDARD_OUTPUT:
            return FOLDER
        for name, kind in self.kinds.items():
            if ending in kind.endings:
                return name
        known = dict.fromkeys(ending for kind in self.kinds.values() for ending in kind.endings)
        raise ConfigError(
            f"--write {path}: the name ends in none of {', '.join(known)}; name the kind, as in csv={path} (kinds are "
            f"{', '.join([*self.kinds, FOLDER])})"
        )


@dataclass(frozen=True)
class Outputs:
    """The outputs of a run, and the kinds of its command. Raises `ConfigError` if two of them exclude each other."""

    kinds: Mapping[str, OutputKind]
    items: Sequence[Output]

    def __post_init__(self) -> None:
        printed = [output.kind for output in self.items if output.is_printed]
        if len(printed) > 1:
            raise ConfigError(f"{printed[0]} and {printed[1]} both print to standard output; write one to a file")
        counted = [output.kind for output in self.items if self.kinds[output.kind].is_counted]
        for kind in counted:
            if counted.count(kind) > 1:
                raise ConfigError(f"--write names two files for {kind}; remove one")

    @property
    def is_printed(self) -> bool:
        """Whether one of them goes to standard output."""
        return any(output.is_printed for output in self.items)

    @property
    def files(self) -> list[Path]:
        """The files, without what is printed."""
        return [Path(output.target) for output in self.items if not output.is_printed]

    def has_kind(self, kind: str) -> bool:
        """Whether one of them is of this kind."""
        return any(output.kind == kind for output in self.items)

    @property
    def counted_files(self) -> dict[str, Path]:
        """The files that are written while the texts are counted, by kind."""
        return {output.kind: Path(output.target) for output in self.items if self.kinds[output.kind].is_counted}

    def check(self, sources: Sequence[InputFile], also_read: Iterable[Path | None] = ()) -> None:
        """Raise an error, before anything is counted, if an output cannot be written or would overwrite an input.

        `also_read` are files and folders that are read in addition to the sources.
        """
        for output in self.items:
            if check := self.kinds[output.kind].check:
                check(Path(output.target))
        check_outputs(self.files, sources, also_read)

    def write(self, report: Report, has_checks: bool = False) -> None:
        """Write the outputs that show the checks, or all others. Those for standard output come after all files.

        The texts are written as a set: all of them, or none.
        """
        texts: dict[Path, str] = {}
        printed: list[str] = []
        for output in self.items:
            kind = self.kinds[output.kind]
            if kind.has_checks != has_checks:
                continue
            if kind.write:
                kind.write(report, Path(output.target))
            elif kind.render and output.is_printed:
                printed.append(kind.render(report))
            elif kind.render:
                texts[Path(output.target)] = kind.render(report)
        write_texts(texts)
        for text in printed:
            print_text(text, encoding="utf-8")


def _table(name: str) -> Callable[[Report], str]:
    """Make a function that renders one of the tables of a result as CSV."""
    return lambda report: TABLES[name](report.result).to_csv()


AUDIT_OUTPUTS = OutputKinds(
    {
        "csv": OutputKind((".csv",), _table("audit")),
        "words": OutputKind((".csv",), _table("words")),
        "people": OutputKind((".csv",), _table("people")),
        "examples": OutputKind((".csv",), _table("examples")),
        "left_out": OutputKind((".csv",), _table("left_out")),
        "latex": OutputKind((".tex",), lambda report: render_latex(report.result)),
        "html": OutputKind((".html",), lambda report: render_page(report.result)),
        "json": OutputKind((".json",), lambda report: render_json(report.result, report.checks), has_checks=True),
        "figure": OutputKind(
            figure.ENDINGS,
            write=lambda report, path: figure.write_figure(report.result, path),
            check=figure.check_figure,
            is_of_one_method=True,
        ),
        "card": OutputKind(
            card.ENDINGS,
            write=lambda report, path: card.write_card(report.result, path),
            check=card.check_card,
            is_of_one_method=True,
        ),
        "citation": OutputKind((".bib",), lambda report: citation.references(report.result) + "\n"),
        "junit": OutputKind(
            (".xml",), lambda report: render_junit(report.checks), has_checks=True, is_of_one_method=True
        ),
        "records": OutputKind((".parquet",), is_of_one_method=True),
        "mentions": OutputKind((".parquet",), is_of_one_method=True),
        "part": OutputKind((".parquet",), is_of_one_method=True),
        "settings": OutputKind((".toml",), lambda report: report.settings),
    },
    in_folder={
        "audit.csv": "csv",
        "words.csv": "words",
        "examples.csv": "examples",
        "left_out.csv": "left_out",
        "audit.tex": "latex",
        "audit.html": "html",
    },
)

# What can be made of parts.
MERGE_OUTPUTS = OutputKinds(
    {name: kind for name, kind in AUDIT_OUTPUTS.kinds.items() if not kind.is_counted and name != "settings"},
    AUDIT_OUTPUTS.in_folder,
)


def write_folder(result: "AuditData", folder: Path) -> None:
    """Write all tables and the page of a result into a folder: all files, or none."""
    AUDIT_OUTPUTS.read([f"{FOLDER}={folder}"]).write(Report(result))


def check_outputs(targets: Iterable[Path], sources: Sequence[InputFile], also_read: Iterable[Path | None]) -> None:
    """Raise an error if a file cannot be written or would overwrite an input; see `Outputs.check`."""
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


def _files_read(sources: Sequence[InputFile], also_read: Iterable[Path | None]) -> set[object]:
    """Collect the keys of all files that are read, also those in folders."""
    paths = []
    for source in sources:
        is_standard_input = source.name == STANDARD_INPUT
        paths.append(Path("/dev/stdin" if is_standard_input else source.name))
    paths += filter(None, also_read)
    folders = [path for path in paths if path.is_dir()]
    for folder in folders:
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


def print_table(result: "AuditData", show: Collection[str]) -> None:
    """Print the readable table."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else SCREEN
    print_text(render_text(result, on_terminal, width, show), errors="replace")


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
