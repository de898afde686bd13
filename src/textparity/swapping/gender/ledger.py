"""The ledger's numbers of genders: §4.1, Tables 1, 6 (the original model), 9 and 10 of Nahurna and Romanyshyn 2025."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.ledger import PublishedNumber, judge
from textparity.swapping.corpus.composition import BESIDE_JOB
from textparity.swapping.corpus.entity_counts import TOTAL
from textparity.swapping.corpus_names import AUGMENTED, ORIGINAL
from textparity.swapping.gender.recorded_recall import AS_RECORDED, ONCE
from textparity.swapping.genders import COMMON, CORRECTED, MASCULINE, PUBLISHED, WITH_EXCEPTIONS
from textparity.swapping.labels import JOB, PERS
from textparity.swapping.language.syntax import BY_RULE

# A remark that begins so is of numbers that are never judged exact.
STAND_IN = "pymorphy3 and a rule stand in for Stanza"
_LISTS = "the authors' lists male_words_list.txt and female_words_list.txt are not public"
_DEPUTIES = (
    "with the exceptions, any word of a title decides: a deputy of a head (заступник голови) is of common gender"
)
_LINES = (
    "the 1,513 lines are those where a search with word boundaries finds a title; 1,982 titles are those of all lines"
)
_REPEATED = "the recorded lists begin with a run that was broken off; corrected: each title once"
Key = tuple[str, str, str]
Measured = tuple[float, float, str]


def gender_numbers(
    composition: Path, job_lines: Path, recall: Path, numbers: list[PublishedNumber], tolerance: float
) -> dict[Key, Measured]:
    """Return ours by the paper's procedure with its exceptions and by the corrected one, and a remark.

    The remark has the result without the exceptions where its verdict is another.
    """
    published = {(number.table, number.row, number.column): number for number in numbers}
    found: dict[Key, Measured] = {}
    cells = [*_composition_cells(pd.read_csv(composition)), *_recall_cells(pd.read_csv(recall))]
    for key, by_procedure, remark in cells:
        ours, plain, corrected = (by_procedure[name] for name in (WITH_EXCEPTIONS, PUBLISHED, CORRECTED))
        if number := published.get(key):
            exact = not remark.startswith(STAND_IN)
            verdicts = [judge("", number, value, None, tolerance, "", exact).verdict for value in (ours, plain)]
            if verdicts[0] != verdicts[1]:
                remark += f"; without the hand-made exceptions {plain:.4g} ({verdicts[1]})"
        found[key] = (ours, corrected, remark)
    return found | dict(_line_cells(pd.read_csv(job_lines)))


Cell = tuple[Key, dict[str, float], str]


def _composition_cells(table: pd.DataFrame) -> Iterator[Cell]:
    for (sample, subcorpus, label), rows in table.groupby(["sample", "subcorpus", "label"]):
        remark = _remark(rows, label)
        by_gender = rows.set_index(["gender", "procedure"])
        totals = rows.groupby("procedure")["count"].sum().to_dict()
        for table_number, row in _places(sample, subcorpus, label):
            yield (table_number, row, "total"), totals, ""
            for gender in by_gender.index.unique("gender"):
                counts, percents = by_gender.loc[gender, "count"], by_gender.loc[gender, "percent"]
                # No name has a common gender, by any procedure.
                said = "" if label == PERS and gender == COMMON else remark
                said += f"; {_DEPUTIES}" if label == JOB and gender in (MASCULINE, COMMON) else ""
                yield (table_number, row, gender), counts.to_dict(), said
                yield (table_number, row, f"{gender}_percent"), percents.to_dict(), said


def _places(sample: str, subcorpus: str, label: str) -> Iterator[tuple[str, str]]:
    """Yield the tables and rows in which a group stands."""
    if sample == BESIDE_JOB:
        yield "1", f"{subcorpus}, {label}"
        if subcorpus == TOTAL:
            yield "§4.1", "ner_uk, JOB" if label == JOB else "ner_uk, lines with JOB, PERS"
    elif subcorpus == TOTAL and sample in (ORIGINAL, AUGMENTED):
        yield "9" if label == JOB else "10", sample


def _recall_cells(table: pd.DataFrame) -> Iterator[Cell]:
    for gender, rows in table.groupby("gender"):
        recall = rows.set_index(["records", "procedure"])["recall"]
        by_procedure = {name: recall[AS_RECORDED, name] for name in (WITH_EXCEPTIONS, PUBLISHED)}
        by_procedure[CORRECTED] = recall[ONCE, CORRECTED]
        remark = "; ".join(filter(None, [_remark(rows, JOB), _REPEATED]))
        yield ("6", gender, "original_recall"), by_procedure, remark


def _line_cells(table: pd.DataFrame) -> Iterator[tuple[Key, Measured]]:
    totals = table[table["subcorpus"] == TOTAL].set_index("lines")
    row = "ner_uk, lines with JOB"
    for column, name in (("lines", "number"), (PERS, PERS)):
        yield ("§4.1", row, column), (*(totals.loc[which, name] for which in ("published", "corrected")), _LINES)
    everything = totals.loc["corrected", JOB]
    found = totals.loc["published", JOB]
    yield ("§4.1", row, JOB), (everything, everything, f"{_LINES}; those 1,513 lines have {found}")


def _remark(rows: pd.DataFrame, label: str) -> str:
    stand_in = STAND_IN if (rows["method"] == BY_RULE).any() else ""
    return "; ".join(filter(None, [stand_in, _LISTS if label == JOB else ""]))
