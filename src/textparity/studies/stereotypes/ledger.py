"""The ledger rows of Soundararajan, Jeyaraj and Delany 2023: §III, §IV, Tables I, V and VII."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from textparity.measures.procedures import PROCEDURES
from textparity.report.ledger import NOT_ASKED, NOT_HERE, UNPUBLISHED, judge, list_gaps, read_published, write_ledger

STUDY = "stereotypes"
PAPERS_GENERATOR = "gpt-3.5-turbo"
PAPERS_CLASSIFIER = "bert-base-uncased"
_KAPPA = ("§IV", "all annotators", "cohen_kappa")
_TOLERANCE = 0.05
# Only what the lexicon holds is private: sentences made with it are published (§V).
_CRYAN = "cryan"
_PRIVATE = "the lexicon of Cryan et al. is not public"
_SENTENCES = "the paper's own sentences (https://doi.org/10.21427/AYM7-SF29)"
_ELSEWHERE = "what ran stands in results/stereotypes/tables/{}.csv"
# Its sets are alike (Table V has one row for them), so the first is compared.
_PAPERS_SET = 1
Key = tuple[str, str, str]
# Ours as published and corrected, a remark, and what is other in the setup.
Measured = tuple[float, float | None, str, str]


def build_stereotypes_ledger(
    published: Path,
    lexicon_sizes: Path,
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    sentences: Path | None = None,
    classification: Path | None = None,
    agreement: Path | None = None,
) -> None:
    """Write one row for each published number; what no language model wrote, or nobody labelled, is not run.

    `not_run` says what was asked for and cannot run here (corpus, lang, engine, reason); `gaps` is the file for it.
    """
    list_gaps(gaps, not_run)
    measured = _size_numbers(pd.read_csv(lexicon_sizes)) | _classification_numbers(classification, agreement)
    if sentences:
        measured |= _sentence_numbers(pd.read_csv(sentences))
    cannot_run = {engine: reason for _, _, engine, reason in not_run}
    rows = []
    for number in read_published(published):
        key = (number.table, number.row, number.column)
        missing = None, None, _why_not(number.table, number.row, cannot_run), ""
        ours_published, ours_corrected, remark, setup = measured.get(key, missing)
        reason = "; ".join(filter(None, [remark, number.note]))
        rows.append(judge(STUDY, number, ours_published, ours_corrected, _TOLERANCE, reason, setup))
    write_ledger(rows, ledger)


def _why_not(table: str, row: str, cannot_run: Mapping[str, str]) -> str:
    if table == "§IV":
        labels = "the annotators' labels are not among what the paper says it publishes"
        return f"{UNPUBLISHED}: {labels}; {_ELSEWHERE.format('agreement')}"
    if row.startswith(_CRYAN):
        anew = f"none can be asked for anew, as {_PRIVATE}"
        return f"{NOT_HERE}: {_SENTENCES}; {anew}" if table in ("V", "VII") else f"{UNPUBLISHED}: {_PRIVATE}"
    needed = {PAPERS_GENERATOR: "generators"} | ({PAPERS_CLASSIFIER: "classifiers"} if table == "VII" else {})
    settings = " and ".join(f"{model} in stereotypes.{key}" for model, key in needed.items())
    why = next((cannot_run[model] for model in needed if model in cannot_run), f"{NOT_ASKED}: {settings}")
    elsewhere = _ELSEWHERE.format("classification" if table == "VII" else "sentences")
    return f"{why}; {_SENTENCES} are published, and not here; {elsewhere}"


def _size_numbers(sizes: pd.DataFrame) -> dict[Key, Measured]:
    return {
        ("I", row["lexicon"], column): (row[column], row[column], "", "")
        for row in sizes.to_dict("records")
        for column in sizes.columns.drop("lexicon")
    }


def _sentence_numbers(sentences: pd.DataFrame) -> dict[Key, Measured]:
    """Return what the paper's model wrote (Table V): everything at the first attempt, and what passes of all."""
    papers = sentences[(sentences["generator"] == PAPERS_GENERATOR) & (sentences["set"] == _PAPERS_SET)]
    numbers = {}
    for lexicon, rows in papers.groupby("lexicon"):
        by_procedure = rows.set_index("procedure")
        if not by_procedure.loc["published", "sentences"]:
            continue
        for column in rows.columns.drop(["lexicon", "generator", "set", "procedure"]):
            ours = (by_procedure.loc[procedure, column] for procedure in PROCEDURES)
            numbers["V", lexicon, column] = (*ours, "set 1, asked for anew", "")
    return numbers


def _classification_numbers(classification: Path | None, agreement: Path | None) -> dict[Key, Measured]:
    """Return ours by table, row and column: as published, corrected, remark, setup; with the files of what ran."""
    numbers: dict[Key, Measured] = {}
    if classification:
        table = pd.read_csv(classification)
        papers = table[(table["generator"] == PAPERS_GENERATOR) & (table["classifier"] == PAPERS_CLASSIFIER)]
        for lexicon, rows in papers.groupby("lexicon"):
            ours = rows.set_index("procedure")
            for column in ours.columns.drop(["lexicon", "generator", "classifier"]):
                numbers["VII", lexicon, column] = (
                    ours.loc["published", column],
                    ours.loc["corrected", column],
                    "sentences asked for anew; corrected: no lexicon word in training and test at once",
                    "",
                )
    if agreement:
        table = pd.read_csv(agreement)
        means = table[(table["annotator"] == "all annotators") & table["sample"].str.endswith(f".{PAPERS_GENERATOR}")]
        # The paper has one sample, and does not say of which lexicon.
        if len(means) == 1:
            sample = means["sample"].item()
            numbers[_KAPPA] = means["cohen_kappa"].item(), None, "", f"other annotators; sentences of {sample}"
    return numbers
