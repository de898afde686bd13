"""Write, check and print the result of an audit, for the commands that have one."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.auditing.settings import NOT_VALID, check_people_counted
from textparity.commands.messages import CHECK_FAILED, FINE, NOTHING_COUNTED, SOME_SKIPPED, print_message
from textparity.commands.options import ArgumentGroup, add_quiet
from textparity.commands.values import read_path, read_shown
from textparity.persons.mentions import PERSONS, WORDS

if TYPE_CHECKING:
    from textparity.auditing.audit_result import AuditResult
    from textparity.auditing.checks import Checks
    from textparity.auditing.gates import Baseline, CompareTexts
    from textparity.auditing.results import AuditData
    from textparity.auditing.showing.outputs import Outputs
    from textparity.checking.scoring import Check


def add_result_options(group: ArgumentGroup) -> None:
    """Add the options for checking and printing a result. They do not affect how it is counted."""
    group.add_argument(
        "--baseline", type=read_path, metavar="FILE",
        help="exit code 4 if women's share changed by more than chance since an earlier audit of the same texts, or of "
        "more (records, .parquet), or farther from half than in a result (.json)",
    )  # fmt: skip
    group.add_argument(
        "--checked", type=read_path, metavar="FOLDER",
        help="add women's share corrected by the texts that were read in this folder of textparity check",
    )  # fmt: skip
    group.add_argument(
        "--show", type=read_shown, default=(), metavar="PART[,PART]",
        help="also print frequent words, people, sentences or notes (words, people, examples, notes)",
    )  # fmt: skip
    group.add_argument(
        "--allow-empty", action="store_true", help="exit code 0, not 1, if the files have no text at all"
    )
    add_quiet(group, "print only errors and checks: no table, progress bar or notes")


def read_baseline(path: Path | None) -> "Baseline | None":
    """Read the baseline, before anything is counted, so that a wrong file costs no time."""
    if path is None:
        return None
    # Imported here so that --help stays fast.
    from textparity.auditing.gates import Baseline

    return Baseline.read(path)


def read_check(folder: Path | None) -> "Check | None":
    """Read the check, before anything is counted, so that a damaged one costs no time."""
    if folder is None:
        return None
    # Imported here so that --help stays fast.
    from textparity.checking.scoring import Check

    return Check.read(folder)


def correct(result: "AuditResult", check: "Check") -> "AuditResult":
    """Add the corrected share to a result."""
    # Imported here so that --help stays fast.
    from textparity.checking.correcting import correct_result

    return correct_result(result, check)


def show_result(
    result: "AuditData",
    options: argparse.Namespace,
    outputs: "Outputs",
    baseline: "Baseline | None",
    compare_texts: "CompareTexts | None" = None,
    settings: str = "",
) -> int:
    """Write and print the result, and return the exit code.

    `compare_texts` compares its texts with the baseline's. `settings` are the settings file of the run.
    """
    # Imported here so that --help stays fast.
    from textparity.auditing.showing.outputs import Report, print_table

    if "people" in options.show or outputs.has_kind("people"):
        check_people_counted(result.settings)
    outputs.write(Report(result, settings=settings))
    # Checked after the counts are written, so that a failed check cannot lose them.
    checks = _check(result, options.fail_if, baseline, compare_texts)
    outputs.write(Report(result, checks, settings), has_checks=True)
    # The table already has these warnings. A check, however, never passes without showing them.
    warnings = result.warnings if checks.titles or not options.quiet else ()
    if not options.quiet and not outputs.is_printed:
        print_table(result, options.show)
        warnings = ()
        _suggest_persons(result)
    for note in (*warnings, *checks.notes):
        print_message(f"careful: {note}")
    return _report_outcome(result, checks, options.allow_empty)


def _check(
    result: "AuditData",
    conditions: Sequence[str],
    baseline: "Baseline | None",
    compare_texts: "CompareTexts | None",
) -> "Checks":
    """Make the checks: the conditions, and the comparison with the baseline."""
    # Imported here so that --help stays fast.
    from textparity.auditing.checks import Checks

    checks = Checks()
    if conditions:
        from textparity.auditing.fail_conditions import audit_rows, check_conditions, columns_of

        checks = check_conditions(conditions, columns_of(result), audit_rows(result))
    if baseline:
        rows, notes = baseline.check(result, compare_texts)
        titles = (*checks.titles, baseline.title)
        checks = Checks(titles, (*checks.rows, *rows), (*checks.notes, *notes))
    return checks


def _report_outcome(result: "AuditData", checks: "Checks", allow_empty: bool) -> int:
    """Print the outcome of the checks, or why nothing was counted, and return the exit code."""
    if not result.words:
        print_message(f"nothing counted; {_why_nothing(result)}")
        is_empty = not result.failed and result.left_out.keys() <= {"blank"}
        return FINE if allow_empty and is_empty else NOTHING_COUNTED
    for message in checks.messages():
        print_message(message)
    if checks.failures:
        return CHECK_FAILED
    return SOME_SKIPPED if result.failed or NOT_VALID in result.left_out else FINE


def _why_nothing(result: "AuditData") -> str:
    if result.left_out:
        reasons = "; ".join(f"{count} {reason}" for reason, count in result.left_out.items())
        return f"texts were left out: {reasons}"
    if result.texts:
        return "the texts have no words"
    return "no file could be read" if result.failed else "there is no text"


def _suggest_persons(result: "AuditData") -> None:
    """Suggest the method `persons` if it could run here and was measured to be as precise on every kind of text.

    What is installed never changes a result.
    """
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import has_pipeline
    from textparity.persons.method_error import find_kinds_where_as_precise

    if result.methods != (WORDS,):
        return
    measured = {}
    for item in result:
        kinds = find_kinds_where_as_precise(PERSONS, WORDS, item.lang)
        if kinds and has_pipeline(result.settings.counting.pipeline, item.lang):
            measured[item.name] = f"{item.name} (measured on {', '.join(kinds)})"
    if measured:
        print_message(
            f"--method persons could run here for {', '.join(measured.values())}; it finds more names, and resolves "
            "nouns and pronouns"
        )
