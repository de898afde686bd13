"""The ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from textparity.report.ledger import (
    NOT_ASKED,
    NOT_RUN_KINDS,
    PublishedNumber,
    judge,
    list_gaps,
    read_published,
    write_ledger,
)
from textparity.studies.swapping.gender.evaluation import AS_RECORDED, ONCE
from textparity.studies.swapping.language.syntax import BY_RULE
from textparity.studies.swapping.names import (
    ALL,
    AUGMENTED,
    BESIDE_JOB,
    COMMON,
    CORRECTED,
    FEMININE,
    JOB,
    MASCULINE,
    MEASURES,
    ORIGINAL,
    PAPERS_CORPORA,
    PERS,
    PUBLISHED,
    TOTAL,
    TRAINING_DATA,
    WEIGHTED,
    WITH_EXCEPTIONS,
    recorded_titles_name,
)
from textparity.studies.swapping.scores import (
    ONE_WAY,
    PERSONS_METRIC,
    ROUND_TRIP,
    TITLE_MATCH,
    WORDS,
    read_scores,
)

# A table, row and column of the paper.
Key = tuple[str, str, str]
STUDY = "swapping"
_TOLERANCE = 0.05
_NOT_PART = f"{NOT_ASKED}: it is not part of this run"
_STAND_IN = "pymorphy3 and a rule stand in for Stanza"
_LISTS = "without the authors' lists male_words_list.txt and female_words_list.txt, which are not public"
_DEPUTIES = (
    "with the exceptions, any word of a title decides: a deputy of a head (заступник голови) is of common gender"
)
_LINES = (
    "the 1,513 lines are those where a search with word boundaries finds a title; 1,982 titles are those of all lines"
)
_REPEATED = "from the authors' lists, which begin with titles of a run that was broken off; corrected: each title once"
# Ours by procedure, a remark, and what is other in our setup.
GenderCell = tuple[Key, dict[str, float], str, str]
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
# In the list of what was not run, beside corpora; and the tables that it leaves empty.
RECOGNITION = "recognition"
RECOGNITION_TABLES = ("5", "6", "11")
PAPERS_ARCHITECTURE = "transformer"
_NOT_WEIGHTED = "the paper's is the score of all entities together; corrected is their weighted average"
# A procedure, a table, row and column, our value, the number of seeds, and a remark.
RecognitionCell = tuple[str, Key, float, int, str]


class Measured(NamedTuple):
    """Our value by the paper's procedure and by the corrected one, a remark, and what is other in our setup."""

    published: float
    corrected: float
    remark: str = ""
    setup: str = ""


def build_swapping_ledger(
    published: Path,
    entities: list[Path],
    composition: list[Path],
    recorded_recall: list[Path],
    swap_scores: list[Path],
    reviews: list[Path],
    name_bias: list[Path],
    ner_scores: list[Path],
    job_recall: list[Path],
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    architecture: str,
) -> None:
    """Write one row for each published number.

    `entities` is the table of entity counts, `composition` the tables of genders and of lines with a title,
    `recorded_recall` that of the authors' models, `swap_scores` a file a system, `reviews` and `name_bias` are tables,
    `ner_scores` and `job_recall` those of recognizers of an `architecture`; nothing where they are not run. `not_run`
    names what cannot be run, with the reason, and is written to `gaps`.
    """
    list_gaps(gaps, not_run)
    reasons = {what: reason for what, _, _, reason in not_run}
    # The recorded recall of the paper's own models, below, goes before ours of another.
    measured = recognition_numbers(ner_scores, job_recall, architecture)
    for path in entities:
        measured |= dict(_count_cells(pd.read_csv(path)))
    numbers = read_published(published)
    if composition:
        genders, job_lines = composition
        measured |= gender_numbers(genders, job_lines, recorded_recall, numbers)
    # Swapped outputs and reviews: Tables 2, 3, 8, §4.1.
    measured |= dict(swap_score_cells(swap_scores))
    measured |= {key: found for path in reviews for key, found in review_cells(path)}
    measured |= {key: found for path in name_bias for key, found in name_cells(path)}
    rows = []
    for number in numbers:
        key = (number.table, number.row, number.column)
        found = measured.get(key) or Measured(math.nan, math.nan, _why_not(number, reasons))
        remarks = [found.remark, number.note]
        if math.isnan(found.published) and not found.remark.startswith(NOT_RUN_KINDS):
            remarks.insert(0, _NOT_PART)
        elif found.setup and (lists := reasons.get(_recorded(number))):
            remarks.append(f"the authors' own lists: {lists}")
        reason = "; ".join(filter(None, remarks))
        rows.append(judge(STUDY, number, found.published, found.corrected, _TOLERANCE, reason, found.setup))
    write_ledger(rows, ledger)


def _why_not(number: PublishedNumber, reasons: dict[str, str]) -> str:
    """Return why there is no number of ours: that of its system, lists or recognizers, or of the corpora."""
    names = [number.row, _recorded(number), RECOGNITION if number.table in RECOGNITION_TABLES else "", *PAPERS_CORPORA]
    return next((reasons[name] for name in names if name in reasons), "")


def _recorded(number: PublishedNumber) -> str:
    """Return the name, among what was not run, of the authors' lists that a number is made of."""
    return recorded_titles_name(number.column.removesuffix("_recall")) if number.table == "6" else ""


def _count_cells(counts: pd.DataFrame) -> Iterator[tuple[Key, Measured]]:
    """Yield Table 4 (by corpus) and Table 7 (the original by subcorpus)."""
    for corpus, subcorpus, label, entities in counts.itertuples(index=False):
        measured = Measured(entities, entities)
        if subcorpus == TOTAL:
            yield ("4", label, corpus), measured
        if corpus == ORIGINAL:
            yield ("7", label, subcorpus), measured


def gender_numbers(
    composition: Path, job_lines: Path, recall: list[Path], numbers: list[PublishedNumber]
) -> dict[Key, Measured]:
    """Return ours by the paper's procedure with its exceptions and by the corrected one.

    The remark has the result without the exceptions where it is another at the paper's precision.
    """
    decimals = {(number.table, number.row, number.column): len(number.value.partition(".")[2]) for number in numbers}
    found: dict[Key, Measured] = {}
    cells = [*_composition_cells(pd.read_csv(composition))]
    cells += [cell for path in recall for cell in _recorded_recall_cells(pd.read_csv(path))]
    for key, by_procedure, remark, setup in cells:
        ours, plain, corrected = (by_procedure[name] for name in (WITH_EXCEPTIONS, PUBLISHED, CORRECTED))
        if key in decimals and f"{ours:.{decimals[key]}f}" != f"{plain:.{decimals[key]}f}":
            remark = "; ".join(filter(None, [remark, f"without the hand-made exceptions {plain:.4g}"]))
        found[key] = Measured(ours, corrected, remark, setup)
    return found | dict(_line_cells(pd.read_csv(job_lines)))


def _composition_cells(table: pd.DataFrame) -> Iterator[GenderCell]:
    for (sample, subcorpus, label), rows in table.groupby(["sample", "subcorpus", "label"]):
        setup = _setup(rows, label)
        by_gender = rows.set_index(["gender", "procedure"])
        totals = rows.groupby("procedure")["count"].sum().to_dict()
        for table_number, row in _places(sample, subcorpus, label):
            yield (table_number, row, "total"), totals, "", ""
            for gender in by_gender.index.unique("gender"):
                counts, percents = by_gender.loc[gender, "count"], by_gender.loc[gender, "percent"]
                # No name has a common gender, by any procedure.
                other = "" if label == PERS and gender == COMMON else setup
                said = _DEPUTIES if label == JOB and gender in (MASCULINE, COMMON) else ""
                yield (table_number, row, gender), counts.to_dict(), said, other
                yield (table_number, row, f"{gender}_percent"), percents.to_dict(), said, other


def _places(sample: str, subcorpus: str, label: str) -> Iterator[tuple[str, str]]:
    """Yield the tables and rows in which a group stands."""
    if sample == BESIDE_JOB:
        yield "1", f"{subcorpus}, {label}"
        if subcorpus == TOTAL:
            yield "§4.1", "ner_uk, JOB" if label == JOB else "ner_uk, lines with JOB, PERS"
    elif subcorpus == TOTAL and sample in (ORIGINAL, AUGMENTED):
        yield "9" if label == JOB else "10", sample


def _recorded_recall_cells(table: pd.DataFrame) -> Iterator[GenderCell]:
    for (model, gender), rows in table.groupby(["model", "gender"]):
        recall = rows.set_index(["records", "procedure"])["recall"]
        by_procedure = {name: recall[AS_RECORDED, name] for name in (WITH_EXCEPTIONS, PUBLISHED)}
        by_procedure[CORRECTED] = recall[ONCE, CORRECTED]
        yield ("6", gender, f"{model}_recall"), by_procedure, _REPEATED, _setup(rows, JOB)


def _line_cells(table: pd.DataFrame) -> Iterator[tuple[Key, Measured]]:
    totals = table[table["subcorpus"] == TOTAL].set_index("lines")
    row = "ner_uk, lines with JOB"
    for column, name in (("lines", "number"), (PERS, PERS)):
        by_words, annotated = (totals.loc[which, name] for which in ("published", "corrected"))
        yield ("§4.1", row, column), Measured(by_words, annotated, _LINES)
    everything = totals.loc["corrected", JOB]
    found = totals.loc["published", JOB]
    yield ("§4.1", row, JOB), Measured(everything, everything, f"{_LINES}; those 1,513 lines have {found}")


def _setup(rows: pd.DataFrame, label: str) -> str:
    stand_in = _STAND_IN if (rows["method"] == BY_RULE).any() else ""
    return "; ".join(filter(None, [stand_in, _LISTS if label == JOB else ""]))


def swap_score_cells(scores: list[Path]) -> Iterator[tuple[Key, Measured]]:
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


def review_cells(table: Path) -> Iterator[tuple[Key, Measured]]:
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


def name_cells(table: Path) -> Iterator[tuple[Key, Measured]]:
    """Yield §4.1.5, the most frequent feminine name of the fine-tuned system; others stand in the remark."""
    rows = pd.read_csv(table)
    first = rows[(rows["gender"] == FEMININE) & (rows["rank"] == 1)].set_index(["procedure", "system"])
    if (PUBLISHED, FINE_TUNED) in first.index and (CORRECTED, FINE_TUNED) in first.index:
        published, corrected = (first.loc[(procedure, FINE_TUNED), "share"] for procedure in (PUBLISHED, CORRECTED))
        others = ", ".join(f"{row.Index} {row.name} {row.share:.1f}" for row in first.loc[CORRECTED].itertuples())
        key = ("§4.1", FINE_TUNED, "most_frequent_feminine_name_percent")
        yield key, Measured(published, corrected, f"corrected, by system: {others}", _NAMES)


def recognition_numbers(scores: list[Path], recall: list[Path], architecture: str) -> dict[Key, Measured]:
    """Return means over seeds by both procedures; a smaller model than the paper's is another setup."""
    cells = [cell for path in scores for cell in _ner_score_cells(pd.read_csv(path))]
    cells += [cell for path in recall for cell in _job_recall_cells(pd.read_csv(path))]
    values: dict[Key, dict[str, float]] = {}
    remarks: dict[Key, str] = {}
    for procedure, key, value, seeds, remark in cells:
        values.setdefault(key, {})[procedure] = value
        remarks[key] = "; ".join(filter(None, [f"mean of {seeds} seeds", remark]))
    is_papers = architecture == PAPERS_ARCHITECTURE
    setup = "" if is_papers else f"{architecture}, a small model for the CPU, stands in for RoBERTa-large"
    return {
        key: Measured(found.get("published", math.nan), found.get("corrected", math.nan), remarks[key], setup)
        for key, found in values.items()
    }


def _ner_score_cells(scores: pd.DataFrame) -> Iterator[RecognitionCell]:
    """Yield Table 11, and Table 5, which is part of it."""
    for row in scores.to_dict("records"):
        label, remark = row["label"], ""
        # What the paper calls weighted average is the score of all entities together.
        if label in (ALL, WEIGHTED):
            if (label == ALL) != (row["procedure"] == "published"):
                continue
            label, remark = WEIGHTED, _NOT_WEIGHTED
        for data, measure in itertools.product(TRAINING_DATA, MEASURES):
            if (column := f"{data}_{measure}") in row:
                for table in ("5", "11"):
                    key = (table, f"{row['test_set']}, {label}", column)
                    yield row["procedure"], key, row[column], row["seeds"], remark


def _job_recall_cells(recall: pd.DataFrame) -> Iterator[RecognitionCell]:
    """Yield Table 6, which is of the augmented test set."""
    for row in recall[recall["test_set"] == AUGMENTED].to_dict("records"):
        for data in TRAINING_DATA:
            if (column := f"{data}_recall") in row:
                yield row["procedure"], ("6", row["gender"], column), row[column], row["seeds"], ""
