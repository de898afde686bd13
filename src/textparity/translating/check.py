"""Score a system's translations of WinoMT beside the recorded results of others, as `textparity translate-check`."""

import csv
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import Any

from textparity import __version__
from textparity.auditing.languages import PACKAGE_FOLDER, fetch_cached, find_pipeline, load_finder, load_registry
from textparity.auditing.records import DataTable
from textparity.auditing.settings import DEFAULT_SEED, make_settings
from textparity.auditing.showing.columns import align_columns
from textparity.auditing.showing.numbers import show_estimate
from textparity.auditing.showing.page import audit_pages
from textparity.auditing.signature import SEPARATOR, counted_with, join_parts
from textparity.counting import PROCEDURES
from textparity.errors import FetchError, InputError, MissingResourceError
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.estimates import Estimate
from textparity.files import number_of, printable, read_tsv, writable
from textparity.persons.mentions import FEMININE, MASCULINE, WORDS, Method
from textparity.translating.genders import describe_rule, load_rule
from textparity.translating.scores import (
    CORRECTED,
    KEPT,
    MEASURES,
    Finding,
    compare,
    count_pronouns,
    find_genders,
    measure_kept,
    score,
)
from textparity.translating.winomt import read_sentences, read_translations

SOURCE, TEXTS = "wino_mt", "data/aggregates/en{}.txt"
RECORDED = "recorded"
_RECORDED = PACKAGE_FOLDER / "resources" / "winomt" / "recorded.csv"
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
    published row of a system also has what is measured without alignment. Rows of outputs after the first have the
    differences from it.
    """

    lang: str
    rows: list[dict[str, Any]]
    notes: list[str]
    signature: str

    @property
    def name(self) -> str:
        """The name of the language."""
        return next((row["language"] for row in read_systems() if row["lang"] == self.lang), self.lang)

    def to_csv(self) -> str:
        """Write the rows as CSV."""
        return DataTable.of(self.rows).to_csv()

    def cells(self) -> list[list[str]]:
        """Format the rows of the table, under `_HEADS`."""
        return [
            [row["system"], row["procedure"], f"{row['sentences']:,}"]
            + [show_estimate(_estimate(row, name), 1) for name in _SHOWN]
            for row in self.rows
        ]

    def to_text(self) -> str:
        """Render the table, its notes and the signature."""
        notes = [line for note in (*self.notes, *NOTES) for line in wrap(note, _WIDTH)]
        return "\n".join([*align_columns([_HEADS, *self.cells()]), "", *notes, "", printable(self.signature)])

    def to_html(self) -> str:
        """Render a page that needs no other file; its chart comes first."""
        bars = [
            (row["system"], row["procedure"], gender, _estimate(row, f"recall_{gender}"))
            for row in self.rows
            for gender in (FEMININE, MASCULINE)
            if row["procedure"] != CORRECTED
        ]
        return audit_pages("textparity.translating").get_template("check.html.j2").render(
            result=self, bars=bars, heads=_HEADS, rows=self.cells(), all_notes=[*self.notes, *NOTES], script=""
        )  # fmt: skip


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    """Read a measure of a row, which may have no interval, or not the measure."""
    return Estimate.of(dict.fromkeys((name, f"{name}_low", f"{name}_high"), math.nan) | row, name)


def check_translations(
    outputs: Sequence[Path],
    lang: str,
    sentences: Path | None = None,
    pipeline: str = "",
    seed: int = DEFAULT_SEED,
) -> TranslationCheck:
    """Score each output: a translation a line, in the order of the sentences, or `sentence ||| translation`.

    `sentences` are those of WinoMT in its own form, by default downloaded once. `pipeline` is that of spaCy, by default
    the language's own. `seed` is that of the intervals. Raises `InputError` for an output that does not fit, and
    `MissingResourceError` for a language without a rule, or a tool that is not installed.
    """
    settings = make_settings(method=WORDS, seed=seed)
    bootstrap = Bootstrap(seed, settings.estimating.resamples, settings.estimating.confidence_level)
    pipeline = pipeline or find_pipeline("", lang)
    rule = load_rule(lang, pipeline)
    asked = read_sentences(*([sentences] if sentences else find_sentences()))
    parts = {
        "textparity": __version__,
        "test": f"winomt@{sha256(repr(asked).encode()).hexdigest()[:8]}",
        "lang": lang,
        "rule": describe_rule(lang, pipeline),
        "seed": f"{seed}",
    }
    signature = [join_parts(parts)]
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    finder: Method | None = None
    first: tuple[str, list[Finding]] | None = None
    try:
        finder = load_finder(WORDS, lang)
        signature.append(counted_with(settings, lang))
    except (FetchError, MissingResourceError) as error:
        notes.append(f"Without alignment, nothing was measured: {error}")
    if sentences:
        notes.append("ΔS needs WinoMT's own sentences, which are downloaded without --sentences.")
    if len(asked) < _FEW:
        notes.append(f"Words were aligned by {number_of(len(asked), 'sentence')} alone; with so few, many are wrong.")
    paths = list(map(os.path.abspath, outputs))
    if twice := next((path for path in paths if paths.count(path) > 1), ""):
        raise InputError(f"{twice}: is named twice; name each output once")
    # Files of the same name in several folders are named by their paths below the common one.
    is_known = len({path.name for path in outputs}) == len(outputs)
    shared = "" if is_known else os.path.commonpath(list(map(os.path.dirname, paths)))
    for output in outputs:
        found = find_genders(asked, read_translations(output, asked), rule)
        name = writable(os.path.relpath(output, shared) if shared else output.name)
        own, more = _score(name, lang, found, finder, bootstrap)
        rows += own
        notes += more
        if first:
            notes.append(_compare(own, found, *first, bootstrap))
        first = first or (name, found)
        if missing := len(asked) - len(found):
            notes.append(f"{name}: {number_of(missing, 'sentence')} without a translation left out.")
        if others := sum(one.is_of_another for one in found):
            notes.append(f"{name}: {number_of(others, 'line')} of another sentence, which the published score has.")
    return TranslationCheck(lang, [*rows, *read_recorded(lang)], notes, SEPARATOR.join(signature))


def find_sentences() -> list[Path]:
    """Find the sentences of WinoMT and its two sets by stereotype, which are downloaded once."""
    registry = load_registry()
    return [fetch_cached(registry.source_file(SOURCE, TEXTS.format(end))) for end in ("", "_pro", "_anti")]


def read_systems() -> list[dict[str, str]]:
    """Read the rows of the systems that the authors scored, with the names of systems and languages."""
    columns = ["system", "name", "lang", "language", "source", "path", "annotations"]
    return read_tsv(PACKAGE_FOLDER / "resources" / "registry" / "translations.tsv", columns)


def read_recorded(lang: str) -> list[dict[str, Any]]:
    """Read the results that the authors recorded in a language, a row for each system."""
    names = {row["system"]: f"{row['name']} 2019" for row in read_systems()}
    by_system: dict[str, dict[str, float]] = {}
    with _RECORDED.open(encoding="utf-8", newline="") as file:
        for number in csv.DictReader(file):
            if number["row"] == lang and number["table"] in names:
                by_system.setdefault(number["table"], {})[number["column"]] = float(number["value"])
    return [
        {"system": names[system], "lang": lang, "procedure": RECORDED, "sentences": int(numbers["sentences"])}
        | {name: numbers[name] for name in MEASURES if name in numbers}
        for system, numbers in by_system.items()
    ]


def _score(
    name: str, lang: str, found: Sequence[Finding], finder: Method | None, bootstrap: Bootstrap
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each procedure, and sentences about pronouns and, if there is a finder, about what is kept."""
    keys = {"system": name, "lang": lang}
    rows = [keys | {"procedure": procedure} | score(found, procedure, bootstrap, procedure) for procedure in PROCEDURES]
    women, men = (count_pronouns(found, gender) for gender in (FEMININE, MASCULINE))
    notes = [
        f"{name}, if pronouns show a gender: of {women['lost_shown']:,} translations that make the occupation of a "
        f"woman masculine, {women['lost_kept']:,} have a feminine pronoun; of {men['lost_shown']:,} that make that of "
        f"a man feminine, {men['lost_kept']:,} have a masculine one."
    ]
    if not finder:
        return rows, notes
    genders = [{one.gender for one in mentions} for mentions in finder.find([one.translation for one in found])]
    kept = measure_kept([one.sentence for one in found], genders, bootstrap, WORDS)
    rows[0] |= {column: value for column, value in kept.items() if column != "sentences"}
    shown = {column: show_estimate(Estimate.of(kept, column), 1) for column in KEPT}
    notes.append(
        f"{name}, without alignment (method {WORDS}): {shown['women_kept']} % of the sentences about a "
        f"woman mention one, as do {shown['women_added']} % of those about a man; {shown['men_kept']} % of the "
        f"sentences about a man mention one, as do {shown['men_added']} % of those about a woman."
    )
    return rows, notes


def _compare(
    rows: list[dict[str, Any]], found: Sequence[Finding], first: str, of_first: Sequence[Finding], bootstrap: Bootstrap
) -> str:
    """Add the differences from the first output to the rows of another one, and return a sentence about them."""
    for row in rows:
        row |= compare(found, of_first, row["procedure"], bootstrap)
    women, men, delta = (
        show_estimate(Estimate.of(rows[-1], f"{name}_difference"), 1)
        for name in ("recall_feminine", "recall_masculine", "delta_g")
    )
    return (
        f"{rows[0]['system']} less {first}, corrected, in points, over the {rows[-1]['sentences_compared']:,} "
        f"sentences that both score: women {women}, men {men}, ΔG {delta}."
    )
