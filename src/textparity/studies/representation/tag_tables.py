"""Tables 1, 2, 5, 6 and 10 of Derner 2025: what a language model tagged in corpora."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from textparity.corpora.rows import read_metadata, read_rows
from textparity.files import atomic_path
from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import bootstrap_ratios, percentage, random_generator
from textparity.report.tables import show_count, show_intervals, write_csv, write_latex
from textparity.studies.representation.answers import REPAIRS
from textparity.studies.representation.tag_counts import COUNTS, ERROR, FURTHER_EXAMPLES, PROBLEMS, STATUSES
from textparity.studies.representation.tags import GENDERS

RATIO = "person_masculine_per_feminine"


def summarise_tags(
    tags: list[Path],
    summary: Path,
    corpora: list[str],
    langs: list[str],
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Write L_{p,g} and the ratio L_{P,M} : L_{P,F} with its interval per corpus, language and procedure (Parquet).

    Counts are means over runs; intervals are a bootstrap over sentences. `corrected` also has the ratio without epicene
    words. A corpus whose answers are not all there has a `reason` and no numbers.
    """
    rows = []
    for corpus, lang, path in zip(corpora, langs, tags, strict=True):
        metadata = read_metadata(path)
        key = {"corpus": corpus, "lang": lang, "tagger": metadata["tagger"], "runs": metadata["runs"]}
        for procedure in PROCEDURES:
            row = key | {"procedure": procedure, "reason": metadata["reason"]}
            if not metadata["missing"]:
                # The same resamples for both procedures: where they count alike, their intervals are equal.
                generator = random_generator(seed, corpus, lang, metadata["tagger"])
                row |= _summarise(path, procedure, metadata["runs"], resamples, confidence_level, generator)
            rows.append(row)
    with atomic_path(summary) as part:
        pd.DataFrame(rows).to_parquet(part, index=False, compression="zstd")


def _summarise(
    tags: Path, procedure: str, runs: int, resamples: int, confidence_level: float, generator: np.random.Generator
) -> dict[str, Any]:
    frame = read_rows(tags).drop_columns(["run", "status", "words"]).to_pandas()
    texts = frame.groupby("id", sort=False).sum()
    totals = {name: texts[f"{procedure}_{name}"].sum() / runs for name in COUNTS}
    ratios = {RATIO: [texts[f"{procedure}_person_{gender}"].to_numpy() for gender in GENDERS.values()]}
    if procedure == "corrected":
        epicene = [texts[f"corrected_epicene_{gender}"].to_numpy() for gender in GENDERS.values()]
        ratios[f"{RATIO}_without_epicene"] = [a - b for a, b in zip(ratios[RATIO], epicene, strict=True)]
        totals |= {
            f"epicene_{gender}": part.sum() / runs for gender, part in zip(GENDERS.values(), epicene, strict=True)
        }
    masculine, feminine = (np.stack(side) for side in zip(*ratios.values(), strict=True))
    intervals = bootstrap_ratios(masculine, feminine, resamples, confidence_level, generator)
    row = {"texts": len(texts)} | totals
    for name, (above, below), interval in zip(ratios, ratios.values(), intervals, strict=True):
        row[name] = above.sum() / below.sum() if below.sum() else float("nan")
        row |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return row


def tabulate_tags(
    summary: Path, table_csv: Path, table_latex: Path, corpus_names: dict[str, str], procedure: str
) -> None:
    """Write the counts and the ratio per corpus by one procedure (the paper's Tables 5 and 6, and 1 and 2)."""
    frame = read_rows(summary).to_pandas()
    rows = frame[(frame["procedure"] == procedure) & (frame["reason"] == "")]
    rows = rows.assign(corpus=rows["corpus"].map(corpus_names)).drop(columns=["procedure", "reason"])
    if procedure == "published":
        rows = rows.drop(columns=[name for name in rows if "epicene" in name])
    write_csv(rows, table_csv)
    shown = rows.reindex(columns=["corpus", "lang", "tagger", *COUNTS, RATIO]).assign(
        interval=show_intervals(rows, RATIO)
    )
    names = ["L*,M", "L*,F", "LN,*", "LP,*", "LP,M", "LP,F"]
    formats = dict.fromkeys(names, show_count) | {"LP,M : LP,F": "{:.2f} : 1"}
    columns = ["Dataset", "Lang", "Model", *names, "LP,M : LP,F", "Interval"]
    if procedure == "corrected":
        name = f"{RATIO}_without_epicene"
        shown["without"] = rows.get(name, np.nan)
        columns.append("Without epicene")
        formats["Without epicene"] = "{:.2f} : 1"
    write_latex(
        shown.set_axis(columns, axis="columns"),
        table_latex,
        caption=(
            f"Words that a language model tagged ({procedure}): masculine and feminine, for persons (P) or not (N), "
            "and masculine : feminine person words with a bootstrap interval over sentences."
        ),
        label=f"tab:tags-{procedure}",
        formats=formats,
    )


def tabulate_epicene(tags: list[Path], table_csv: Path, table_latex: Path, langs: list[str]) -> None:
    """Write how often each epicene word was tagged as a person, over all corpora of a language (Table 10).

    Frequencies are means over runs; `percent_of_person` is of all person words of the language.
    """
    frequencies: dict[tuple[str, str, str, str], float] = {}
    persons: dict[tuple[str, str], float] = {}
    for lang, path in zip(langs, tags, strict=True):
        metadata = read_metadata(path)
        if metadata["missing"]:
            continue
        key = (lang, metadata["tagger"])
        table = read_rows(path, columns=["words", "corrected_person"])
        persons[key] = persons.get(key, 0) + sum(table["corrected_person"].to_pylist()) / metadata["runs"]
        for words in table["words"].to_pylist():
            for word in words:
                if word["epicene"] and not word["skipped"]:
                    entry = (*key, word["word"].lower(), GENDERS[word["gender"]])
                    frequencies[entry] = frequencies.get(entry, 0) + 1 / metadata["runs"]
    ordered = sorted(frequencies.items(), key=lambda item: (item[0][:2], -item[1], item[0]))
    rows = [(*entry, count, percentage(count, persons[entry[:2]])) for entry, count in ordered]
    table = pd.DataFrame(rows, columns=["lang", "tagger", "word", "gender", "frequency", "percent_of_person"])
    write_csv(table, table_csv)
    write_latex(
        table.set_axis(["Lang", "Model", "Word", "Gender", "Frequency", "Of person words (%)"], axis="columns"),
        table_latex,
        caption="Epicene words tagged as persons: their grammatical gender says nothing of who is meant.",
        label="tab:epicene",
        formats={"Frequency": show_count, "Of person words (%)": "{:.1f}"},
    )


def tabulate_answers(tags: list[Path], table_csv: Path, names: list[str]) -> None:
    """Write how the answers could be read: per set of texts and model, answers by status, and repairs by name."""
    rows = []
    for name, path in zip(names, tags, strict=True):
        metadata = read_metadata(path)
        words = pc.sum(pc.list_value_length(read_rows(path, columns=["words"])["words"])).as_py() or 0
        repairs = ("code fence", "echo", FURTHER_EXAMPLES, *REPAIRS)
        rows.append(
            {"texts": name, "tagger": metadata["tagger"], "runs": metadata["runs"]}
            | {"answers": metadata["answers"], "missing": metadata["missing"]}
            | {_column(status): metadata["statuses"].get(status, 0) for status in STATUSES if status != ERROR}
            | {"words": words}
            | {_column(problem): metadata["problems"][problem] for problem in PROBLEMS}
            | {f"repaired_{_column(repair)}": metadata["repairs"].get(repair, 0) for repair in repairs}
        )
    write_csv(pd.DataFrame(rows), table_csv)


def _column(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")
