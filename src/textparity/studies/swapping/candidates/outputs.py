"""Sets of swapped outputs: recorded elsewhere, or made by the workflow, read into the one form that is scored."""

from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.report.tables import write_csv

WORD, SENTENCE = "word", "sentence"
OUTPUT_COLUMNS = ["item", "kind", "input", "reference", "output", "round_trip"]
_NEEDED = ("input", "reference")


def read_outputs(source: Path, outputs: Path, columns: dict[str, str]) -> None:
    """Write a recorded set as rows: item (from 1), kind, input, reference, output, round_trip.

    `columns` names the file's columns; an empty one is not there, and its cells are blank. An input without white space
    is a word (in the paper's test set: a pair of the dictionary). Blank outputs are kept. Raises `InputError` naming
    file and row.
    """
    frame = read_cells(source)
    if lacking := [name for name in columns.values() if name and name not in frame.columns]:
        raise InputError(f"{source}: has no column {', '.join(lacking)}; it has {', '.join(frame.columns)}")
    cells = {name: frame[column] if column else "" for name, column in columns.items()}
    rows = pd.DataFrame(cells, index=frame.index)
    if rows.empty:
        raise InputError(f"{source}: has no rows; there is nothing to score")
    kinds = [WORD if len(text.split()) == 1 else SENTENCE for text in rows["input"]]
    rows = rows.assign(item=range(1, len(rows) + 1), kind=kinds)[OUTPUT_COLUMNS]
    _check(rows, source)
    write_csv(rows, outputs)


def load_outputs(outputs: Path) -> pd.DataFrame:
    """Return the rows of a set in the form of `read_outputs`, whoever wrote it; blank cells are empty strings.

    There are none where a model has not answered all items (`swap_items`).
    Raises `InputError` naming file and row.
    """
    rows = read_cells(outputs)
    if list(rows.columns) != OUTPUT_COLUMNS:
        raise InputError(f"{outputs}: the header is {','.join(rows.columns)}; it must be {','.join(OUTPUT_COLUMNS)}")
    if unknown := sorted(set(rows["kind"]) - {WORD, SENTENCE}):
        row = rows.index[rows["kind"] == unknown[0]][0]
        raise InputError(f"{outputs}, row {row + 1}: kind {unknown[0]!r} is neither {WORD} nor {SENTENCE}")
    _check(rows, outputs)
    return rows


def read_cells(path: Path) -> pd.DataFrame:
    """Return a CSV file's cells as text, none of them missing; `InputError` naming the file where it is no CSV."""
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{path}: cannot be read as CSV ({str(error).strip()}); fetch or write it again") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None


def _check(rows: pd.DataFrame, path: Path) -> None:
    for name in _NEEDED:
        blank = rows[name].str.strip() == ""
        if blank.any():
            raise InputError(f"{path}, row {blank.idxmax() + 1}: the {name} is blank; fill it in or leave the row out")
