"""The ledger's numbers of genders: §4.1, Tables 1, 6 (the original model), 9 and 10 of Nahurna and Romanyshyn 2025."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.report.ledger import PublishedNumber
from textparity.studies.swapping.corpus_names import AUGMENTED, ORIGINAL
from textparity.studies.swapping.entity_counts import TOTAL
from textparity.studies.swapping.gender.evaluation import AS_RECORDED, ONCE
from textparity.studies.swapping.labels import JOB, PERS
from textparity.studies.swapping.language.syntax import BY_RULE
from textparity.studies.swapping.measured import Key, Measured
from textparity.studies.swapping.names import COMMON, CORRECTED, MASCULINE, PUBLISHED, WITH_EXCEPTIONS
from textparity.studies.swapping.tables import BESIDE_JOB

_STAND_IN = "pymorphy3 and a rule stand in for Stanza"
_LISTS = "without the authors' lists male_words_list.txt and female_words_list.txt, which are not public"
_DEPUTIES = (
    "with the exceptions, any word of a title decides: a deputy of a head (заступник голови) is of common gender"
)
_LINES = (
    "the 1,513 lines are those where a search with word boundaries finds a title; 1,982 titles are those of all lines"
)
_REPEATED = "from the authors' lists, which begin with titles of a run that was broken off; corrected: each title once"


def gender_numbers(
    composition: Path, job_lines: Path, recall: list[Path], numbers: list[PublishedNumber]
) -> dict[Key, Measured]:
    """Return ours by the paper's procedure with its exceptions and by the corrected one.

    The remark has the result without the exceptions where it is another at the paper's precision.
    """
    decimals = {(number.table, number.row, number.column): len(number.value.partition(".")[2]) for number in numbers}
    found: dict[Key, Measured] = {}
    cells = [*_composition_cells(pd.read_csv(composition))]
    cells += [cell for path in recall for cell in _recall_cells(pd.read_csv(path))]
    for key, by_procedure, remark, setup in cells:
        ours, plain, corrected = (by_procedure[name] for name in (WITH_EXCEPTIONS, PUBLISHED, CORRECTED))
        if key in decimals and f"{ours:.{decimals[key]}f}" != f"{plain:.{decimals[key]}f}":
            remark = "; ".join(filter(None, [remark, f"without the hand-made exceptions {plain:.4g}"]))
        found[key] = Measured(ours, corrected, remark, setup)
    return found | dict(_line_cells(pd.read_csv(job_lines)))


# Ours by procedure, a remark, and what is other in our setup.
Cell = tuple[Key, dict[str, float], str, str]


def _composition_cells(table: pd.DataFrame) -> Iterator[Cell]:
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


def _recall_cells(table: pd.DataFrame) -> Iterator[Cell]:
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
