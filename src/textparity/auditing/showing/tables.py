"""Make the tables of a result, and render them as CSV and JSON for programs."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import TYPE_CHECKING, Any

from textparity.auditing.records import DataTable
from textparity.auditing.results import LanguageAudit, PersonCount, WordCount
from textparity.auditing.row_statistics import GroupDifference
from textparity.auditing.settings import check_people_counted, make_settings
from textparity.auditing.signature import signature_of
from textparity.auditing.tallying import Tally
from textparity.counting import CLASSES
from textparity.estimating.corrected_shares import NO_CORRECTION
from textparity.estimating.estimates import UNDEFINED
from textparity.persons.mentions import PEOPLE, PUBLISHED

if TYPE_CHECKING:
    from textparity.auditing.checks import Checks
    from textparity.auditing.results import AuditData
    from textparity.counting.precision import Precision


def result_table(result: "AuditData") -> DataTable:
    """Make a table with one row per corpus and language, then (if texts were grouped) one per group."""
    settings = result.settings
    group_columns = _group_columns(settings.reading.group_fields)
    rows = [_columns_of(item, settings.counting.engine, group_columns) for item in result.rows]
    columns = result_columns(settings.counting.procedure, settings.reading.group_fields, bool(result.of_methods))
    return DataTable.of(rows, columns)


def _group_columns(group_fields: Sequence[str]) -> tuple[str, ...]:
    return ("group", "second_group")[: len(group_fields)]


def _columns_of(item: "LanguageAudit", engine: str, group_columns: Iterable[str]) -> dict[str, Any]:
    return {
        "corpus": item.corpus,
        "lang": item.lang,
        **{name: getattr(item, name) for name in group_columns},
        "method": item.method,
        "engine": engine,
        "grade": item.grade.name,
        **item.statistics.columns(),
        "detected_texts": item.detected,
        "mean_certainty": item.mean_certainty,
        **_precision_columns(item.precision),
        "warnings": "; ".join(item.warnings),
        "signature": item.signature,
    }


def result_columns(
    procedure: str, group_fields: Sequence[str], has_methods: bool = False, is_checked: bool = False
) -> list[str]:
    """List the columns of a result by this procedure. A result without rows has them, too.

    `has_methods`: the result has several methods. `is_checked`: some of its texts were read.
    """
    settings = make_settings(method=PUBLISHED if procedure == "published" else "")
    statistics = replace(
        Tally.empty(settings).summary(settings),
        difference=GroupDifference() if group_fields else None,
        depends_on_method="" if has_methods else None,
        corrected=NO_CORRECTION if is_checked else None,
    )
    empty = LanguageAudit(
        corpus="",
        lang="",
        name="",
        statistics=statistics,
        frequent_words={},
        different_words={},
        examples={},
        detected=0,
        mean_certainty=math.nan,
    )
    return list(_columns_of(empty, settings.counting.engine, _group_columns(group_fields)))


def _precision_columns(precision: Mapping[str, "Precision"]) -> dict[str, float | None]:
    """Convert shares to percent, empty if nothing was judged."""
    columns: dict[str, float | None] = {}
    for name in CLASSES:
        judged = precision.get(name)
        column = f"{name}_precision"
        if judged:
            percent = judged.interval * 100
            columns |= percent.columns(column)
        else:
            columns |= dict.fromkeys(UNDEFINED.columns(column))
    return columns


def words_table(result: "AuditData") -> DataTable:
    """Make a table of the most frequent words, and of the names that show which of them are surnames."""
    rows: list[tuple[Any, ...]] = []
    for item in result.languages:
        for name in CLASSES:
            for rank, word in enumerate(item.frequent_words[name], start=1):
                names = (item.corpus, item.lang, name)
                rows.append((*names, rank, *astuple(word), item.signature))
    columns = [column.name for column in fields(WordCount)]
    return DataTable(["corpus", "lang", "class", "rank", *columns, "signature"], rows)


def people_table(result: "AuditData") -> DataTable:
    """Make a table of the people who are mentioned most by name. Raises `ConfigError` if mentions are counted."""
    check_people_counted(result.settings)
    rows: list[tuple[Any, ...]] = []
    for item in result.languages:
        for rank, person in enumerate(item.people, start=1):
            rows.append((item.corpus, item.lang, rank, *astuple(person), item.signature))
    columns = [column.name for column in fields(PersonCount)]
    return DataTable(["corpus", "lang", "rank", *columns, "signature"], rows)


def examples_table(result: "AuditData") -> DataTable:
    """Make a table of the examples, matches in brackets: corpus, lang, class, file, place, text, signature."""
    rows: list[tuple[Any, ...]] = []
    for item in result.languages:
        for name in CLASSES:
            for example in item.examples[name]:
                names = (item.corpus, item.lang, name)
                rows.append((*names, example.file, example.place, example.marked(), item.signature))
    return DataTable(["corpus", "lang", "class", "file", "place", "text", "signature"], rows)


def left_out_table(result: "AuditData") -> DataTable:
    """Make a table of what was left out: what (texts, file, files), reason, number, signature."""
    signature = signature_of(result)
    rows = [(*left_out, signature) for left_out in result.left_out_rows]
    return DataTable(["what", "reason", "number", "signature"], rows)


# The tables of a result, by the name of their file.
TABLES = {
    "audit": result_table,
    "words": words_table,
    "people": people_table,
    "examples": examples_table,
    "left_out": left_out_table,
}


def render_csv(result: "AuditData") -> str:
    """Render the main table as CSV."""
    return result_table(result).to_csv()


def render_json(result: "AuditData", checks: "Checks") -> str:
    """Render the result for programs: settings, rows, words, texts left out and checks."""
    head = {
        "signature": signature_of(result),
        "settings": result.settings.flat() | {"method": ",".join(result.methods)},
        "files": result.files,
        "warnings": list(result.warnings),
    }
    tables = {"rows": result_table(result), "words": words_table(result)}
    if result.settings.counting.count == PEOPLE:
        tables["people"] = people_table(result)
    tables["left_out"] = left_out_table(result)
    return render_tables_as_json(head, tables, checks)


def render_tables_as_json(head: Mapping[str, Any], tables: Mapping[str, DataTable], checks: "Checks") -> str:
    """Render tables as JSON, between the values of `head` and the checks."""
    whole = dict(head)
    for name, table in tables.items():
        whole[name] = [without_infinity(row) for row in table.rounded()]
    whole |= checks.to_json()
    return json.dumps(whole, ensure_ascii=False, indent=1, default=str) + "\n"


def without_infinity(row: Mapping[str, Any]) -> dict[str, Any]:
    """Replace infinite numbers in a row by null, because JSON cannot represent them."""
    finite = dict(row)
    for name, value in row.items():
        if isinstance(value, float) and math.isinf(value):
            finite[name] = None
    return finite
