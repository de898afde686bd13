"""Which LaTeX is installed; rules are parsed with this module, so it loads no tool."""

import shutil

LATEX_MISSING = "there is neither pdflatex nor tectonic here (Debian: apt-get install texlive-latex-base)"
# Without questions, and without programs that a document could start.
LATEX_COMMANDS = {
    "pdflatex": ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"],
    "tectonic": [],
}


def find_latex() -> str:
    """Return the name of a LaTeX that is installed, or an empty string."""
    return next((name for name in LATEX_COMMANDS if shutil.which(name)), "")
