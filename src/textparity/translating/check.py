"""Score a system's translations of WinoMT beside the recorded results of others, as `textparity translate-check`."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from textparity import __version__
from textparity.auditing.formats import number_of
from textparity.auditing.languages import (
    PACKAGE_FOLDER,
    fetch_cached,
    find_pipeline,
    language_row,
    load_finder,
    load_registry,
)
from textparity.auditing.rendering import align_columns, audit_pages, show_estimate
from textparity.auditing.settings import AuditSettings
from textparity.auditing.signature import SEPARATOR, counted_with, join_parts
from textparity.counting import PROCEDURES
from textparity.counting.resampling import Bootstrap
from textparity.counting.statistics import Estimate
from textparity.errors import FetchError, MissingResourceError
from textparity.files import printable
from textparity.persons.mentions import FEMININE, MASCULINE, WORDS
from textparity.translating.genders import describe_rule, load_rule
from textparity.translating.scores import KEPT, MEASURES, Finding, find_genders, measure_kept, score
from textparity.translating.winomt import read_sentences, read_translations

if TYPE_CHECKING:
    from textparity.persons.methods import Method

SOURCE, TEXTS = "wino_mt", "data/aggregates/en{}.txt"
RECORDED = "recorded"
_RECORDED = PACKAGE_FOLDER / "resources" / "winomt" / "recorded.csv"
_NAMES = {"google": "Google Translate 2019", "bing": "Microsoft Translator 2019", "sota": "WMT winner 2016 to 2018"}
_SHOWN = ("recall_feminine", "recall_masculine", "accuracy", "delta_g", "delta_s")
_HEADS = ("system", "procedure", "sentences", "women %", "men %", "accuracy %", "ΔG", "ΔS")
_WIDTH = 100
# An alignment learned from fewer sentences is called doubtful: WinoMT has 3,888.
_FEW = 1000
NOTES = (
    "Women %, men %: the sentences about a woman or a man whose occupation has this gender, in percent. ΔG: F1 of men "
    "less that of women. ΔS: accuracy with the stereotype of the occupation less that against it. In brackets, 95 % "
    "bootstrap intervals over sentences.",
    "Published: the procedure of Stanovsky et al. (2019). Corrected: alignment from English, no neutral "
    "sentences, each sentence once, and only where a gender is shown. Recorded: the authors' results.",
)


@dataclass(frozen=True)
class TranslationCheck:
    """The scores of systems in one language, a row for each system and procedure.

    Rows have `system`, `lang`, `procedure`, `sentences` and the measures of `scores`, NaN for what is not known. The
    published row of a system also has what is measured without alignment.
    """

    lang: str
    rows: list[dict[str, Any]]
    notes: list[str]
    signature: str

    @property
    def name(self) -> str:
        """The name of the language."""
        return language_row(self.lang).name if self.lang != "heb" else "Hebrew"

    def to_csv(self) -> str:
        """Write the rows as CSV."""
        columns = list(dict.fromkeys(column for row in self.rows for column in row))
        file = io.StringIO()
        writer = csv.DictWriter(file, columns, lineterminator="\r\n")
        writer.writeheader()
        writer.writerows({name: _round(value) for name, value in row.items()} for row in self.rows)
        return file.getvalue()

    def cells(self) -> list[list[str]]:
        """Format the rows of the table, under `_HEADS`."""
        return [
            [printable(row["system"]), row["procedure"], f"{row['sentences']:,}"]
            + [_cell(row, name) for name in _SHOWN]
            for row in self.rows
        ]

    def to_text(self) -> str:
        """Render the table, its notes and the signature."""
        notes = [line for note in (*self.notes, *NOTES) for line in wrap(note, _WIDTH)]
        return "\n".join([*align_columns([_HEADS, *self.cells()]), "", *notes, "", printable(self.signature)])

    def to_html(self) -> str:
        """Render a page that needs no other file; its chart comes first."""
        bars = [
            (
                printable(row["system"]),
                row["procedure"],
                gender,
                Estimate.of(_full(row, f"recall_{gender}"), f"recall_{gender}"),
            )
            for row in self.rows
            for gender in (FEMININE, MASCULINE)
            if row["procedure"] != PROCEDURES[1]
        ]
        return audit_pages("textparity.translating", "textparity.auditing").get_template("check.html.j2").render(
            result=self, bars=bars, heads=_HEADS, rows=self.cells(), all_notes=[*self.notes, *NOTES], script=""
        )  # fmt: skip


def _round(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return "" if math.isnan(value) else round(value, 6)


def _full(row: dict[str, Any], name: str) -> dict[str, Any]:
    return dict.fromkeys((name, f"{name}_low", f"{name}_high"), math.nan) | row


def _cell(row: dict[str, Any], name: str) -> str:
    return show_estimate(Estimate.of(_full(row, name), name), 1)


def check_translations(
    outputs: Sequence[Path],
    lang: str,
    sentences: Path | None = None,
    pipeline: str = "",
    settings: AuditSettings | None = None,
) -> TranslationCheck:
    """Score each output: a translation a line, in the order of the sentences, or `sentence ||| translation`.

    `sentences` are those of WinoMT in its own form, by default downloaded once. `pipeline` is that of spaCy, by default
    the language's own. Of the `settings`, those of intervals matter. Raises `InputError` for an output that does not
    fit, and `MissingResourceError` for a language without a rule, or a tool that is not installed.
    """
    settings = settings or AuditSettings(method=WORDS)
    pipeline = pipeline or find_pipeline(settings, lang)
    rule = load_rule(lang, pipeline)
    asked = read_sentences(*([sentences] if sentences else find_sentences()))
    parts = {
        "textparity": __version__,
        "test": f"winomt@{sha256(repr(asked).encode()).hexdigest()[:8]}",
        "lang": lang,
        "rule": describe_rule(lang, pipeline),
        "seed": f"{settings.seed}",
    }
    signature = [join_parts(parts)]
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    finder: Method | None = None
    try:
        finder = load_finder(settings, lang)
        signature.append(counted_with(settings, lang))
    except (FetchError, MissingResourceError) as error:
        notes.append(f"Without alignment, nothing was measured: {error}")
    if sentences:
        notes.append("ΔS needs WinoMT's own sentences, which are downloaded without --sentences.")
    if len(asked) < _FEW:
        notes.append(f"Words were aligned by {number_of(len(asked), 'sentence')} alone; with so few, many are wrong.")
    for output in outputs:
        found = find_genders(asked, read_translations(output, asked), rule)
        # Files of the same name in several folders are named by their paths.
        is_known = [other.name for other in outputs].count(output.name) == 1
        name = printable(output.name if is_known else str(output))
        own, note = _score(name, lang, found, finder, settings)
        rows += own
        notes += [note] if note else []
        if missing := len(asked) - len(found):
            notes.append(f"{name}: {number_of(missing, 'sentence')} without a translation left out.")
        if others := sum(one.source != " ".join(one.sentence.words) for one in found):
            notes.append(f"{name}: {number_of(others, 'line')} of another sentence, which the published score has.")
    return TranslationCheck(lang, [*rows, *read_recorded(lang)], notes, SEPARATOR.join(signature))


def find_sentences() -> list[Path]:
    """Find the sentences of WinoMT and its two sets by stereotype, which are downloaded once."""
    registry = load_registry()
    return [fetch_cached(registry.source_file(SOURCE, TEXTS.format(end))) for end in ("", "_pro", "_anti")]


def read_recorded(lang: str) -> list[dict[str, Any]]:
    """Read the results that the authors recorded in a language, a row for each system."""
    by_system: dict[str, dict[str, float]] = {}
    with _RECORDED.open(encoding="utf-8", newline="") as file:
        for number in csv.DictReader(file):
            if number["row"] == lang and number["table"] in _NAMES:
                by_system.setdefault(number["table"], {})[number["column"]] = float(number["value"])
    return [
        {"system": _NAMES[system], "lang": lang, "procedure": RECORDED, "sentences": int(numbers["sentences"])}
        | {name: numbers[name] for name in MEASURES if name in numbers}
        for system, numbers in by_system.items()
    ]


def _score(
    name: str, lang: str, found: Sequence[Finding], finder: "Method | None", settings: AuditSettings
) -> tuple[list[dict[str, Any]], str]:
    """Return a row for each procedure, and a sentence about what is kept if there is a finder."""
    bootstrap = Bootstrap(settings.seed, settings.resamples, settings.confidence_level)
    keys = {"system": name, "lang": lang}
    rows = [keys | {"procedure": procedure} | score(found, procedure, bootstrap, procedure) for procedure in PROCEDURES]
    if not finder:
        return rows, ""
    genders = [{one.gender for one in mentions} for mentions in finder.find([one.translation for one in found])]
    kept = measure_kept([one.sentence for one in found], genders, bootstrap, WORDS)
    rows[0] |= {column: value for column, value in kept.items() if column != "sentences"}
    shown = {column: show_estimate(Estimate.of(kept, column), 1) for column in KEPT}
    return rows, (
        f"{name}, without alignment (method {settings.method}): {shown['women_kept']} % of the sentences about a "
        f"woman mention one, as do {shown['women_added']} % of those about a man; {shown['men_kept']} % of the "
        f"sentences about a man mention one, as do {shown['men_added']} % of those about a woman."
    )
