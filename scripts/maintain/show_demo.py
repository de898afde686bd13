"""Print the demo's main tables and where the results lie; `make demo` ends with it."""

import sys
from pathlib import Path

import pandas as pd

COLUMNS = {
    "lang": "lang",
    "words": "words",
    "feminine_percent": "feminine %",
    "masculine_percent": "masculine %",
    "unspecified_percent": "unspecified %",
    "masculine_per_feminine": "M : F",
    "masculine_per_feminine_low": "from",
    "masculine_per_feminine_high": "to",
    "coverage_percent": "sentences matched %",
}


def main(folder: Path) -> None:
    """Show what `snakemake --directory folder` made from the demo's config."""
    study = folder / "results" / "lexicon"
    table = study / "tables" / "corrected" / "distribution_demo.csv"
    print("Person nouns in the demo sentences (corrected procedure, 95 % bootstrap interval of M : F):\n")
    rows = pd.read_csv(table).query("lang != 'avg.'")
    print(rows[list(COLUMNS)].rename(columns=COLUMNS).round(2).to_string(index=False))
    polarity = folder / "results" / "representation" / "tables"
    print("\nEnglish gender polarity, masculine : feminine words:", end=" ")
    for procedure in ("published", "corrected"):
        counts = pd.read_csv(polarity / procedure / "polarity.csv").iloc[0]
        print(f"{procedure} {counts['masculine']} : {counts['feminine']}", end="  ")
    print("\n\nTables (CSV, LaTeX):     ", study / "tables", polarity)
    print("Figure (PDF, SVG):       ", study / "figures" / "corrected" / "representation_demo.pdf")
    print("Diverging sentence pairs:", study / "divergence" / "demo")


main(Path(sys.argv[1]))
