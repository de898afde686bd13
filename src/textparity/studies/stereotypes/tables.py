"""All tables of the study.

Of generated sentences: how many of each kind (Table V), examples (Table III), and what was rejected why.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import Bootstrap, percentage
from textparity.report.tables import write_csv, write_latex
from textparity.studies.stereotypes.annotation import measure_agreement
from textparity.studies.stereotypes.coded_lexicons import measure_coded_lexicons
from textparity.studies.stereotypes.human_text import read_human_sentences
from textparity.studies.stereotypes.published_gaps import tabulate_published_gaps
from textparity.studies.stereotypes.scores import tabulate_classification, tabulate_human_text
from textparity.studies.stereotypes.sentence_checks import REASONS
from textparity.studies.stereotypes.sentences import CONSISTENT, CONTRADICTORY, KINDS

EXAMPLES = 3
UNIT = ["lexicon", "generator", "set"]
_REJECTION_COLUMNS = [*UNIT, "tries", "kind", "reason", "count", "with_fault", "remaining"]


def tabulate_stereotypes(
    published: Path,
    lexicons: list[Path],
    answers: list[Path],
    all_sentences: list[Path],
    rejected: list[Path],
    predictions: list[Path],
    human_predictions: list[Path],
    human_text: list[Path],
    annotations: list[Path],
    sample_keys: list[Path],
    names: list[str],
    forms: list[str],
    datasets: list[list[str]],
    sets: list[list[Any]],
    classified: list[list[str]],
    human_experiments: list[list[str]],
    bootstrap: Bootstrap,
    **tables: Path,
) -> None:
    """Write each of `tables` from the inputs that it needs; the plan says which there are.

    Params say of what the inputs and outputs are, in their order: `names` and `forms` of `lexicons`, `datasets`
    (lexicon, generator) of `sample_keys`, `sets` (also the number) of answers and sentences, and
    `classified` and `human_experiments` of predictions.
    """
    seed = bootstrap.seed

    def those_of(*files: str) -> dict[str, Path]:
        return {name: path for name, path in tables.items() if name.rpartition("_")[0] in files}

    measure_coded_lexicons(lexicons, names=names, forms=forms, **those_of("coded_lexicons"))
    gaps = those_of("published_gaps", "published_spreads", "detectable_gaps")
    tabulate_published_gaps(published, seed=seed, **gaps)
    if sets:
        found = those_of("sentences", "rejections", "tries", "examples")
        tabulate_sentences(answers, all_sentences, rejected, units=sets, seed=seed, **found)
    if annotations:
        found = those_of("agreement", "agreement_levels", "agreement_sentences")
        measure_agreement(sample_keys, annotations, names=list(map(".".join, datasets)), **found)
    if classified:
        found = those_of("classification", "classification_by_set")
        tabulate_classification(predictions, datasets=classified, bootstrap=bootstrap, **found)
    if human_experiments:
        write_csv(read_human_sentences(*human_text), tables["human_sentences_csv"])
        found = those_of("human_text")
        tabulate_human_text(human_predictions, experiments=human_experiments, bootstrap=bootstrap, **found)


def tabulate_sentences(
    answers: list[Path],
    all_sentences: list[Path],
    rejected: list[Path],
    sentences_csv: Path,
    sentences_latex: Path,
    rejections_csv: Path,
    tries_csv: Path,
    examples_csv: Path,
    units: list[list[Any]],
    seed: int,
) -> None:
    """Write the tables of all sets; `units` are lexicon, generator and number of the set of each file.

    `rejections_csv` follows the checks in their order, of the first attempt and of all: `count` sentences (or answers
    without one) rejected there, `with_fault` those that it holds for at all, `remaining` those left. `tries_csv` says
    what each attempt asked and brought.
    """
    sizes, rejections, tries, examples = [], [], [], []
    for unit, asked_file, file, rejected_file in zip(units, answers, all_sentences, rejected, strict=True):
        names = dict(zip(UNIT, unit, strict=True))
        sentences = pd.read_csv(file, keep_default_na=False)
        without = pd.read_csv(rejected_file, keep_default_na=False)
        without = without[without["text"] == ""].rename(columns={"reason": "reasons"})
        passed = sentences[sentences["reasons"] == ""]
        sizes += [
            names | {"procedure": procedure} | _sizes(some)
            for procedure, some in zip(PROCEDURES, (sentences[sentences["attempt"] == 1], passed), strict=True)
        ]
        items = pd.concat([sentences, without])[["kind", "attempt", "reasons"]]
        rejections += [names | row for row in _rejections(items)]
        tries += [names | row for row in _tries(asked_file, items)]
        if names["set"] == 1:
            examples += [names | row for row in _examples(passed, seed)]
    frame = pd.DataFrame(sizes)
    write_csv(frame, sentences_csv)
    caption = "Generated sentences of each kind: all of the first try (published), those that pass (corrected)."
    write_latex(_latex_frame(frame), sentences_latex, caption, label="tab:generated-sentences")
    write_csv(pd.DataFrame(rejections, columns=_REJECTION_COLUMNS), rejections_csv)
    write_csv(pd.DataFrame(tries), tries_csv)
    write_csv(pd.DataFrame(examples, columns=[*UNIT, "kind", "label", "word", "text"]), examples_csv)


def _sizes(sentences: pd.DataFrame) -> dict[str, float]:
    counts = {kind: int((sentences["kind"] == kind).sum()) for kind in KINDS}
    row: dict[str, float] = {}
    for label in (CONSISTENT, CONTRADICTORY):
        kinds = [kind.name for kind in KINDS.values() if kind.label == label]
        total = sum(counts[kind] for kind in kinds)
        for kind in kinds:
            row |= {kind: counts[kind], f"{kind}_percent": percentage(counts[kind], total)}
        row |= {label: total, f"{label}_percent": percentage(total, len(sentences))}
    return row | {"sentences": len(sentences)}


def _latex_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return counts with their percents in one cell, as the paper prints them."""
    shown = frame[[*UNIT, "procedure"]].copy()
    for column in (name.removesuffix("_percent") for name in frame.columns if name.endswith("_percent")):
        cells = zip(frame[column], frame[f"{column}_percent"], strict=True)
        shown[column] = [f"{count} ({percent:.2f}%)" if count else "0" for count, percent in cells]
    return shown.assign(sentences=frame["sentences"])


def _rejections(items: pd.DataFrame) -> list[dict[str, Any]]:
    rows = []
    for tries, some in (("first", items[items["attempt"] == 1]), ("all", items)):
        for kind in [*KINDS, "all"]:
            reasons = some["reasons"] if kind == "all" else some.loc[some["kind"] == kind, "reasons"]
            faults = [list(filter(None, cell.split("; "))) for cell in reasons]
            remaining = len(faults)
            for reason in REASONS:
                count = sum(fault[:1] == [reason] for fault in faults)
                remaining -= count
                rows.append(
                    {"tries": tries, "kind": kind, "reason": reason, "count": count}
                    | {"with_fault": sum(reason in fault for fault in faults), "remaining": remaining}
                )
    return rows


def _tries(answers: Path, items: pd.DataFrame) -> list[dict[str, Any]]:
    asked = read_rows(answers, ["attempt", "asked", "answer", "prompt_tokens", "completion_tokens"]).to_pandas()
    asked["words"] = asked["asked"].map(len)
    rows = []
    for attempt, some in asked.groupby("attempt"):
        of_try = items[items["attempt"] == attempt]
        rows.append(
            {"attempt": attempt, "requests": len(some), "answers": int(some["answer"].notna().sum())}
            | {"words_asked": int(some["words"].sum())}
            | {column: int(some[column].sum()) for column in ("prompt_tokens", "completion_tokens")}
            | {"sentences_or_none": len(of_try), "passed": int((of_try["reasons"] == "").sum())}
        )
    return rows


def _examples(passed: pd.DataFrame, seed: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for kind in KINDS:
        some = passed[passed["kind"] == kind]
        drawn = some.sample(min(EXAMPLES, len(some)), random_state=seed).sort_index()
        rows += drawn[["kind", "label", "word", "text"]].to_dict("records")
    return rows
