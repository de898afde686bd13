"""Build the ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from textparity_studies.report.ledger import (
    Cell,
    LedgerRow,
    Need,
    PublishedNumber,
    Reason,
    ReproducedValue,
    compare_to_published,
    find_row,
    join_remarks,
    list_gaps,
    read_published,
    write_ledger,
)
from textparity_studies.swapping.corpus_tables import AS_RECORDED, ONCE
from textparity_studies.swapping.scores import ONE_WAY, ROUND_TRIP, WORDS, read_scores
from textparity_studies.swapping.settings import (
    ALL,
    AUGMENTED,
    BESIDE_JOB,
    COMMON,
    CORRECTED,
    FEMININE,
    JOB,
    MASCULINE,
    ORIGINAL,
    PAPERS_CORPORA,
    PERS,
    PUBLISHED,
    TOTAL,
    WEIGHTED,
    WITH_EXCEPTIONS,
    recorded_titles_name,
)
from textparity_studies.swapping.title_parsers import BY_RULE

STUDY = "swapping"
TOLERANCE = 0.05
_NOT_PART = Need(Reason.NOT_CONFIGURED, "it is not part of this run")
_STAND_IN = "pymorphy3 and a rule stand in for Stanza"
_LISTS = "without the authors' lists male_words_list.txt and female_words_list.txt, which are not public"
_DEPUTIES = (
    "with the exceptions, any word of a title decides: a deputy of a head (заступник голови) is of common gender"
)
_LINES = (
    "the 1,513 lines are those where a search with word boundaries finds a title",
    "1,982 titles are those of all lines",
)
GPT, AYA, FINE_TUNED = "gpt-4o-mini", "aya-101", "aya-101-fine-tuned"
# The name of recognition in the list of what was not run, and the tables that then stay empty.
RECOGNITION = "recognition"
RECOGNITION_TABLES = ("5", "6", "11")

_RECOGNIZER = "the recognizer uk_ner_web_trf_13class"
_SCORE_SETUPS = {
    "exact_match_without_persons": f"their persons are found by {_RECOGNIZER}, which is not here; ours are annotated "
    "in the reference, and any name may stand in their place",
    "job_match": f"their titles are found by {_RECOGNIZER} on both sides and compared in order; ours are annotated in "
    "the reference and searched for in the output",
}
_SCORE_REMARKS = {
    "exact_match": "corrected: white space does not count",
    "exact_match_without_persons": "white space does not count here, as it does in exact match",
    "bleu": "corrected: Unicode punctuation is cut off",
    "rouge_l": "their tokenizer keeps ASCII alone: a text without any scores 0; corrected: letters of any script",
    "token_count_match": "spaCy's rules, where line ends and double spaces count; corrected: words",
}
_TIDIED_METRICS = ("exact_match_without_persons", "job_match", "token_count_match")
_TIDIED = "of outputs with capital and full stop taken over from the input, unlike exact match, BLEU and ROUGE-L"
# What the authors' notebook has in place of the printed number, by table, system and metric.
_NOTEBOOK = {
    ("3", AYA, "exact_match_without_persons"): "0.2256",
    ("8", FINE_TUNED, "exact_match_without_persons"): "0.7400",
    ("3", FINE_TUNED, "job_match"): "0.8265",
    ("8", FINE_TUNED, "job_match"): "0.8792",
    ("8", GPT, "bleu"): "0.8552",
    ("3", AYA, "token_count_match"): "364 of 523",
}


def build_swapping_ledger(
    published: Path,
    tables: list[Path],
    swap_scores: list[Path],
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    recognizer_setup: str,
) -> None:
    """Write one row per published number.

    `tables` are those tables of the study that this run has, and `swap_scores` has a file per system.
    `recognizer_setup` describes the differences between the training of our recognizers and the paper's. `not_run`
    names the omitted parts with their reasons, and is written to `gaps`.
    """
    list_gaps(gaps, not_run)
    find = Finder(tables, swap_scores)
    reasons = {what: reason for what, _, _, reason in not_run}
    numbers = read_published(published)
    write_ledger([_compare(number, find(number), reasons, recognizer_setup) for number in numbers], ledger)


def _compare(
    number: PublishedNumber, ours: ReproducedValue, reasons: dict[str, str], recognizer_setup: str
) -> LedgerRow:
    if "seeds" in ours.row:
        ours = replace(ours, setup=recognizer_setup)
    elif not ours.row:
        ours = ReproducedValue(remark=_why_missing(number, reasons))
    remarks = [ours.remark, number.note]
    if ours.published is None and not ours.remark.startswith(tuple(Reason)):
        remarks.insert(0, _NOT_PART)
    elif ours.setup and (lists := reasons.get(_recorded(number))):
        remarks.append(f"the authors' own lists: {lists}")
    return compare_to_published(STUDY, number, ours, join_remarks(*remarks))


def _why_missing(number: PublishedNumber, reasons: dict[str, str]) -> str:
    """Explain why we have no value: the reason for its system, lists or recognizers, or for the corpora."""
    names = [number.row, _recorded(number), RECOGNITION if number.table in RECOGNITION_TABLES else "", *PAPERS_CORPORA]
    return next((reasons[name] for name in names if name in reasons), "")


def _recorded(number: PublishedNumber) -> str:
    """Name the recorded lists of the authors behind a number, as they appear in the list of what was not run."""
    return recorded_titles_name(number.column.removesuffix("_recall")) if number.table == "6" else ""


class Finder:
    """Find our values by the paper's procedure with its exceptions, and by the corrected one."""

    def __init__(self, tables: list[Path], swap_scores: list[Path]) -> None:
        self.tables = {path.stem: pd.read_csv(path) for path in tables}
        for system, frame in read_scores(swap_scores).items():
            self.tables[f"scores of {system}"] = frame

    def __call__(self, number: PublishedNumber) -> ReproducedValue:
        """Find our value; its remark has the value without the exceptions if it prints differently."""
        found = [cell.look_up(self.tables) for cell in self._cells(number)]
        ours = max(found, key=_completeness)
        if "method" not in ours.row:
            return ours
        plain = self._without_exceptions(number)
        exceptions = ""
        decimals = len(number.value.partition(".")[2])
        if plain is not None and f"{ours.published:.{decimals}f}" != f"{plain:.{decimals}f}":
            exceptions = f"without the hand-made exceptions {plain:.4g}"
        if number.column == "total":
            return replace(ours, remark=exceptions)
        label, gender = ours.row.get("label", JOB), ours.row["gender"]
        deputies = _DEPUTIES if "label" in ours.row and label == JOB and gender in (MASCULINE, COMMON) else ""
        stand_in = _STAND_IN if ours.row["method"] == BY_RULE else ""
        # By every procedure, no name has a common gender.
        is_none = label == PERS and gender == COMMON
        setup = "" if is_none else join_remarks(stand_in, _LISTS if label == JOB else "")
        return replace(ours, remark=join_remarks(ours.remark, deputies, exceptions), setup=setup)

    def _without_exceptions(self, number: PublishedNumber) -> float | None:
        cell = self._cells(number)[0]
        plain = replace(cell, rows=(cell.rows[0] | {"procedure": PUBLISHED}, cell.rows[1]))
        return plain.look_up(self.tables).published

    def _cells(self, number: PublishedNumber) -> list[Cell]:
        """Name the cells of our tables that may have a number, the best first."""
        row, column = number.row, number.column
        if number.table == "4":
            return [Cell.of("entities", "entities", {"corpus": column, "subcorpus": TOTAL, "label": row})]
        if number.table == "7":
            return [Cell.of("entities", "entities", {"corpus": ORIGINAL, "subcorpus": column, "label": row})]
        if number.table == "1":
            subcorpus, label = row.split(", ")
            return [_composition(BESIDE_JOB, subcorpus, label, column)]
        if number.table in ("9", "10"):
            return [_composition(row, TOTAL, JOB if number.table == "9" else PERS, column)]
        if number.table == "2":
            return [_review_cell(f"{column}: {row}")]
        if number.table in ("3", "8"):
            return [self._score_cell(number)]
        if number.table == "6":
            return _recall_cells(row, column)
        if number.table in ("5", "11"):
            test_set, label = row.split(", ")
            remarks, labels = ["mean of {seeds} seeds"], (label, label)
            if label == WEIGHTED:
                labels = (ALL, WEIGHTED)
                remarks.append("the paper's is the score of all entities together; corrected is their weighted average")
            where, procedures = {"test_set": test_set}, (PUBLISHED, CORRECTED)
            return [Cell.of("ner_scores", column, where, remarks, label=labels, procedure=procedures)]
        return [self._section_cell(row, column)]

    def _score_cell(self, number: PublishedNumber) -> Cell:
        """Name the cell of a score; its remarks explain what differs between the paper, its notebook and us."""
        metric, table = number.column, f"scores of {number.row}"
        where = {"direction": {"3": ONE_WAY, "8": ROUND_TRIP}[number.table], "items": ALL, "metric": metric}
        remarks = ["{reason}"]
        if metric == "exact_match" and table in self.tables:
            counted = where | {"procedure": CORRECTED}
            words, every = (find_row(self.tables[table], counted | {"items": items})["count"] for items in (WORDS, ALL))
            remarks.append(f"{words:.0f} of {every:.0f} items are single words")
        remarks.append(_SCORE_REMARKS.get(metric, ""))
        if number.row == AYA and metric in _TIDIED_METRICS:
            remarks.append(_TIDIED)
        if printed := _NOTEBOOK.get((number.table, number.row, metric)):
            remarks.append(f"{printed} in their notebook, cut off and not rounded")
        setup = _SCORE_SETUPS.get(metric, "")
        return Cell.of(table, "value", where, remarks, setup, procedure=(PUBLISHED, CORRECTED))

    def _section_cell(self, row: str, column: str) -> Cell:
        """Name the cell of a number in the text of §4.1."""
        if row == "ner_uk, lines with JOB":
            published = CORRECTED if column == JOB else PUBLISHED
            remarks = [*_LINES]
            if column == JOB and "job_lines" in self.tables:
                searched = find_row(self.tables["job_lines"], {"subcorpus": TOTAL, "lines": PUBLISHED})
                remarks.append(f"those 1,513 lines have {searched[JOB]}")
            name = "number" if column == "lines" else column
            return Cell.of("job_lines", name, {"subcorpus": TOTAL}, remarks, lines=(published, CORRECTED))
        if row in ("ner_uk, JOB", "ner_uk, lines with JOB, PERS"):
            return _composition(BESIDE_JOB, TOTAL, JOB if row == "ner_uk, JOB" else PERS, column)
        if column == "most_frequent_feminine_name_percent":
            return self._name_cell(row)
        if row == "gender pairs dictionary":
            return _review_cell("dictionary_entries")
        setup = ""
        if column == "JOB_pairs_in_dictionary_percent":
            setup = "their heads come of Stanza's parser; ours is any word of the title"
        return _review_cell(column, setup)

    def _name_cell(self, system: str) -> Cell:
        shares = ""
        if "name_bias" in self.tables:
            names = self.tables["name_bias"]
            first = names[(names["gender"] == FEMININE) & (names["rank"] == 1) & (names["procedure"] == CORRECTED)]
            shares = ", ".join(f"{row.system} {row.name} {row.share:.1f}" for row in first.itertuples(index=False))
        return Cell.of(
            "name_bias",
            "share",
            {"system": system, "gender": FEMININE, "rank": 1},
            (f"corrected, by system: {shares}",),
            "their names are words of persons found by the recognizer, looked up in dict_uk; ours are found by "
            "pymorphy3",
            procedure=(PUBLISHED, CORRECTED),
        )


def _completeness(ours: ReproducedValue) -> tuple[bool, bool, bool]:
    """Rank a published value above a corrected one alone, and that above a row without values."""
    is_published = ours.published is not None
    return is_published, not is_published and ours.corrected is not None, bool(ours.row)


def _composition(sample: str, subcorpus: str, label: str, column: str) -> Cell:
    """Name the cell of a count or share of a gender, or of the total, which stands beside any gender."""
    gender, _, percent = column.partition("_")
    where = {"sample": sample, "subcorpus": subcorpus, "label": label}
    name = "total" if column == "total" else "percent" if percent else "count"
    where["gender"] = MASCULINE if column == "total" else gender
    return Cell.of("composition", name, where, procedure=(WITH_EXCEPTIONS, CORRECTED))


def _recall_cells(gender: str, column: str) -> list[Cell]:
    """Name the recall of the authors' recorded titles, and that of our recognizers."""
    recorded = {"model": column.removesuffix("_recall"), "gender": gender}
    remarks = (
        "from the authors' lists, which begin with titles of a run that was broken off",
        "corrected: each title once",
    )
    trained = {"test_set": AUGMENTED, "gender": gender}
    return [
        Cell.of(
            "recorded_recall",
            "recall",
            recorded,
            remarks,
            records=(AS_RECORDED, ONCE),
            procedure=(WITH_EXCEPTIONS, CORRECTED),
        ),
        Cell.of("job_recall", column, trained, ("mean of {seeds} seeds",), procedure=(PUBLISHED, CORRECTED)),
    ]


def _review_cell(measure: str, setup: str = "") -> Cell:
    where = {"measure": measure}
    return Cell("reviews", ("published", "corrected"), (where, where), ("{remark}",), setup)
