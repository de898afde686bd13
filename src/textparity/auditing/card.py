"""Write a section on who is mentioned for a dataset's card, as Markdown or as Croissant with its RAI vocabulary."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing import rendering
from textparity.auditing.citation import methods_paragraph, references
from textparity.auditing.formats import number_of
from textparity.counting import CLASSES
from textparity.errors import ConfigError
from textparity.files import printable, write_text

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

ENDINGS = (".md", ".json")
_TITLE = "Gender representation"
_LIMIT_OF_LISTS = (
    "Words of a list are counted, most of them without their context: words outside the list do not count, and a word "
    "of the list may count where it means something else."
)
_LIMIT_OF_NOUNS = "Person nouns alone are no estimate of who is mentioned: names and pronouns are not counted."
_LIMITS = {
    "persons": ("Mentions are found by a language pipeline, which misses some and makes errors.",),
    "words": (_LIMIT_OF_LISTS,),
    "nouns": (_LIMIT_OF_LISTS, _LIMIT_OF_NOUNS),
    "published": (_LIMIT_OF_LISTS, _LIMIT_OF_NOUNS),
}
_ALL_LIMITS = (
    "A list of women and men leaves others out, and masculine forms may stand for people of any gender.",
    "Languages cannot be compared with each other, because a method finds more in one than in another.",
    "Intervals take {unit}s to be independent of each other; copies and parts of one document make them too narrow.",
    "Counts show who is mentioned, not how, and nothing about the persons who wrote or are meant.",
)
# Croissant 1.0 requires this context verbatim: https://docs.mlcommons.org/croissant/docs/croissant-spec.html.
_CONTEXT = Path(__file__).parent / "templates" / "card.context.json"
_RECORDS = "gender_representation"
_COLUMNS = {
    **dict.fromkeys(("corpus", "lang", "group", "second_group", "method", "grade"), "sc:Text"),
    **{f"women_share{end}": "sc:Float" for end in ("", "_low", "_high", "_with_error_low", "_with_error_high")},
    **dict.fromkeys(("texts", "words"), "sc:Integer"),
    **{f"{name}{end}": "sc:Float" for name in CLASSES for end in ("_percent", "_low", "_high")},
    **{f"masculine_per_feminine{end}": "sc:Float" for end in ("", "_low", "_high")},
    **dict.fromkeys(("verdict", "verdict_reason", "signature"), "sc:Text"),
}


def check_card(path: Path) -> None:
    """Raise `ConfigError` if the name of the card ends in neither a Markdown nor a JSON suffix."""
    if path.suffix not in ENDINGS:
        raise ConfigError(f"--card {path}: must end in {' (Markdown) or '.join(ENDINGS)} (Croissant)")


def write_card(result: "AuditResult", path: Path) -> None:
    """Write the card as Markdown or Croissant, depending on the suffix of its name."""
    check_card(path)
    write_text(path, render_markdown(result) if path.suffix == ".md" else render_croissant(result))


def render_markdown(result: "AuditResult") -> str:
    """Render a section of a dataset's card: table, method, precision, limitations, references and signature."""
    several, grouped = result.has_corpora, bool(result.groups)
    heads = [*["Corpus"] * several, *["Group"] * grouped, "Language", f"{result.unit.capitalize()}s", "Words"]
    heads += ["Women %", "With error", "M : F", "Verdict"]
    rows = [
        [
            *[_plain(item.corpus)] * several,
            *[_plain(item.group_name)] * grouped,
            f"{item.name} ({item.lang})",
            f"{item.texts:,}",
            f"{item.words:,}",
            rendering.show_estimate(item.stated(item.women_share), 1),
            rendering.show_with_error(item),
            rendering.show_estimate(item.stated(item.masculine_per_feminine), 2),
            rendering.shown_verdict(item),
        ]
        for item in result.rows
    ]
    lines = [f"## {_TITLE}", ""]
    lines += [part for sentence in rendering.headlines(result) for part in (f"{_plain(sentence)}.", "")]
    table = [heads, ["---"] * len(heads), *rows]
    lines += [f"| {' | '.join(cells)} |" for cells in table] if rows else ["Nothing was counted."]
    lines += ["", "### Method", "", _plain(methods_paragraph(result)), "", "### Precision", ""]
    lines += [f"- {_plain(one)}" for one in _precision(result)] or ["- not measured"]
    lines += ["", "### Limits", "", *(f"- {_plain(one)}" for one in _limits(result))]
    lines += ["", "### References", "", "```bibtex", references(result), "```"]
    return "\n".join([*lines, "", f"`{printable(result.signature).replace('`', '%60')}`", ""])


def render_croissant(result: "AuditResult") -> str:
    """Render a Croissant dataset with the table as records and the `rai:` fields to copy into another dataset."""
    table = result.table()
    columns = {name: kind for name, kind in _COLUMNS.items() if name in table.columns}
    rows = [{name: row[name] for name in columns} for row in map(rendering.without_infinity, table.rounded())]
    methods = printable(methods_paragraph(result))
    card: dict[str, Any] = {
        "@context": json.loads(_CONTEXT.read_text("utf-8")),
        "@type": "sc:Dataset",
        "name": _RECORDS,
        "description": f"{_TITLE}: {methods} {printable(result.signature)}",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "rai:dataBiases": [_bias(item) for item in result.languages],
        "rai:dataLimitations": [*_precision(result), *_limits(result)],
    }
    if rows:
        kinds = [
            {"@type": "cr:Field", "@id": f"{_RECORDS}/{name}", "name": name, "dataType": kind}
            for name, kind in columns.items()
        ]
        data = [{f"{_RECORDS}/{name}": value for name, value in row.items()} for row in rows]
        head = {"@type": "cr:RecordSet", "@id": _RECORDS, "name": _RECORDS, "description": methods}
        card["recordSet"] = [head | {"field": kinds, "data": data}]
    return json.dumps(card, ensure_ascii=False, indent=2) + "\n"


def _named(item: "LanguageAudit") -> str:
    return f"{item.name}, {printable(item.corpus)}"


def _bias(item: "LanguageAudit") -> str:
    if not item.has_verdict:
        return (
            f"{_named(item)}: {number_of(item.words, 'word')} in {number_of(item.texts, item.unit)}. "
            f"{rendering.headline(item)}."
        )
    rates = ", ".join(f"{name} {rendering.show_estimate(item.rate(name), 3)} %" for name in CLASSES)
    return (
        f"{_named(item)}: {rendering.headline(item)}. Of {item.words:,} words in {number_of(item.texts, item.unit)} "
        f"({rendering.show_number(item.coverage_percent, 1)} % with a match), {rates}; masculine per feminine "
        f"{rendering.show_estimate(item.masculine_per_feminine, 2)}; verdict: {rendering.shown_verdict(item)}."
    )


def _precision(result: "AuditResult") -> list[str]:
    """List the precision of the matches, once per language."""
    found = {item.lang: f"{item.name}: {rendering.precision_of(item)}" for item in result.languages}
    errors = [f"{_named(item)}: {text}" for item in result.languages if (text := rendering.error_of(item))]
    return [f"{one}." for one in (*found.values(), *errors)]


def _limits(result: "AuditResult") -> list[str]:
    left_out = [
        f"Left out: {number_of(number, result.unit)}, {printable(reason)}."
        for reason, number in result.left_out.items()
    ]
    failed = [f"Left out: file {printable(message)}." for _, message in result.failed]
    cautions = [f"Careful: {printable(warning)}." for warning in result.warnings]
    warnings = [f"{_named(item)}: {printable(one)}." for item in result.languages for one in item.warnings]
    limits = [limit.format(unit=result.unit) for limit in _ALL_LIMITS]
    return [*_LIMITS[result.settings.method], *limits, *cautions, *warnings, *left_out, *failed]


def _plain(text: str) -> str:
    """Escape the characters that Markdown and HTML interpret."""
    return re.sub(r"([\\`*_{}\[\]<>|#~&!])", r"\\\1", printable(text))
