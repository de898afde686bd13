"""Table 7 of Derner 2025 and the English half of its Table 1."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.files import atomic_path
from textparity.measures.polarity import GENDERS
from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import bootstrap_ratios, random_generator
from textparity.report.tables import show_intervals, write_csv, write_latex


def summarise_polarity(
    counts: list[Path], summary: Path, corpora: list[str], seed: int, resamples: int, confidence_level: float
) -> None:
    """Write totals and masculine : feminine with its interval, a row a corpus and procedure (Parquet)."""
    rows = []
    for corpus, path in zip(corpora, counts, strict=True):
        table = read_rows(path)
        for procedure in PROCEDURES:
            per_text = {name: table[f"{procedure}_{name}"].to_numpy() for name in ("words", *GENDERS)}
            masculine, feminine = (per_text[gender] for gender in GENDERS)
            (ratio,) = bootstrap_ratios(
                np.stack([masculine]),
                np.stack([feminine]),
                resamples,
                confidence_level,
                random_generator(seed, corpus, "eng", "polarity", procedure),
            )
            rows.append(
                {"corpus": corpus, "procedure": procedure, "texts": len(masculine)}
                | {name: int(values.sum()) for name, values in per_text.items()}
                | {"masculine_per_feminine": masculine.sum() / feminine.sum() if feminine.sum() else float("nan")}
                | {"masculine_per_feminine_low": ratio.low, "masculine_per_feminine_high": ratio.high}
            )
    with atomic_path(summary) as part:
        pd.DataFrame(rows).to_parquet(part, index=False, compression="zstd")


def tabulate_polarity(
    summary: Path, table_csv: Path, table_latex: Path, corpus_names: dict[str, str], procedure: str
) -> None:
    """Write masculine and feminine words and their ratio per corpus by one procedure (the paper's Table 7)."""
    frame = read_rows(summary).to_pandas()
    rows = frame[frame["procedure"] == procedure]
    rows = rows.assign(corpus=rows["corpus"].map(corpus_names)).drop(columns="procedure")
    write_csv(rows, table_csv)
    shown = rows[["corpus", *GENDERS, "masculine_per_feminine"]].assign(
        interval=show_intervals(rows, "masculine_per_feminine")
    )
    write_latex(
        shown.set_axis(["Dataset", "Masculine", "Feminine", "Ratio", "Interval"], axis="columns"),
        table_latex,
        caption=(
            f"Gender polarity of English text ({procedure}): words of the masculine and the feminine list, "
            "and their ratio with a bootstrap interval over sentences."
        ),
        label=f"tab:polarity-{procedure}",
        formats={"Ratio": "{:.2f} : 1"},
    )
