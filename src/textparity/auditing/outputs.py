"""The files that an audit writes."""

import io
import sys
from pathlib import Path
from shutil import get_terminal_size

from textparity.auditing.results import AuditResult
from textparity.files import write_text
from textparity.tables import write_csv

STANDARD_OUTPUT = "-"
DIGITS = 6


def write_outputs(
    result: AuditResult, csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write what is asked for, `-` to standard output after all files; a folder gets all tables and the page."""
    if folder:
        frames = {
            "audit": result.to_frame(), "words": result.words_frame(), "examples": result.examples_frame(),
            "left_out": result.left_out_frame(),
        }  # fmt: skip
        for name, frame in frames.items():
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
