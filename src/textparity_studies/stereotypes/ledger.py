"""Build the ledger rows of Soundararajan, Jeyaraj and Delany 2023: §III, §IV, Tables I, V and VII."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from textparity.counting import PROCEDURES
from textparity_studies.report.ledger import (
    Cell,
    Need,
    PublishedNumber,
    Reason,
    ReproducedValue,
    compare_to_published,
    join_remarks,
    list_gaps,
    read_published,
    write_ledger,
)
from textparity_studies.stereotypes.tables import ALL_ANNOTATORS

STUDY = "stereotypes"
PAPERS_GENERATOR = "gpt-3.5-turbo"
PAPERS_CLASSIFIER = "bert-base-uncased"
# Only the lexicon's words are private; sentences made with it are published (§V).
_CRYAN = "cryan"
_PRIVATE = "the lexicon of Cryan et al. is not public"
_SENTENCES = (
    "the paper's own sentences (https://doi.org/10.21427/AYM7-SF29; where to put them is in "
    "resources/stereotypes/published_sentences.tsv)"
)
_OWN = "the paper's own sentences"
_FOLDS = "corrected: no lexicon word in training and test at once"
_ELSEWHERE = "what ran stands in results/stereotypes/tables/{}.csv"


def build_stereotypes_ledger(
    published: Path, tables: list[Path], ledger: Path, gaps: Path, not_run: list[list[str]], withdrawn: dict[str, str]
) -> None:
    """Write one row per published number; it is not run without the sentences or labels that it needs.

    `not_run` lists the requests that cannot run here (corpus, lang, engine, reason), and `gaps` is the file for them.
    `withdrawn` has the reason for each language model that its provider has withdrawn.
    """
    list_gaps(gaps, not_run)
    frames = {path.stem: pd.read_csv(path) for path in tables}
    if "sentences" in frames:
        # A set without any sentence of the model has no numbers.
        frames["sentences"] = frames["sentences"].query("sentences > 0 or procedure != 'published'")
    if "agreement" in frames:
        samples = frames["agreement"]["sample"]
        frames["agreement"] = frames["agreement"].assign(generator=samples.str.partition(".")[2], procedure="published")
    cannot_run = withdrawn | {engine: reason for _, _, engine, reason in not_run}
    rows = []
    for number in read_published(published):
        found = (cell.look_up(frames) for cell in _cells_of(number))
        ours = next((value for value in found if value.published is not None), ReproducedValue())
        reason = ours.remark if ours.published is not None else _why_not(number.table, number.row, cannot_run)
        rows.append(compare_to_published(STUDY, number, ours, join_remarks(reason, number.note)))
    write_ledger(rows, ledger)


def _cells_of(number: PublishedNumber) -> list[Cell]:
    """List the places of our value: first the paper's own sentences, then those for which its model was asked anew."""
    lexicon, _, set_number = number.row.partition(", set ")
    column = number.column
    if number.table == "I":
        return [Cell.of("coded_lexicons", column, {"lexicon": lexicon})]
    if number.table == "V":
        own = {"lexicon": lexicon, "set": set_number or "1"}
        anew = {"lexicon": number.row, "generator": PAPERS_GENERATOR, "set": "1"}
        return [
            Cell.of("published_sentences", column, own, [_OWN], tolerance=0),
            Cell.of("sentences", column, anew, ["set 1, asked for anew"], procedure=PROCEDURES),
        ]
    if number.table == "VII":
        sources = {"published": _OWN, PAPERS_GENERATOR: "sentences asked for anew"}
        same = {"lexicon": lexicon, "classifier": PAPERS_CLASSIFIER}
        return [
            Cell.of("classification", column, same | {"generator": generator}, [remark, _FOLDS], procedure=PROCEDURES)
            for generator, remark in sources.items()
        ]
    if number.row == ALL_ANNOTATORS:
        where = {"annotator": ALL_ANNOTATORS, "generator": PAPERS_GENERATOR}
        return [
            Cell.of("agreement", column, where, setup="other annotators; sentences of {sample}", procedure=PROCEDURES)
        ]
    return []


def _why_not(table: str, row: str, cannot_run: Mapping[str, str]) -> str:
    if table == "§IV":
        labels = "the annotators' labels are not among what the paper says it publishes"
        return Need(Reason.UNPUBLISHED, f"{labels}; {_ELSEWHERE.format('agreement')}")
    if row.startswith(_CRYAN):
        if table not in ("V", "VII"):
            return Need(Reason.UNPUBLISHED, _PRIVATE)
        return Need(Reason.NOT_DOWNLOADED, f"{_SENTENCES}; none can be asked for anew, as {_PRIVATE}")
    needed = {PAPERS_GENERATOR: "generators"} | ({PAPERS_CLASSIFIER: "classifiers"} if table == "VII" else {})
    settings = " and ".join(f"{model} in stereotypes.{key}" for model, key in needed.items())
    why = next((cannot_run[model] for model in needed if model in cannot_run), Need(Reason.NOT_CONFIGURED, settings))
    elsewhere = _ELSEWHERE.format("classification" if table == "VII" else "sentences")
    return f"{why}; {_SENTENCES} are published, and not here; {elsewhere}"
