"""Build the ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.persons.ukrainian.syntax import BY_RULE
from textparity_studies.report.ledger import (
    NOT_ASKED,
    NOT_RUN_KINDS,
    LedgerRow,
    PublishedNumber,
    ReproducedValue,
    compare_to_published,
    find_ours,
    join_remarks,
    list_gaps,
    read_published,
    read_sources,
    write_ledger,
)
from textparity_studies.swapping.names import (
    ALL,
    COMMON,
    CORRECTED,
    FEMININE,
    JOB,
    MASCULINE,
    PAPERS_CORPORA,
    PERS,
    PUBLISHED,
    WITH_EXCEPTIONS,
    recorded_titles_name,
)
from textparity_studies.swapping.scores import ONE_WAY, ROUND_TRIP, WORDS, read_scores

STUDY = "swapping"
_NOT_PART = f"{NOT_ASKED}: it is not part of this run"
_STAND_IN = "pymorphy3 and a rule stand in for Stanza"
_LISTS = "without the authors' lists male_words_list.txt and female_words_list.txt, which are not public"
_DEPUTIES = (
    "with the exceptions, any word of a title decides: a deputy of a head (заступник голови) is of common gender"
)
TABLES = {ONE_WAY: "3", ROUND_TRIP: "8"}
GPT, AYA, FINE_TUNED = "gpt-4o-mini", "aya-101", "aya-101-fine-tuned"
# The name of recognition in the list of what was not run, and the tables that then stay empty.
RECOGNITION = "recognition"
RECOGNITION_TABLES = ("5", "6", "11")


def build_swapping_ledger(
    published: Path,
    sources: Path,
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
    recognizer_setup: str,
) -> None:
    """Write one row per published number.

    `entities` is the table of entity counts, `composition` the tables of genders and of lines with a title,
    `recorded_recall` that of the authors' models. `swap_scores` has a file per system; `reviews` and `name_bias` are
    tables. `ner_scores` and `job_recall` are those of our recognizers, empty if they are not run. `recognizer_setup`
    describes the differences between their training and the paper's. `not_run` names the omitted parts with their
    reasons, and is written to `gaps`.
    """
    list_gaps(gaps, not_run)
    files = read_files(
        swap_scores, reviews, name_bias, entities=entities, composition=composition[:1], job_lines=composition[1:],
        recorded_recall=recorded_recall, ner_scores=ner_scores, job_recall=job_recall,
    )  # fmt: skip
    find = Finder(sources, files)
    reasons = {what: reason for what, _, _, reason in not_run}
    numbers = read_published(published)
    write_ledger([_judge(number, find(number), reasons, recognizer_setup) for number in numbers], ledger)


def read_files(
    swap_scores: list[Path], reviews: list[Path], name_bias: list[Path], **tables: list[Path]
) -> dict[str, pd.DataFrame]:
    """Read the tables under the names in `ours.csv`, empty if missing, and the names that their remarks use."""
    files = {name: pd.read_csv(paths[0]) if paths else pd.DataFrame() for name, paths in tables.items()}
    files["reviews"] = pd.read_csv(reviews[0], keep_default_na=False) if reviews else pd.DataFrame()
    if tables["job_lines"]:
        lines = files["job_lines"]
        searched = lines[lines["lines"] == "published"].set_index("subcorpus")["JOB"]
        files["job_lines"] = lines.assign(found=lines["subcorpus"].map(searched))
    files["swap_scores"] = pd.DataFrame(
        [row for item in read_scores(swap_scores).items() for row in _score_rows(*item)]
    )
    files["name_bias"] = pd.read_csv(name_bias[0]) if name_bias else pd.DataFrame()
    if name_bias:
        names = files["name_bias"]
        first = names[(names["gender"] == FEMININE) & (names["rank"] == 1) & (names["procedure"] == CORRECTED)]
        shares = [f"{row.system} {row.name} {row.share:.1f}" for row in first.itertuples(index=False)]
        files["name_bias"] = names.assign(others=", ".join(shares))
    return files


def _score_rows(system: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    counts = {row["items"]: row["count"] for row in rows if row["metric"] == "exact_match"}
    kinds = f"{counts[WORDS]:.0f} of {counts[ALL]:.0f} items are single words"
    return [
        row | {"system": system, "table": TABLES[row["direction"]], "kinds": kinds}
        | {"reason": row["reason"] if isinstance(row["reason"], str) else ""}
        for row in rows
    ]  # fmt: skip


class Finder:
    """Find our values by the paper's procedure with its exceptions, and by the corrected one."""

    def __init__(self, sources: Path, files: Mapping[str, pd.DataFrame]) -> None:
        self.files, self.sources = files, read_sources(sources)
        self.plain = [
            replace(source, ours_where=source.ours_where.replace(WITH_EXCEPTIONS, PUBLISHED)) for source in self.sources
        ]

    def __call__(self, number: PublishedNumber) -> ReproducedValue:
        """Find our value; its remark has the value without the exceptions if it prints differently."""
        ours = find_ours(number, self.sources, self.files)
        if "method" not in ours.row:
            return ours
        decimals = len(number.value.partition(".")[2])
        plain = find_ours(number, self.plain, self.files).published
        is_other = plain is not None and f"{ours.published:.{decimals}f}" != f"{plain:.{decimals}f}"
        exceptions = f"without the hand-made exceptions {plain:.4g}" if is_other else ""
        if number.column == "total":
            return replace(ours, remark=exceptions)
        label, gender = ours.row.get("label", JOB), ours.row["gender"]
        said = _DEPUTIES if "label" in ours.row and label == JOB and gender in (MASCULINE, COMMON) else ""
        stand_in = _STAND_IN if ours.row["method"] == BY_RULE else ""
        # By every procedure, no name has a common gender.
        is_none = label == PERS and gender == COMMON
        setup = "" if is_none else join_remarks(stand_in, _LISTS if label == JOB else "")
        return replace(ours, remark=join_remarks(ours.remark, said, exceptions), setup=setup)


def _judge(number: PublishedNumber, ours: ReproducedValue, reasons: dict[str, str], recognizer_setup: str) -> LedgerRow:
    if "seeds" in ours.row:
        ours = replace(ours, setup=recognizer_setup)
    elif not ours.row:
        ours = ReproducedValue(remark=_why_not(number, reasons))
    remarks = [ours.remark, number.note]
    if ours.published is None and not ours.remark.startswith(NOT_RUN_KINDS):
        remarks.insert(0, _NOT_PART)
    elif ours.setup and (lists := reasons.get(_recorded(number))):
        remarks.append(f"the authors' own lists: {lists}")
    return compare_to_published(STUDY, number, ours, join_remarks(*remarks))


def _why_not(number: PublishedNumber, reasons: dict[str, str]) -> str:
    """Explain why we have no value: the reason for its system, lists or recognizers, or for the corpora."""
    names = [number.row, _recorded(number), RECOGNITION if number.table in RECOGNITION_TABLES else "", *PAPERS_CORPORA]
    return next((reasons[name] for name in names if name in reasons), "")


def _recorded(number: PublishedNumber) -> str:
    """Name the recorded lists of the authors behind a number, as they appear in the list of what was not run."""
    return recorded_titles_name(number.column.removesuffix("_recall")) if number.table == "6" else ""
