"""Systems beside each other: their scores, and paired differences on the same items (Nahurna 2025, Tables 3 and 8)."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import Bootstrap, bootstrap_ratios, random_generator
from textparity.report.tables import show_interval, write_csv, write_latex
from textparity.studies.swapping.candidates.outputs import load_outputs, load_sentence_entities
from textparity.studies.swapping.name_bias import REVIEWED, measure_name_bias, plot_name_bias
from textparity.studies.swapping.names import ALL, UNCHANGED
from textparity.studies.swapping.scores import (
    BLANK,
    ONE_WAY,
    PERSONS_METRIC,
    ROUND_TRIP,
    SENTENCES,
    STRATA,
    TITLE_MATCH,
    measure_items,
    read_pairs,
    read_scores,
)
from textparity.studies.swapping.scoring.metrics import Pair
from textparity.studies.swapping.scoring.reviews import tabulate_reviews

DIFFERENCE_COLUMNS = [
    "direction", "items", "metric", "procedure", "system", "other", "difference", "difference_low",
    "difference_high", "count",
]  # fmt: skip
# In the LaTeX table.
_SHOWN_ITEMS, _SHOWN_METRICS = (ALL, SENTENCES), ("exact_match", PERSONS_METRIC, TITLE_MATCH, "rouge_l")
_KEYS = ["direction", "items", "metric", "procedure"]
_VALUES = ["value", "low", "high", "count", "reason"]


def tabulate_outputs(
    outputs: list[Path],
    scores: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    published_reviews: list[Path],
    counts: Path,
    figures: list[Path],
    tidied: list[str],
    names: dict[str, str],
    bootstrap: Bootstrap,
    scores_csv: Path | None = None,
    scores_latex: Path | None = None,
    differences_csv: Path | None = None,
    differences_latex: Path | None = None,
    reviews_csv: Path | None = None,
    reviews_latex: Path | None = None,
    names_csv: Path | None = None,
    **word_lists: Path,
) -> None:
    """Write the tables of systems, of reviewers and of names, and draw the names: those that there is anything for."""
    if scores_csv and scores_latex:
        tabulate_swap_scores(scores, scores_csv, scores_latex, names)
    if differences_csv and differences_latex:
        compare_outputs(
            outputs, parallel, documents, entities, differences_csv, differences_latex, tidied, names, bootstrap
        )
    if reviews_csv and reviews_latex:
        tabulate_reviews(
            published_reviews, parallel, documents, entities, counts, reviews_csv, reviews_latex, **word_lists
        )
    if names_csv:
        swapped = [path for path in outputs if path.stem != UNCHANGED]
        measure_name_bias(swapped, published_reviews, names_csv, **word_lists)
        plot_name_bias(names_csv, figures, names | {REVIEWED: "Reviewed sentences"})


def compare_outputs(
    outputs: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    table_csv: Path,
    table_latex: Path,
    tidied: list[str],
    names: dict[str, str],
    bootstrap: Bootstrap,
) -> None:
    """Write the difference (system - other) of each two systems with the same items, with bootstrap intervals.

    Both systems' items are resampled together. Systems are the names of the files of `outputs`; those of `tidied` are
    tidied as published. Titles are divided by titles for all; BLEU and BERTScore, which are not sums over items here,
    are not compared. A direction in which one of the two has no output has no rows. The intervals are of each
    difference alone: they are not widened for how many there are.
    """
    known = load_sentence_entities(parallel, documents, entities)
    rows_of = {path.stem: load_outputs(path) for path in outputs}
    found = []
    for direction in (ONE_WAY, ROUND_TRIP):
        pairs_of = {system: read_pairs(rows, direction, known, system in tidied) for system, rows in rows_of.items()}
        for procedure in PROCEDURES:
            measured = {system: measure_items(pairs, procedure == "corrected") for system, pairs in pairs_of.items()}
            for first, second in itertools.combinations(pairs_of, 2):
                if not _are_comparable(pairs_of[first], pairs_of[second]):
                    continue
                (parts, wholes), (others, _) = measured[first], measured[second]
                for items, is_chosen in STRATA.items():
                    chosen = np.array([is_chosen(pair) for pair in pairs_of[first]])
                    metrics = [name for name in parts if name != BLANK and wholes[name][chosen].any()]
                    if not metrics:
                        continue
                    differences = np.stack([(parts[name] - others[name])[chosen] for name in metrics])
                    divisors = np.stack([wholes[name][chosen] for name in metrics])
                    generator = random_generator(bootstrap.seed, "swap_differences", direction, items, procedure)
                    intervals = bootstrap_ratios(differences, divisors, bootstrap, generator)
                    for name, difference, divisor, interval in zip(
                        metrics, differences, divisors, intervals, strict=True
                    ):
                        value = difference.sum() / divisor.sum()
                        count = int(divisor.sum()) if name == TITLE_MATCH else int(chosen.sum())
                        keys = (direction, items, name, procedure, first, second)
                        found.append([*keys, value, interval.low, interval.high, count])
    table = pd.DataFrame(found, columns=DIFFERENCE_COLUMNS)
    write_csv(table, table_csv)
    _write_latex(table, table_latex, names)


def _are_comparable(first: list[Pair], second: list[Pair]) -> bool:
    """Whether both have the same items, and any output."""
    return [pair.reference for pair in first] == [pair.reference for pair in second] and all(
        any(pair.output.strip() for pair in pairs) for pairs in (first, second)
    )


def _write_latex(table: pd.DataFrame, path: Path, names: dict[str, str]) -> None:
    shown = table[
        (table["direction"] == ONE_WAY)
        & (table["procedure"] == "corrected")
        & table["items"].isin(_SHOWN_ITEMS)
        & table["metric"].isin(_SHOWN_METRICS)
    ]
    cells = {
        "system": shown["system"].replace(names),
        "other": shown["other"].replace(names),
        "items": shown["items"],
        "metric": shown["metric"].str.replace("_", " "),
        # Without the sign of what rounds to zero.
        "difference": shown["difference"].round(2) + 0.0,
        "interval": [
            show_interval(low, high)
            for low, high in zip(shown["difference_low"], shown["difference_high"], strict=True)
        ],
    }
    write_latex(
        pd.DataFrame(cells),
        path,
        caption="Paired differences of scores (system - other), one way, corrected, with bootstrap intervals over"
        " items.",
        label="tab:swap-differences",
        formats={"difference": "{:+.2f}"},
    )


def tabulate_swap_scores(scores: list[Path], table_csv: Path, table_latex: Path, names: dict[str, str]) -> None:
    """Write one row for each direction, kind of items, metric and procedure, with the columns of each system.

    `names` are the systems' names for the LaTeX table, which has the corrected values and their intervals of all items
    and of sentences.
    """
    frames = []
    for system, rows in read_scores(scores).items():
        frame = pd.DataFrame(rows).set_index(_KEYS)[_VALUES]
        frames.append(
            frame.rename(columns={name: system if name == "value" else f"{system}_{name}" for name in _VALUES})
        )
    table = pd.concat(frames, axis="columns").reset_index()
    write_csv(table, table_csv)
    shown = table[table["items"].isin([ALL, SENTENCES])]
    cells = {"direction": _words(shown["direction"]), "items": shown["items"], "metric": _words(shown["metric"])}
    cells["procedure"] = shown["procedure"]
    for path in scores:
        system = path.stem
        cells[names.get(system, system)] = [
            "--" if pd.isna(value) else f"{value:.2f} ({show_interval(low, high)})"
            for value, low, high in zip(shown[system], shown[f"{system}_low"], shown[f"{system}_high"], strict=True)
        ]
    write_latex(
        pd.DataFrame(cells),
        table_latex,
        caption="Scores of swapped outputs with bootstrap intervals over items, as published and corrected.",
        label="tab:swap-scores",
    )


def _words(column: pd.Series) -> pd.Series:
    return column.str.replace("_", " ")
