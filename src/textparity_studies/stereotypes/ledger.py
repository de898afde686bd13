"""Build the ledger rows of Soundararajan, Jeyaraj and Delany 2023: §III, §IV, Tables I, V and VII."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from textparity_studies.report.ledger import (
    NOT_ASKED,
    NOT_HERE,
    UNPUBLISHED,
    ReproducedValue,
    compare_to_published,
    find_ours,
    join_remarks,
    list_gaps,
    read_published,
    read_sources,
    write_ledger,
)

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
_ELSEWHERE = "what ran stands in results/stereotypes/tables/{}.csv"


def build_stereotypes_ledger(
    published: Path,
    sources: Path,
    lexicon_sizes: Path,
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    withdrawn: dict[str, str],
    sentences: Path | None = None,
    classification: Path | None = None,
    agreement: Path | None = None,
    published_sentences: list[Path] | None = None,
) -> None:
    """Write one row per published number; it is not run without the sentences or labels that it needs.

    `not_run` lists the requests that cannot run here (corpus, lang, engine, reason), and `gaps` is the file for them.
    `withdrawn` has the reason for each language model that its provider has withdrawn.
    """
    list_gaps(gaps, not_run)
    paths = {"lexicon_sizes": lexicon_sizes, "sentences": sentences, "classification": classification}
    paths |= {"agreement": agreement, "published_sentences": next(iter(published_sentences or []), None)}
    files = {name: pd.read_csv(path) if path else pd.DataFrame() for name, path in paths.items()}
    if sentences:
        # A set without any sentence of the model has no numbers.
        table = files["sentences"]
        files["sentences"] = table[(table["sentences"] > 0) | (table["procedure"] != "published")]
    if agreement:
        files["agreement"]["generator"] = files["agreement"]["sample"].str.partition(".")[2]
    cannot_run = withdrawn | {engine: reason for _, _, engine, reason in not_run}
    places, rows = read_sources(sources), []
    for number in read_published(published):
        ours = find_ours(number, places, files)
        if ours.published is None:
            ours = ReproducedValue(remark=_why_not(number.table, number.row, cannot_run))
        rows.append(compare_to_published(STUDY, number, ours, join_remarks(ours.remark, number.note)))
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
