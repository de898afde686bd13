"""Format tables and texts as Markdown."""

import re
from collections.abc import Iterable


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Format the lines of a table."""
    header = list(header)
    cells = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    first, *others = ("| " + " | ".join(row) + " |" for row in (header, *cells))
    return [first, "|---" * len(header) + "|", *others]


def escape(text: str) -> str:
    """Escape a text as Markdown that displays it literally."""
    return re.sub(r"([\\*_<`])", r"\\\1", text)
