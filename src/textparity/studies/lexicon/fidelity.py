"""How far the `icu` engine is from the paper's tokenizer, per language and corpus."""

from pathlib import Path

from textparity.measures.lexicon import CLASSES
from textparity.report.tables import write_csv, write_latex
from textparity.studies.lexicon.tables import read_summaries


def tabulate_fidelity(summaries: list[Path], table_csv: Path, table_latex: Path, corpus_names: dict[str, str]) -> None:
    """Write, per corpus and language, words, rates and ratio of both engines (corrected procedure), and differences.

    Differences are `icu` minus `published`: words in percent, rates and coverage in percentage points.
    """
    frame = read_summaries(summaries)
    frame = frame[frame["procedure"] == "corrected"].set_index(["corpus", "lang"])
    values = [
        "words", *(f"{name}_percent" for name in CLASSES), "masculine_per_feminine", "coverage_percent", "tokenizer",
        "stand_in",
    ]  # fmt: skip
    engines = {engine: rows[values] for engine, rows in frame.groupby("engine")}
    table = engines["published"].join(engines["icu"], lsuffix="_published", rsuffix="_icu", how="inner").reset_index()
    table["words_difference_percent"] = 100 * (table["words_icu"] / table["words_published"] - 1)
    for name in [*CLASSES, "coverage"]:
        table[f"{name}_difference"] = table[f"{name}_percent_icu"] - table[f"{name}_percent_published"]
    differences = ["words_difference_percent", *(f"{name}_difference" for name in [*CLASSES, "coverage"])]
    table = table.drop(columns=["stand_in_icu"]).rename(columns={"stand_in_published": "stand_in"})
    table = table.assign(corpus=table["corpus"].map(corpus_names))
    write_csv(table, table_csv)
    shown = table[["corpus", "lang", *differences, "stand_in"]].assign(
        stand_in=table["stand_in"].map({True: "stand-in", False: ""})
    )
    write_latex(
        shown.set_axis(
            ["Corpus", "Lang", "Words (%)", "Feminine", "Masculine", "Unspecified", "Matched", "Model"],
            axis="columns",
        ),
        table_latex,
        caption=(
            "Fidelity of the icu engine: its difference from the paper's tokenizer, corrected procedure; words in "
            "percent, the rest in percentage points. Stand-in: the official model was not available."
        ),
        label="tab:fidelity",
        formats={"Words (%)": "{:+.1f}", "Matched": "{:+.1f}"}
        | dict.fromkeys(("Feminine", "Masculine", "Unspecified"), "{:+.3f}"),
    )
