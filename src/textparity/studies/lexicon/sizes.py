"""Size of each lexicon by class and number (Muller 2023, Figure 2), and what the corrected procedure mends in it."""

from collections import Counter
from pathlib import Path

import pandas as pd

from textparity.measures.lexicon import CLASSES, NUMBERS, Lexicon, read_lexicon
from textparity.report.tables import write_csv


def measure_lexicons(lexicons: list[Path], table_csv: Path, langs: list[str]) -> None:
    """Write one row a language: nouns by class and number, and counts of forms mended by the corrected procedure."""
    rows = []
    for lang, path in zip(langs, lexicons, strict=True):
        entries = read_lexicon(path)
        sizes = Counter((entry.gender_class, entry.number) for entry in entries if entry.form.strip())
        repairs = Lexicon(entries).repairs
        rows.append(
            {"lang": lang}
            | {f"{name}_{number}": sizes[name, number] for name in CLASSES for number in NUMBERS}
            | {"forms": sum(sizes.values())}
            | {f"{repair}_forms": len(forms) for repair, forms in repairs.items()}
        )
    write_csv(pd.DataFrame(rows), table_csv)
