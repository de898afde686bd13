"""Score a system's translations of WinoMT beside the recorded results of others, as `textparity translate-check`."""

import csv
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from textparity import __version__
from textparity.auditing.formats import number_of
from textparity.auditing.languages import PACKAGE_FOLDER, fetch_cached, find_pipeline, load_finder, load_registry
from textparity.auditing.records import DataTable
from textparity.auditing.settings import AuditSettings
from textparity.auditing.showing.columns import align_columns
from textparity.auditing.showing.numbers import show_estimate
from textparity.auditing.showing.page import audit_pages
from textparity.auditing.signature import SEPARATOR, counted_with, join_parts
from textparity.counting import PROCEDURES
from textparity.errors import FetchError, InputError, MissingResourceError
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.estimates import Estimate
from textparity.files import printable, read_tsv, writable
from textparity.persons.mentions import FEMININE, MASCULINE, WORDS, Mention, Method
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
from textparity.translating.winomt import Sentence, read_sentences, read_translations

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
        for row in read_systems():
            if row["lang"] == self.lang:
                return row["language"]
        return self.lang

    def to_csv(self) -> str:
        """Write the rows as CSV."""
        return DataTable.of(self.rows).to_csv()

    def cells(self) -> list[list[str]]:
        """Format the rows of the table, under `_HEADS`."""
        cells: list[list[str]] = []
        for row in self.rows:
            sentences = f"{row['sentences']:,}"
            estimates = [_estimate(row, name) for name in _SHOWN]
            measures = [show_estimate(estimate, 1) for estimate in estimates]
            cells.append([row["system"], row["procedure"], sentences, *measures])
        return cells

    def to_text(self) -> str:
        """Render the table, its notes and the signature."""
        table = align_columns([_HEADS, *self.cells()])
        notes: list[str] = []
        for note in (*self.notes, *NOTES):
            notes += wrap(note, _WIDTH)
        lines = [*table, "", *notes, "", printable(self.signature)]
        return "\n".join(lines)

    def to_html(self) -> str:
        """Render a page that needs no other file; its chart comes first."""
        template = audit_pages("textparity.translating").get_template("check.html.j2")
        notes = [*self.notes, *NOTES]
        return template.render(
            result=self, bars=self._bars(), heads=_HEADS, rows=self.cells(), all_notes=notes, script=""
        )

    def _bars(self) -> list["_Bar"]:
        bars: list[_Bar] = []
        for row in self.rows:
            if row["procedure"] == CORRECTED:
                continue
            for gender in (FEMININE, MASCULINE):
                recall = _estimate(row, f"recall_{gender}")
                bars.append(_Bar(row["system"], row["procedure"], gender, recall))
        return bars


class _Bar(NamedTuple):
    """A bar of the chart: the recall of a gender."""

    system: str
    procedure: str
    gender: str
    share: Estimate


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    """Read a measure of a row, which may have no interval, or not the measure."""
    unknown = dict.fromkeys((name, f"{name}_low", f"{name}_high"), math.nan)
    return Estimate.of(unknown | row, name)


def check_translations(
    outputs: Sequence[Path],
    lang: str,
    sentences: Path | None = None,
    pipeline: str = "",
    seed: int = AuditSettings.seed,
) -> TranslationCheck:
    """Score each output: a translation a line, in the order of the sentences, or `sentence ||| translation`.

    `sentences` are those of WinoMT in its own form, by default downloaded once. `pipeline` is that of spaCy, by default
    the language's own. `seed` is that of the intervals. Raises `InputError` for an output that does not fit, and
    `MissingResourceError` for a language without a rule, or a tool that is not installed.
    """
    settings = AuditSettings(method=WORDS, seed=seed)
    bootstrap = Bootstrap(seed, settings.resamples, settings.confidence_level)
    pipeline = pipeline or find_pipeline(settings, lang)
    rule = load_rule(lang, pipeline)
    test_files = [sentences] if sentences else find_sentences()
    asked = read_sentences(*test_files)
    signature = [_describe_check(asked, lang, pipeline, seed)]
    notes: list[str] = []
    finder: Method | None = None
    try:
        finder = load_finder(settings, lang)
        signature.append(counted_with(settings, lang))
    except (FetchError, MissingResourceError) as error:
        notes.append(f"Without alignment, nothing was measured: {error}")
    notes += _note_sentences(len(asked), has_sets=sentences is None)
    rows: list[dict[str, Any]] = []
    first: _Output | None = None
    for path, name in zip(outputs, _name_outputs(outputs), strict=True):
        findings = find_genders(asked, read_translations(path, asked), rule)
        output = _Output(name, findings)
        output_rows, output_notes = _score(output, lang, finder, bootstrap)
        rows += output_rows
        notes += output_notes
        if first:
            notes.append(_compare(output_rows, output, first, bootstrap))
        else:
            first = output
        notes += _note_left_out(output, len(asked))
    return TranslationCheck(lang, [*rows, *read_recorded(lang)], notes, SEPARATOR.join(signature))


class _Output(NamedTuple):
    """The translations of a system: the name of the file, and what was found in it."""

    name: str
    findings: list[Finding]


def _describe_check(sentences: list[Sentence], lang: str, pipeline: str, seed: int) -> str:
    """Describe how translations are scored, for the signature."""
    digest = sha256(repr(sentences).encode()).hexdigest()
    parts = {
        "textparity": __version__,
        "test": f"winomt@{digest[:8]}",
        "lang": lang,
        "rule": describe_rule(lang, pipeline),
        "seed": f"{seed}",
    }
    return join_parts(parts)


def _note_sentences(sentences: int, has_sets: bool) -> Iterator[str]:
    """Note what the sentences do not show. `has_sets`: they are WinoMT's own, with their sets by stereotype."""
    if not has_sets:
        yield "ΔS needs WinoMT's own sentences, which are downloaded without --sentences."
    if sentences < _FEW:
        yield f"Words were aligned by {number_of(sentences, 'sentence')} alone; with so few, many are wrong."


def _name_outputs(outputs: Sequence[Path]) -> list[str]:
    """Name the outputs. Files of the same name in several folders are named by their paths below the common one.

    Raises `InputError` if a file is named twice.
    """
    paths = [os.path.abspath(output) for output in outputs]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"{path}: is named twice; name each output once")
    names = [output.name for output in outputs]
    is_unique = len(set(names)) == len(names)
    if not is_unique:
        folders = list(map(os.path.dirname, paths))
        common = os.path.commonpath(folders)
        names = [os.path.relpath(output, common) for output in outputs]
    return list(map(writable, names))


def _note_left_out(output: _Output, sentences: int) -> Iterator[str]:
    """Note the sentences of an output that were not scored, or that are others."""
    missing = sentences - len(output.findings)
    if missing:
        yield f"{output.name}: {number_of(missing, 'sentence')} without a translation left out."
    others = sum(finding.is_of_another for finding in output.findings)
    if others:
        yield f"{output.name}: {number_of(others, 'line')} of another sentence, which the published score has."


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
        for cell in csv.DictReader(file):
            system = cell["table"]
            if cell["row"] != lang or system not in names:
                continue
            numbers = by_system.setdefault(system, {})
            column = cell["column"]
            numbers[column] = float(cell["value"])
    rows: list[dict[str, Any]] = []
    for system, numbers in by_system.items():
        sentences = int(numbers["sentences"])
        row = {"system": names[system], "lang": lang, "procedure": RECORDED, "sentences": sentences}
        measures = {name: numbers[name] for name in MEASURES if name in numbers}
        rows.append(row | measures)
    return rows


def _score(
    output: _Output, lang: str, finder: Method | None, bootstrap: Bootstrap
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each procedure, and sentences about pronouns and, if there is a finder, about what is kept."""
    name, findings = output
    rows: list[dict[str, Any]] = []
    for procedure in PROCEDURES:
        row = {"system": name, "lang": lang, "procedure": procedure}
        rows.append(row | score(findings, procedure, bootstrap, procedure))
    women = count_pronouns(findings, FEMININE)
    men = count_pronouns(findings, MASCULINE)
    notes = [
        f"{name}, if pronouns show a gender: of {women['lost_shown']:,} translations that make the occupation of a "
        f"woman masculine, {women['lost_kept']:,} have a feminine pronoun; of {men['lost_shown']:,} that make that of "
        f"a man feminine, {men['lost_kept']:,} have a masculine one."
    ]
    if not finder:
        return rows, notes
    kept = _measure_mentions(findings, finder, bootstrap)
    rows[0] |= kept
    shown = {column: show_estimate(Estimate.of(kept, column), 1) for column in KEPT}
    notes.append(
        f"{name}, without alignment (method {WORDS}): {shown['women_kept']} % of the sentences about a "
        f"woman mention one, as do {shown['women_added']} % of those about a man; {shown['men_kept']} % of the "
        f"sentences about a man mention one, as do {shown['men_added']} % of those about a woman."
    )
    return rows, notes


def _measure_mentions(findings: Sequence[Finding], finder: Method, bootstrap: Bootstrap) -> dict[str, Any]:
    """Measure which genders the translations mention, by a method that needs no alignment."""
    sentences = [finding.sentence for finding in findings]
    translations = [finding.translation for finding in findings]
    mentions = finder.find(translations)
    genders = [set(map(_gender_of, of_translation)) for of_translation in mentions]
    kept = measure_kept(sentences, genders, bootstrap, WORDS)
    kept.pop("sentences")
    return kept


def _gender_of(mention: Mention) -> str:
    return mention.gender


def _compare(rows: list[dict[str, Any]], output: _Output, first: _Output, bootstrap: Bootstrap) -> str:
    """Add the differences from the first output to the rows of another one, and return a sentence about them."""
    for row in rows:
        row |= compare(output.findings, first.findings, row["procedure"], bootstrap)
    corrected = rows[-1]
    shown: list[str] = []
    for name in ("recall_feminine", "recall_masculine", "delta_g"):
        difference = Estimate.of(corrected, f"{name}_difference")
        shown.append(show_estimate(difference, 1))
    women, men, delta = shown
    return (
        f"{output.name} less {first.name}, corrected, in points, over the {corrected['sentences_compared']:,} "
        f"sentences that both score: women {women}, men {men}, ΔG {delta}."
    )
