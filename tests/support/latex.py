"""All LaTeX tables of a run in one document, as a reader's paper would take them."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from textparity.tables import LATEX_PREAMBLE

# The package adjustbox is the last of what the tables need to be in any TeX.
_FINDER = shutil.which("pdflatex") and shutil.which("kpsewhich")
needs_latex = pytest.mark.skipif(
    not _FINDER or subprocess.run([_FINDER, "adjustbox.sty"], stdout=subprocess.DEVNULL).returncode != 0,
    reason="no pdflatex with adjustbox (Debian: apt-get install --no-install-recommends texlive-latex-extra)",
)
# What LaTeX prints although something is wrong: text beside the page, or a table below its end.
_FAULTS = re.compile(r"^(?:Overfull \\hbox.*|LaTeX Warning: Float too large.*)", re.M)


def compile_tables(tables: list[Path], folder: Path) -> list[str]:
    """Print tables into `folder`/tables.pdf with pdflatex; return what is wrong with them.

    Besides what the log says, that is a label of several tables: LaTeX names it in a second run alone.
    """
    labels = Counter(label for path in tables for label in re.findall(r"\\label{.*?}", path.read_text("utf-8")))
    inputs = "\n".join(f"\\input{{{path.resolve()}}}\\clearpage" for path in tables)
    document = folder / "tables.tex"
    document.write_text(f"\\documentclass{{article}}{LATEX_PREAMBLE}\\begin{{document}}\n{inputs}\n\\end{{document}}\n")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", document.name],
        cwd=folder, capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    return _FAULTS.findall(done.stdout) + [label for label, number in labels.items() if number > 1]


def tables_of(results: Path) -> list[Path]:
    """Return the LaTeX tables of a run's results."""
    return [path for path in sorted(results.glob("*/**/*.tex")) if "\\begin{tabular}" in path.read_text("utf-8")]
