"""Read the counts of the sentences that Table 2 of Muller 2023 prints, from the counts of their corpus."""

from collections.abc import Sequence
from pathlib import Path

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import CLASSES, PROCEDURES
from textparity_studies.report.cells import Row

# The lines of the sentences in the corpus, from 0.
LINES = (43, 63, 70, 91)


def read_sentences(counts: Sequence[Path]) -> list[Row]:
    """List our counts of each sentence by language and procedure; `setup` describes another tokenizer.

    If a language was counted with several engines, the first counts.
    """
    rows: list[Row] = []
    langs = set()
    for path in counts:
        metadata = read_metadata(path)
        if metadata["lang"] not in langs:
            langs.add(metadata["lang"])
            rows += _read_language(path, metadata)
    return rows


def _read_language(path: Path, metadata: dict[str, str]) -> list[Row]:
    setup = "a stand-in tokenizer" if metadata["stand_in"] else ""
    if metadata["engine"] == "icu":
        setup = "ICU's words, not the paper's"
    about = {"lang": metadata["lang"], "tokenizer": metadata["tokenizer"], "setup": setup}
    names = [f"{procedure}_{name}" for procedure in PROCEDURES for name in CLASSES]
    table = read_rows(path, columns=names)
    rows: list[Row] = []
    for line in LINES:
        for procedure in PROCEDURES:
            counted = {name: int(table[f"{procedure}_{name}"][line].as_py()) for name in CLASSES}
            rows.append(about | {"line": line, "procedure": procedure} | counted)
    return rows
