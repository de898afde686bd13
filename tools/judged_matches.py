"""Read and write the tables of judged matches, for the tools that add to them."""

from collections.abc import Iterable, Mapping

from textparity.counting.precision import JUDGEMENT_COLUMNS, judgements_file
from textparity.files import read_tsv, write_text


def read_rows(lang: str) -> list[dict[str, str]]:
    """Read the judged matches of a language; none if it has no table."""
    path = judgements_file(lang)
    return read_tsv(path, JUDGEMENT_COLUMNS) if path.is_file() else []


def write_rows(lang: str, rows: Iterable[Mapping[str, str]]) -> None:
    """Write the judged matches of a language. Rows may have further columns, which are left out."""
    lines = ["\t".join(JUDGEMENT_COLUMNS)]
    for row in rows:
        lines.append("\t".join(row[name] for name in JUDGEMENT_COLUMNS))
    write_text(judgements_file(lang), "\n".join(lines) + "\n")
