"""A part of a dataset's card about who is mentioned in it: as Markdown, or as Croissant with its RAI vocabulary."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing.rendering import (
    counted_in,
    groups_of,
    level_of,
    lexicon_of,
    number_of,
    precision_of,
    show_estimate,
    show_number,
    verdict_of,
)
from textparity.errors import ConfigError
from textparity.files import printable, write_text
from textparity.measures.terms import CLASSES

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

ENDINGS = (".md", ".json")
_TITLE = "Gender representation"
_LIMITS = {
    "lexicon": "Words of a list are counted, most of them without their context: words outside the list do not count, "
    "and a word of the list may count where it means something else.",
    "persons": "Mentions are found by a language pipeline, which overlooks some and errs in some.",
}
_ALL_LIMITS = (
    "A list of women and men leaves others out, and masculine forms may stand for people of any gender.",
    "Rates of different languages cannot be compared, since their words and lexicons differ.",
    "Intervals take {unit}s to be independent of each other; copies and parts of one document make them too narrow.",
    "Counts say who is mentioned, not how, and nothing about the persons who wrote or are meant.",
)
# Of Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html, which asks for it as it is.
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{name: {"@id": f"cr:{name}", "@type": "@json"} for name in ("data", "examples")},
    **{
        name: f"cr:{name}"
        for name in (
            "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty", "fileSet",
            "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet",
            "references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField",
            "transform",
        )
    },
}  # fmt: skip
_RECORDS = "gender_representation"
_COLUMNS = {
    "corpus": "sc:Text", "lang": "sc:Text", "group": "sc:Text", "texts": "sc:Integer", "words": "sc:Integer",
    **{f"{name}{end}": "sc:Float" for name in CLASSES for end in ("_percent", "_low", "_high")},
    **{f"masculine_per_feminine{end}": "sc:Float" for end in ("", "_low", "_high")},
    "verdict": "sc:Text", "signature": "sc:Text",
}  # fmt: skip


def check_card(path: Path) -> None:
    """Raise `ConfigError` for a card that is neither Markdown nor JSON."""
    if path.suffix not in ENDINGS:
        raise ConfigError(f"--card {path}: must end in {' (Markdown) or '.join(ENDINGS)} (Croissant)")


def write_card(result: "AuditResult", path: Path) -> None:
    """Write the card, by its ending as Markdown or Croissant."""
    check_card(path)
    write_text(path, render_markdown(result) if path.suffix == ".md" else render_croissant(result))


def render_markdown(result: "AuditResult") -> str:
    """Return a section of a dataset's card: table, method, precision, limits and signature."""
    several, grouped = result.has_corpora, bool(result.groups)
    heads = [*["Corpus"] * several, *["Group"] * grouped, "Language", f"{result.unit.capitalize()}s", "Words"]
    heads += [*(f"{name.capitalize()} %" for name in CLASSES), "M : F", "Verdict"]
    rows = [
        [*[_plain(item.corpus)] * several, *[_plain(item.group)] * grouped, f"{item.name} ({item.lang})",
         f"{item.texts:,}", f"{item.words:,}", *(show_estimate(item.rate(name), 3) for name in CLASSES),
         show_estimate(item.masculine_per_feminine, 2), item.verdict or "–"]
        for item in result.rows
    ]  # fmt: skip
    lines = [f"## {_TITLE}", ""]
    lines += (
        [f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows]]
        if rows
        else ["Nothing was counted."]
    )
    lines += ["", "### Method", "", _method(result), "", "### Precision", ""]
    lines += [f"- {_plain(one)}" for one in _precision(result)] or ["- not measured"]
    lines += ["", "### Limits", "", *(f"- {_plain(one)}" for one in _limits(result))]
    return "\n".join([*lines, "", f"`{printable(result.signature).replace('`', '%60')}`", ""])


def render_croissant(result: "AuditResult") -> str:
    """Return a Croissant dataset that has the table as records, and what goes into the `rai:` fields of another one."""
    table = result.table()
    columns = {name: kind for name, kind in _COLUMNS.items() if name in table.columns}
    rows = [{name: value for name, value in row.items() if name in columns} for row in table.rounded()]
    card: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": _RECORDS,
        "description": f"{_TITLE}: {_method(result)} {printable(result.signature)}",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "rai:dataBiases": [_bias(item) for item in result.languages],
        "rai:dataLimitations": [*_precision(result), *_limits(result)],
    }
    if rows:
        card["recordSet"] = [
            {
                "@type": "cr:RecordSet",
                "@id": _RECORDS,
                "name": _RECORDS,
                "description": _method(result),
                "field": [
                    {"@type": "cr:Field", "@id": f"{_RECORDS}/{name}", "name": name, "dataType": kind}
                    for name, kind in columns.items()
                ],
                "data": [{f"{_RECORDS}/{name}": value for name, value in row.items()} for row in rows],
            }
        ]
    return json.dumps(card, ensure_ascii=False, indent=2) + "\n"


def _method(result: "AuditResult") -> str:
    settings = result.settings
    how = f"lexicon {printable(lexicon_of(result))}" if settings.method == "lexicon" else "a language pipeline"
    return (
        f"{counted_in(result)} by gender, in percent of words, counted by textparity (method {settings.method}, {how}, "
        f"{settings.procedure} procedure, {settings.engine} engine), with {level_of(result)} % bootstrap intervals "
        f"over {result.unit}s. M : F is masculine for each feminine one. Verdict: {verdict_of(result)}."
        + (f" By {printable(settings.group_by)}: {groups_of(result)}" if result.groups else "")
    )


def _named(item: "LanguageAudit") -> str:
    return f"{item.name}, {printable(item.corpus)}"


def _bias(item: "LanguageAudit") -> str:
    rates = ", ".join(f"{name} {show_estimate(item.rate(name), 3)} %" for name in CLASSES)
    ratio = show_estimate(item.masculine_per_feminine, 2)
    return (
        f"{_named(item)}: of {item.words:,} words in {number_of(item.texts, item.unit)} "
        f"({show_number(item.coverage_percent, 1)} % with a match), {rates}; masculine per feminine {ratio}; "
        f"verdict: {item.verdict or '–'}."
    )


def _precision(result: "AuditResult") -> list[str]:
    """Return how often each language's matches are right, once a language."""
    found = {item.lang: f"{item.name}: {precision_of(item)}" for item in result.languages}
    return [f"{one}." for one in found.values()]


def _limits(result: "AuditResult") -> list[str]:
    left_out = [
        f"Left out: {number_of(number, result.unit)}, {printable(reason)}."
        for reason, number in result.left_out.items()
    ]
    failed = [f"Left out: file {printable(message)}." for _, message in result.failed]
    doubts = [f"Careful: {printable(doubt)}." for doubt in result.doubts]
    warnings = [f"{_named(item)}: {printable(one)}." for item in result.languages for one in item.warnings]
    limits = [limit.format(unit=result.unit) for limit in _ALL_LIMITS]
    return [_LIMITS[result.settings.method], *limits, *doubts, *warnings, *left_out, *failed]


def _plain(text: str) -> str:
    """Return text in which Markdown and HTML find nothing to obey."""
    return re.sub(r"([\\`*_{}\[\]<>|#~&!])", r"\\\1", printable(text))
