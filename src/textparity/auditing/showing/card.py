"""Write a section on who is mentioned for a dataset's card, as Markdown or as Croissant with its RAI vocabulary."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing.row_statistics import CORRECTED_SHARE
from textparity.auditing.showing.citation import methods_paragraph, references
from textparity.auditing.showing.columns import NameColumns, show_with_error, shown_verdict
from textparity.auditing.showing.numbers import begin_sentence, show_estimate, show_number
from textparity.auditing.showing.sentences import describe_split, error_of, headline, headlines, precision_of
from textparity.auditing.showing.tables import result_table, without_infinity
from textparity.auditing.signature import signature_of
from textparity.counting import CLASSES, SPLIT_COLUMNS, UNSPECIFIED
from textparity.errors import ConfigError
from textparity.estimating.estimates import UNDEFINED
from textparity.files import number_of, printable, write_text

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit

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
_TEXT, _FLOAT, _INTEGER = "sc:Text", "sc:Float", "sc:Integer"
_COLUMNS = {
    **dict.fromkeys(("corpus", "lang", "group", "second_group", "method", "grade"), _TEXT),
    **dict.fromkeys(UNDEFINED.columns("women_share"), _FLOAT),
    **dict.fromkeys(UNDEFINED.ends("women_share_with_error"), _FLOAT),
    **dict.fromkeys(UNDEFINED.columns(CORRECTED_SHARE), _FLOAT),
    **dict.fromkeys(("texts", "words"), _INTEGER),
}
for _name in CLASSES:
    _COLUMNS |= dict.fromkeys((f"{_name}_percent", *UNDEFINED.ends(_name)), _FLOAT)
_COLUMNS |= dict.fromkeys((UNSPECIFIED, *SPLIT_COLUMNS.values()), _INTEGER)
_COLUMNS |= dict.fromkeys(UNDEFINED.columns("masculine_per_feminine"), _FLOAT)
_COLUMNS |= dict.fromkeys(("verdict", "verdict_reason", "signature"), _TEXT)


def check_card(path: Path) -> None:
    """Raise `ConfigError` if the name of the card ends in neither a Markdown nor a JSON suffix."""
    if path.suffix not in ENDINGS:
        raise ConfigError(f"card {path}: must end in {' (Markdown) or '.join(ENDINGS)} (Croissant)")


def write_card(result: "AuditData", path: Path) -> None:
    """Write the card as Markdown or Croissant, depending on the suffix of its name."""
    check_card(path)
    write_text(path, render_card(result, path.suffix))


def render_card(result: "AuditData", ending: str) -> str:
    """Render the card as one of `ENDINGS`."""
    return render_markdown(result) if ending == ".md" else render_croissant(result)


def render_markdown(result: "AuditData") -> str:
    """Render a section of a dataset's card: table, method, precision, limitations, references and signature."""
    lines = [f"## {_TITLE}", ""]
    for sentence in headlines(result):
        lines += [f"{_plain(sentence)}.", ""]
    lines += _table(result)
    sections = {
        "Method": [_plain(methods_paragraph(result))],
        "Precision": _list(_precision(result)) or ["- not measured"],
        "Limits": _list(_limits(result)),
        "References": ["```bibtex", references(result), "```"],
    }
    for title, section in sections.items():
        lines += ["", f"### {title}", "", *section]
    signature = printable(signature_of(result)).replace("`", "%60")
    return "\n".join([*lines, "", f"`{signature}`", ""])


def _table(result: "AuditData") -> list[str]:
    """Render the table with its intervals as lines of Markdown."""
    if not result.rows:
        return ["Nothing was counted."]
    names = NameColumns(result.has_corpora, bool(result.groups))
    heads = [begin_sentence(head) for head in names.heads]
    texts = f"{result.unit.capitalize()}s"
    corrected = ["Corrected %"] if result.is_checked else []
    heads += ["Language", texts, "Words", "Women %", "With error", *corrected, "M : F", "Unspecified", "Verdict"]
    lines = [_table_line(heads), _table_line(["---"] * len(heads))]
    for item in result.rows:
        own_names = map(_plain, names.cells(item))
        lines.append(_table_line([*own_names, *_values(item)]))
    return lines


def _table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _values(item: "LanguageAudit") -> list[str]:
    corrected = [show_estimate(item.statistics.corrected_share, 1)] if item.is_checked else []
    return [
        f"{item.name} ({item.lang})",
        f"{item.texts:,}",
        f"{item.words:,}",
        show_estimate(item.stated(item.women_share), 1),
        show_with_error(item),
        *corrected,
        show_estimate(item.stated(item.masculine_per_feminine), 2),
        describe_split(item),
        shown_verdict(item),
    ]


def _list(sentences: list[str]) -> list[str]:
    return [f"- {_plain(sentence)}" for sentence in sentences]


def render_croissant(result: "AuditData") -> str:
    """Render a Croissant dataset with the table as records and the `rai:` fields to copy into another dataset."""
    methods = printable(methods_paragraph(result))
    card: dict[str, Any] = {
        "@context": json.loads(_CONTEXT.read_text("utf-8")),
        "@type": "sc:Dataset",
        "name": _RECORDS,
        "description": f"{_TITLE}: {methods} {printable(signature_of(result))}",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "rai:dataBiases": [_bias(item) for item in result.languages],
        "rai:dataLimitations": [*_precision(result), *_limits(result)],
    }
    if result.rows:
        card["recordSet"] = [_record_set(result, methods)]
    return json.dumps(card, ensure_ascii=False, indent=2) + "\n"


def _record_set(result: "AuditData", description: str) -> dict[str, Any]:
    """Make the records of the table, and the description of their fields."""
    table = result_table(result)
    columns = [name for name in _COLUMNS if name in table.columns]
    fields = []
    for name in columns:
        fields.append({"@type": "cr:Field", "@id": f"{_RECORDS}/{name}", "name": name, "dataType": _COLUMNS[name]})
    records = []
    for row in table.rounded():
        finite = without_infinity(row)
        records.append({f"{_RECORDS}/{name}": finite[name] for name in columns})
    head = {"@type": "cr:RecordSet", "@id": _RECORDS, "name": _RECORDS, "description": description}
    return head | {"field": fields, "data": records}


def _named(item: "LanguageAudit") -> str:
    return f"{item.name}, {printable(item.corpus)}"


def _bias(item: "LanguageAudit") -> str:
    """Describe what was found in a language. Without a verdict, there are only counts."""
    title = _named(item)
    texts = number_of(item.texts, item.unit)
    if not item.has_verdict:
        words = number_of(item.words, "word")
        return f"{title}: {words} in {texts}. {headline(item)}."
    coverage = show_number(item.coverage_percent, 1)
    rates = []
    for name in CLASSES:
        rate = show_estimate(item.rate(name), 3)
        rates.append(f"{name} {rate} %")
    ratio = show_estimate(item.masculine_per_feminine, 2)
    return (
        f"{title}: {headline(item)}. Of {item.words:,} words in {texts} ({coverage} % with a match), "
        f"{', '.join(rates)}; unspecified matches {describe_split(item)}; masculine per feminine {ratio}; "
        f"verdict: {shown_verdict(item)}."
    )


def _precision(result: "AuditData") -> list[str]:
    """List the precision of the matches, once per language, and the errors of the method."""
    by_language = {item.lang: f"{item.name}: {precision_of(item)}." for item in result.languages}
    errors = []
    for item in result.languages:
        error = error_of(item)
        if error:
            errors.append(f"{_named(item)}: {error}.")
    return [*by_language.values(), *errors]


def _limits(result: "AuditData") -> list[str]:
    """List the limits of the method, then the warnings, then what was left out."""
    limits = list(_LIMITS[result.settings.counting.method])
    limits += [limit.format(unit=result.unit) for limit in _ALL_LIMITS]
    limits += [f"Careful: {printable(warning)}." for warning in result.warnings]
    for item in result.languages:
        named = _named(item)
        limits += [f"{named}: {printable(warning)}." for warning in item.warnings]
    for reason, number in result.left_out.items():
        texts = number_of(number, result.unit)
        limits.append(f"Left out: {texts}, {printable(reason)}.")
    for _, message in result.failed:
        limits.append(f"Left out: file {printable(message)}.")
    return limits


def _plain(text: str) -> str:
    """Escape the characters that Markdown and HTML interpret."""
    return re.sub(r"([\\`*_{}\[\]<>|#~&!])", r"\\\1", printable(text))
