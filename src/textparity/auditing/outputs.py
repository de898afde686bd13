"""The files that an audit writes."""

import sys
from pathlib import Path

from textparity.auditing.results import AuditResult
from textparity.files import write_text
from textparity.tables import write_csv

STANDARD_OUTPUT = "-"
DIGITS = 6


def write_outputs(
    result: AuditResult, csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write what is asked for, `-` to standard output; a folder gets all tables and the page."""
    if csv == STANDARD_OUTPUT:
        result.to_frame().round(DIGITS).to_csv(sys.stdout, index=False, lineterminator="\n")
    elif csv:
        write_csv(result.to_frame(), Path(csv), DIGITS)
    for target, render in ((latex, result.to_latex), (html, result.to_html)):
        if target == STANDARD_OUTPUT:
            sys.stdout.write(render())
        elif target:
            write_text(Path(target), render())
    if folder:
        frames = {
            "audit": result.to_frame(), "words": result.words_frame(), "examples": result.examples_frame(),
            "left_out": result.left_out_frame(),
        }  # fmt: skip
        for name, frame in frames.items():
            write_csv(frame, folder / f"{name}.csv", DIGITS)
        write_text(folder / "audit.tex", result.to_latex())
        write_text(folder / "audit.html", result.to_html())
