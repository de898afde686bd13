"""How the genders of titles and names are distributed (Nahurna and Romanyshyn 2025, §4.1, Tables 1, 9 and 10)."""

from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.report.tables import write_csv, write_latex
from textparity.studies.swapping.corpus_names import AUGMENTED, ORIGINAL, SWAPPED
from textparity.studies.swapping.entity_counts import TOTAL
from textparity.studies.swapping.labels import JOB, LABELS, PERS
from textparity.studies.swapping.names import CORRECTED, GENDER_COLUMNS, GENDERS

# The sample of Table 1: lines with a title.
BESIDE_JOB = "original, lines with JOB"
SAMPLES = (BESIDE_JOB, ORIGINAL, SWAPPED, AUGMENTED)
_KEYS = ["sample", "subcorpus", "label", "procedure", "method"]


def tabulate_composition(
    genders: list[Path], composition_csv: Path, composition_latex: Path, job_lines_csv: Path
) -> None:
    """Count titles and names by gender and procedure, in the lines with a title and in all; and count those lines.

    `genders` are those of the original corpus and of its swapped sentences. In Table 1, the paper has the names of the
    lines its search finds, but all titles of the corpus; so do its procedures here.
    """
    original, swapped = (read_rows(path).to_pandas() for path in genders)
    rows = {ORIGINAL: original, SWAPPED: swapped, AUGMENTED: pd.concat([original, swapped])}
    parts = [_long(rows[sample]).assign(sample=sample) for sample in rows]
    parts.append(_beside_job(_long(original)).assign(sample=BESIDE_JOB))
    counts = _count(pd.concat(parts))
    write_csv(counts, composition_csv)
    write_csv(_count_lines(original), job_lines_csv)
    write_latex(
        _wide(counts),
        composition_latex,
        caption="Titles (JOB) and names (PERS) by gender and procedure, in percent, with their number.",
        label="tab:composition",
        formats=dict.fromkeys(GENDERS, "{:.1f}"),
    )


def _long(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each entity and procedure."""
    names = {column: procedure for procedure, column in GENDER_COLUMNS.items()}
    kept = ["subcorpus", "label", "beside_job", "beside_job_published", "method"]
    return rows.rename(columns=names).melt(kept, list(names.values()), "procedure", "gender")


def _beside_job(rows: pd.DataFrame) -> pd.DataFrame:
    ours = rows["procedure"] == CORRECTED
    is_name = rows["label"] == PERS
    return rows[(~is_name) | (ours & rows["beside_job"]) | (~ours & rows["beside_job_published"])]


def _count(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the number of each gender (0 where there is none) and its percentage of a sample's entities."""
    everything = pd.concat([rows, rows.assign(subcorpus=TOTAL)])
    counts = everything.groupby([*_KEYS, "gender"]).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(GENDERS), fill_value=0).rename_axis(columns="gender")
    long = counts.stack().rename("count").reset_index()
    long["total"] = long.groupby(_KEYS)["count"].transform("sum")
    long["percent"] = 100 * long["count"] / long["total"]
    order = {
        value: place for values in (SAMPLES, LABELS, GENDER_COLUMNS, GENDERS) for place, value in enumerate(values)
    }
    ranked = [*_KEYS, "gender"]
    return long.sort_values(ranked, key=lambda column: column.map(lambda value: (order.get(value, -1), value)))


def _count_lines(original: pd.DataFrame) -> pd.DataFrame:
    """Return the lines with a title that the authors' search finds, and all, with their titles and names."""
    parts = []
    for lines, column in (("published", "beside_job_published"), ("corrected", "beside_job")):
        kept = original[original[column]]
        for subcorpus, rows in [*kept.groupby("subcorpus"), (TOTAL, kept)]:
            counted = {label: (rows["label"] == label).sum() for label in LABELS}
            number = len(rows[rows["label"] == JOB].drop_duplicates(["document", "line"]))
            parts.append({"lines": lines, "subcorpus": subcorpus, "number": number} | counted)
    return pd.DataFrame(parts)


def _wide(counts: pd.DataFrame) -> pd.DataFrame:
    totals = counts[counts["subcorpus"] == TOTAL]
    wide = totals.pivot(index=["sample", "label", "procedure", "total"], columns="gender", values="percent")
    order = [tuple(row) for row in totals[[*wide.index.names]].drop_duplicates().itertuples(index=False)]
    return wide.loc[order, list(GENDERS)].reset_index().rename_axis(columns=None)
