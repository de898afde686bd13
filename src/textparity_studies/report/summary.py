"""Write the summary as PDF: a few pages that quote their numbers by the macros of `numbers.tex`."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import regex
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from textparity.errors import MissingResourceError
from textparity.files import atomic_path, write_text
from textparity.tables import escape_latex
from textparity_studies.report.claims import MEASUREMENT
from textparity_studies.report.ledger import VERDICTS, column_name
from textparity_studies.report.numbers import macro_name, read_rows

_TEMPLATE = "summary.tex.j2"
# pdflatex lacks letters of other scripts; the page of claims shows them.
_OTHER_SCRIPTS = regex.compile(r"[^\p{Latin}\p{Common}]+(?:\s+[^\p{Latin}\p{Common}]+)*")


def write_summary(
    summary: Path,
    claims: Path,
    numbers: Path,
    latex: list[str],
    study_names: dict[str, str],
    summary_latex: Path,
    summary_pdf: Path,
) -> None:
    """Write the summary as LaTeX, which includes `numbers` from the same folder, and as PDF by the command `latex`.

    Raises `MissingResourceError` with the end of LaTeX's log if that fails.
    """
    write_text(summary_latex, render_summary(summary, claims, numbers.name, study_names))
    with tempfile.TemporaryDirectory() as folder:
        for file in (numbers, summary_latex):
            shutil.copy(file, Path(folder) / file.name)
        done = subprocess.run(
            [*latex, summary_latex.name],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            # Fixed dates make two runs produce the same bytes.
            env=os.environ | {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1"},
        )
        made = Path(folder) / summary_latex.with_suffix(".pdf").name
        if done.returncode or not made.is_file():
            raise MissingResourceError(
                f"{latex[0]} could not make {summary_pdf} of {summary_latex}: {' '.join(done.stdout[-600:].split())}"
            )
        with atomic_path(summary_pdf) as part:
            shutil.copy(made, part)


def render_summary(summary: Path, claims: Path, numbers_name: str, study_names: dict[str, str]) -> str:
    """Render the summary as LaTeX; each number is a macro, and words in other scripts are replaced by (…)."""
    environment = Environment(
        loader=PackageLoader("textparity_studies.report"),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_escape,
    )
    environment.globals["macro"] = lambda *parts: Markup(f"\\{macro_name(*parts)}{{}}")
    said = [{name: _OTHER_SCRIPTS.sub("…", cell) for name, cell in row.items()} for row in read_rows(claims)]
    return environment.get_template(_TEMPLATE).render(
        studies=[row["study"] for row in read_rows(summary)],
        study_names=study_names,
        verdicts=[(verdict, column_name(verdict)) for verdict in VERDICTS],
        claims=[row for row in said if row["kind"] != MEASUREMENT],
        measurements=[row for row in said if row["kind"] == MEASUREMENT],
        numbers_name=numbers_name,
    )


def _escape(value: object) -> object:
    """Escape a template's output for LaTeX; Jinja itself only does so for HTML."""
    return value if isinstance(value, Markup) else escape_latex(str(value))
