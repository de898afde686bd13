"""Tables 1, 3 and 4 of Muller 2023, and the tables the paper does not have: verdicts and effect of the correction."""

import math
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.measures.lexicon import CLASSES
from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import PUBLISHED_VERDICTS, VERDICTS
from textparity.report.tables import write_csv, write_latex

PERCENT = [f"{name}_percent" for name in CLASSES]
_HEADS = {
    "lang": "Lang",
    "feminine_percent": "Feminine",
    "masculine_percent": "Masculine",
    "unspecified_percent": "Unspecified",
    "gap_and_error": "Gap (s.e.)",
    "words": "Words",
    "coverage_percent": "Matched (%)",
}
_VERDICT_HEADS = {"p_value": "p", "p_value_holm": "p (Holm)", "verdict": "Verdict"}
AVERAGE = "avg."
# Columns of a summary that one procedure has and the other has not.
_ONLY_OF = {
    "published": ["verdict_in_one_unit"],
    "corrected": ["standard_error_of_words", "p_value", "p_value_holm", "verdict_unadjusted"],
}
_UNITS_NOTE = {
    "published": "standard error as a fraction, as the paper prints it",
    "corrected": "cluster-robust standard error over documents, or texts where there are none, in percentage points",
}


def read_summaries(paths: list[Path]) -> pd.DataFrame:
    """Return the summaries (see `textparity.studies.lexicon.summary`) as one frame."""
    return pd.concat([read_rows(path).to_pandas() for path in paths], ignore_index=True)


def with_average(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one corpus' rows of one procedure, English first, then by code, with the unweighted mean of all below."""
    rows = rows.sort_values("lang", key=lambda langs: langs.where(langs != "eng", ""))
    columns = [*PERCENT, "gap", "standard_error", "words", "coverage_percent"]
    average = rows[columns].mean().to_frame().T.assign(lang=AVERAGE, words=lambda row: row["words"].round())
    whole = rows.select_dtypes("integer").columns
    return pd.concat([rows.astype(dict.fromkeys(whole, "Int64")), average], ignore_index=True).astype(
        dict.fromkeys(whole, "Int64")
    )


def tabulate_distribution(
    summary: Path, table_csv: Path, table_latex: Path, corpus_name: str, unit: str, procedure: str
) -> None:
    """Write the gender distribution of one corpus by one procedure (the paper's Tables 3 and 4)."""
    summaries = read_summaries([summary])
    rows = with_average(_of_procedure(summaries, procedure))
    write_csv(rows.drop(columns=["verdict_in_one_unit"], errors="ignore"), table_csv)
    heads = _HEADS | (_VERDICT_HEADS if procedure == "corrected" else {})
    shown = rows.assign(gap_and_error=_gap_and_error(rows))[list(heads)].rename(columns=heads)
    write_latex(
        shown,
        table_latex,
        caption=(
            f"Gender distribution in {corpus_name} ({procedure}): masculine, feminine and unspecified person nouns in "
            f"percent of words, the gap between feminine and masculine ({_UNITS_NOTE[procedure]}), "
            f"and the share of {unit}s with a match. The most represented class is bold, the second underlined."
            + (f" {_verdict_note(rows)}" if procedure == "corrected" else "")
        ),
        label=f"tab:distribution-{table_csv.stem.split('_')[-1]}-{procedure}",
        formats=dict.fromkeys(("Feminine", "Masculine", "Unspecified"), "{:.3f}")
        | {"Words": "{:.0f}", "Matched (%)": "{:.1f}"}
        | dict.fromkeys(("p", "p (Holm)"), "{:.3f}"),
        ranked=["Feminine", "Masculine", "Unspecified"],
    )


def tabulate_overview(
    summaries: list[Path], table_csv: Path, table_latex: Path, corpus_names: dict[str, str], procedure: str
) -> None:
    """Write English and the average of every corpus by one procedure (the paper's Table 1)."""
    frame = read_summaries(summaries)
    frame = _of_procedure(frame, procedure)
    parts = []
    for corpus, rows in frame.groupby("corpus", sort=False):
        rows = with_average(rows).assign(resampling_unit=rows["resampling_unit"].iloc[0])
        rows = rows[rows["lang"].isin(["eng", AVERAGE])]
        parts.append(rows.assign(corpus=corpus_names[corpus], languages=frame["corpus"].eq(corpus).sum()))
    rows = pd.concat(parts, ignore_index=True)
    columns = ["corpus", "lang", *PERCENT, "gap", "standard_error", "coverage_percent", "languages"]
    if procedure == "corrected":
        columns.append("resampling_unit")
    write_csv(rows[columns], table_csv)
    shown = rows.assign(gap_and_error=_gap_and_error(rows))[
        ["corpus", "lang", *PERCENT, "gap_and_error", "coverage_percent"]
    ].rename(columns={"corpus": "Corpus"} | _HEADS)
    write_latex(
        shown,
        table_latex,
        caption=(
            f"Gender distribution ({procedure}) in English and on average over all languages; {_UNITS_NOTE[procedure]}."
        ),
        label=f"tab:overview-{procedure}",
        formats=dict.fromkeys(("Feminine", "Masculine", "Unspecified"), "{:.3f}") | {"Matched (%)": "{:.1f}"},
        ranked=["Feminine", "Masculine", "Unspecified"],
    )


def _of_procedure(summaries: pd.DataFrame, procedure: str) -> pd.DataFrame:
    """Return the rows of one procedure, without the columns of the other alone."""
    others = [column for name, columns in _ONLY_OF.items() if name != procedure for column in columns]
    return summaries[summaries["procedure"] == procedure].drop(columns=others, errors="ignore")


def _verdict_note(rows: pd.DataFrame) -> str:
    tested = rows["p_value"].notna().sum()
    units = " or ".join(f"{unit}s" for unit in sorted(rows["resampling_unit"].dropna().unique()))
    return (
        f"p: of the gap, over {units}; p (Holm): adjusted for the {tested} languages that have enough for a test; the "
        "verdict goes by it."
    )


def _gap_and_error(rows: pd.DataFrame) -> list[str]:
    return [f"{gap:.3f} ({error:.4f})" for gap, error in zip(rows["gap"], rows["standard_error"], strict=True)]


def tabulate_verdicts(summaries: list[Path], table_csv: Path, table_latex: Path, corpus_names: dict[str, str]) -> None:
    """Write how many languages each verdict has, by corpus: as published, with one unit, and corrected.

    A verdict that a procedure does not know has an empty cell.
    """
    frame = read_summaries(summaries)
    variants = {
        "published": ("published", "verdict", PUBLISHED_VERDICTS),
        "published, one unit": ("published", "verdict_in_one_unit", PUBLISHED_VERDICTS),
        "corrected, unadjusted": ("corrected", "verdict_unadjusted", VERDICTS),
        "corrected": ("corrected", "verdict", VERDICTS),
    }
    names = dict.fromkeys([*PUBLISHED_VERDICTS, *VERDICTS])
    rows = []
    for corpus, of_corpus in frame.groupby("corpus", sort=False):
        for variant, (procedure, column, known) in variants.items():
            counts = of_corpus.loc[of_corpus["procedure"] == procedure, column].value_counts()
            numbers = {name.replace(" ", "_"): int(counts.get(name, 0)) if name in known else None for name in names}
            rows.append({"corpus": corpus_names[corpus], "procedure": variant} | numbers | {"languages": counts.sum()})
    table = pd.DataFrame(rows)
    table = table.astype({name.replace(" ", "_"): "Int64" for name in names})
    write_csv(table, table_csv)
    write_latex(
        table.rename(columns=lambda name: name.replace("_", " ").capitalize()),
        table_latex,
        caption=(
            "Number of languages by verdict. Published: a gap in percent against two standard errors as fractions; "
            "one unit: the same counts with both in percentage points; corrected: corrected counts, a cluster-robust "
            "error over documents (or texts), unadjusted and adjusted by Holm for the languages of a corpus."
        ),
        label="tab:verdicts",
    )


def tabulate_correction(
    summaries: list[Path], table_csv: Path, table_latex: Path, corpus_names: dict[str, str]
) -> None:
    """Write how the correction moves the ratio masculine : feminine of each language, largest shift first."""
    frame = read_summaries(summaries)
    keys = ["corpus", "lang", "tokenizer", "stand_in"]
    values = ["words", "feminine", "masculine", "masculine_per_feminine", "verdict"]
    both = [frame[frame["procedure"] == procedure].set_index(keys) for procedure in PROCEDURES]
    table = (
        both[0][values]
        .join(both[1][[*values, "verdict_unadjusted"]], lsuffix="_published", rsuffix="_corrected")
        .reset_index()
    )
    table["shift"] = table["masculine_per_feminine_corrected"] - table["masculine_per_feminine_published"]
    # A ratio is compared on the logarithmic scale: 1:2 and 2:1 are equally far from 1:1.
    table["shift_percent"] = 100 * (
        table["masculine_per_feminine_corrected"] / table["masculine_per_feminine_published"] - 1
    )
    order = (
        (1 + table["shift_percent"] / 100).abs().map(_log_distance).sort_values(ascending=False, kind="stable").index
    )
    table = table.loc[order].assign(corpus=table["corpus"].map(corpus_names))
    write_csv(table, table_csv)
    shown = table[
        [
            "corpus",
            "lang",
            "masculine_per_feminine_published",
            "masculine_per_feminine_corrected",
            "shift_percent",
        ]
    ].set_axis(["Corpus", "Lang", "Published", "Corrected", "Change (%)"], axis="columns")
    write_latex(
        shown,
        table_latex,
        caption="Masculine per feminine person nouns, published and corrected, largest change first.",
        label="tab:correction",
        formats={"Published": "{:.3f}", "Corrected": "{:.3f}", "Change (%)": "{:+.1f}"},
    )


def _log_distance(factor: float) -> float:
    return abs(math.log(factor)) if factor > 0 and math.isfinite(factor) else -1.0
