"""Captions of tables and figures: reStructuredText with a title and plain paragraphs."""

from pathlib import Path

from textparity.errors import MissingResourceError, TableError


def read_caption(path: Path) -> tuple[str, str]:
    """Return the title of a caption and its text in one line.

    Raises `MissingResourceError` without the file, `TableError` if it does not begin with an underlined title.
    """
    if not path.is_file():
        raise MissingResourceError(f"{path} is missing: a table or figure of the report needs a caption there")
    lines = path.read_text("utf-8").splitlines()
    if len(lines) < 3 or not lines[1] or set(lines[1]) != {"="} or len(lines[1]) < len(lines[0]):
        raise TableError(f"{path}: a caption begins with a title and a line of = below it, as long as the title")
    return lines[0].strip(), " ".join(" ".join(lines[2:]).split())
