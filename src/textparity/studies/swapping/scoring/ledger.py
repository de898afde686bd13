"""The ledger rows on swapped outputs and their review: Nahurna 2025, Tables 2, 3 and 8, §4.1."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.studies.swapping.measured import Key, Measured
from textparity.studies.swapping.names import FEMININE
from textparity.studies.swapping.scoring.name_bias import GENERATED, PUBLISHED
from textparity.studies.swapping.scoring.scores import (
    ALL,
    ONE_WAY,
    PERSONS_METRIC,
    ROUND_TRIP,
    TITLE_MATCH,
    WORDS,
    read_scores,
)

Cell = tuple[Key, Measured]
TABLES = {ONE_WAY: "3", ROUND_TRIP: "8"}
GPT, AYA, FINE_TUNED = "gpt-4o-mini", "aya-101", "aya-101-fine-tuned"
_SETUPS = {
    PERSONS_METRIC: (
        "their persons are found by the recognizer uk_ner_web_trf_13class, which is not here; ours are annotated in "
        "the reference, and any name may stand in their place"
    ),
    TITLE_MATCH: (
        "their titles are found by the recognizer uk_ner_web_trf_13class on both sides and compared in order; ours are "
        "annotated in the reference and searched for in the output"
    ),
}
_SPACES = "corrected: white space does not count"
_REMARKS = {
    "exact_match": _SPACES,
    PERSONS_METRIC: "white space does not count here, as it does in exact match",
    "bleu": "corrected: Unicode punctuation is cut off",
    "rouge_l": "their tokenizer keeps ASCII alone: a text without any scores 0; corrected: letters of any script",
    "token_count_match": "spaCy's rules, where line ends and double spaces count; corrected: words",
}
_TIDIED = "of outputs with capital and full stop taken over from the input, unlike exact match, BLEU and ROUGE-L"
_BY_SYSTEM = {
    ("3", AYA, "token_count_match"): "364 of 523 in their notebook, cut off and not rounded",
    ("3", AYA, PERSONS_METRIC): "0.2256 in their notebook, cut off and not rounded",
    ("8", GPT, "bleu"): "0.8552 in their notebook, cut off and not rounded",
    ("3", FINE_TUNED, TITLE_MATCH): "0.8265 in their notebook, cut off and not rounded",
    ("8", FINE_TUNED, TITLE_MATCH): "0.8792 in their notebook, cut off and not rounded",
    ("8", FINE_TUNED, PERSONS_METRIC): "0.7400 in their notebook, cut off and not rounded",
}
_NAMES = "their names are words of persons found by the recognizer, looked up in dict_uk; ours are found by pymorphy3"
_DICTIONARY = "their heads come of Stanza's parser; ours is any word of the title"


def swap_score_cells(scores: list[Path]) -> Iterator[Cell]:
    """Yield Tables 3 and 8: all items of each system."""
    for system, rows in read_scores(scores).items():
        counts = {row["items"]: row["count"] for row in rows if row["metric"] == "exact_match"}
        kinds = f"{counts[WORDS]:.0f} of {counts[ALL]:.0f} items are single words"
        values = {(row["direction"], row["metric"], row["procedure"]): row for row in rows if row["items"] == ALL}
        for (direction, metric, procedure), row in values.items():
            if procedure != "published":
                continue
            table = TABLES[direction]
            remarks = [
                row["reason"],
                kinds if metric == "exact_match" else "",
                _REMARKS.get(metric),
                _TIDIED if system == AYA and metric in (*_SETUPS, "token_count_match") else "",
                _BY_SYSTEM.get((table, system, metric)),
            ]
            corrected = values[direction, metric, "corrected"]["value"]
            reason = "; ".join(remark for remark in remarks if isinstance(remark, str) and remark)
            yield (table, system, metric), Measured(row["value"], corrected, reason, _SETUPS.get(metric, ""))


def review_cells(table: Path) -> Iterator[Cell]:
    """Yield Table 2 and §4.1.3."""
    for row in pd.read_csv(table, keep_default_na=False).to_dict("records"):
        measure, found = row["measure"], Measured(float(row["published"]), float(row["corrected"]), row["remark"])
        kind, _, pair = measure.partition(": ")
        if pair:
            yield ("2", pair, kind), found
        elif measure == "JOB_pairs_in_dictionary_percent":
            yield ("§4.1", "parallel sentences", measure), found._replace(setup=_DICTIONARY)
        elif measure == "dictionary_entries":
            yield ("§4.1", "gender pairs dictionary", "entries"), found
        else:
            of_pairs = measure in ("pairs", "JOB", "PERS")
            yield ("§4.1", "parallel sentences" if of_pairs else "reviews", measure), found


def name_cells(table: Path) -> Iterator[Cell]:
    """Yield §4.1.5, the most frequent feminine name of the fine-tuned system; others stand in the remark."""
    rows = pd.read_csv(table)
    first = rows[(rows["gender"] == FEMININE) & (rows["rank"] == 1)].set_index(["procedure", "system"])
    if (PUBLISHED, FINE_TUNED) in first.index and (GENERATED, FINE_TUNED) in first.index:
        published, corrected = (first.loc[(procedure, FINE_TUNED), "share"] for procedure in (PUBLISHED, GENERATED))
        others = ", ".join(f"{row.Index} {row.name} {row.share:.1f}" for row in first.loc[GENERATED].itertuples())
        key = ("§4.1", FINE_TUNED, "most_frequent_feminine_name_percent")
        yield key, Measured(published, corrected, f"corrected, by system: {others}", _NAMES)
