"""`textparity compare`: compare corpora with a reference."""

import argparse
from typing import TYPE_CHECKING, Any

from textparity.auditing.settings import make_settings
from textparity.commands.messages import CHECK_FAILED, FINE, NOTHING_COUNTED, SOME_SKIPPED, print_message
from textparity.commands.options import (
    add_checks,
    add_column,
    add_old_json,
    add_old_outputs,
    add_old_settings,
    add_old_skips,
    add_quiet,
    add_setting,
    add_settings,
    add_settings_file,
    add_write,
    skips_invalid,
)
from textparity.commands.settings import SETTINGS, ChosenSettings, default_of, refuse_settings
from textparity.commands.values import read_method
from textparity.errors import NothingCountedError

if TYPE_CHECKING:
    from textparity.auditing.showing.outputs import Outputs
    from textparity.comparing.comparison import ComparisonResult
    from textparity.reading.sources import InputFile

# Settings of an audit that a comparison does not have.
_NOT_COMPARED = ("subset", "split", "group_by", "date_format", "per_file", "id_field", "same_names")


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("reference", metavar="REFERENCE", help="file or folder; FILE:LANG gives its language")
    parser.add_argument("others", nargs="+", metavar="OTHER", help="corpus to compare with the reference")
    parser.add_argument(
        "--paired", action="store_true", help="texts on the same line or record are a pair, such as translations"
    )
    group = parser.add_argument_group("input")
    add_setting(group, "lang", "language of all files; default: detected in each text")
    add_settings(group, "field", "format", "encoding", "delimiter", "documents")
    add_setting(
        group, "on_error",
        "stop at invalid lines and records (default), or skip and count them (exit code 3)",
    )  # fmt: skip
    group = parser.add_argument_group("counting")
    method_text, _, _ = SETTINGS["method"].text.rpartition("; several")
    add_setting(group, "method", method_text, read=read_method)
    add_settings(group, "count", "exclude_words", "include_words", "lexicon_folder")
    add_settings_file(group)
    group = parser.add_argument_group("output")
    add_setting(group, "top", "words shown per comparison (default: 10)")
    add_write(group)
    add_checks(group, "difference < -1 and matches > 200")
    add_quiet(group, "print only errors and checks")
    add_column(parser)
    add_old_outputs(parser, "csv", "words", "html", "junit")
    add_old_json(parser)
    add_old_skips(parser, "skip_invalid")
    add_old_settings(parser, "layers", "pipeline", "seed")


def run(options: argparse.Namespace) -> int:
    """Compare the corpora that the options name, print and write the result, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.comparing.comparison import compare_files
    from textparity.comparing.outputs import COMPARE_OUTPUTS

    outputs = COMPARE_OUTPUTS.read(options.write)
    chosen = ChosenSettings.of(options)
    refuse_settings(chosen, _NOT_COMPARED, "compare")
    counting = dict(chosen.counting)
    top = counting.pop("top", default_of("top"))
    settings = make_settings(chosen.files.field, **counting)
    _check(options, chosen, outputs)
    reading = _reading_values(options, chosen)
    settings_file = chosen.render(settings.counting.method) if outputs.has_kind("settings") else ""
    try:
        result = compare_files(options.reference, *options.others, is_paired=options.paired, **reading, **counting)
    except NothingCountedError as error:
        print_message(str(error))
        return NOTHING_COUNTED
    return _show(result, options, outputs, top, settings_file)


def _check(options: argparse.Namespace, chosen: ChosenSettings, outputs: "Outputs") -> None:
    """Check the conditions and the outputs before anything is counted, so that a typing error costs no time."""
    # Imported here so that --help stays fast.
    from textparity.auditing.fail_conditions import read_condition
    from textparity.comparing.conditions import comparison_columns

    for condition in options.fail_if:
        read_condition(condition, comparison_columns(chosen.lexicons))
    also_read = [options.settings, chosen.lexicons, chosen.files.documents, *chosen.pipelines]
    outputs.check(_find_sources(options, chosen), also_read)


def _find_sources(options: argparse.Namespace, chosen: ChosenSettings) -> "list[InputFile]":
    """List the files of all corpora."""
    # Imported here so that --help stays fast.
    from textparity.auditing.inputs import choose_sources

    language = _language_of(chosen)
    langs = [language] if language else []
    sources: list[InputFile] = []
    for name in (options.reference, *options.others):
        found, _ = choose_sources([name], langs, chosen.files.format, chosen.lexicons)
        sources += found
    return sources


def _language_of(chosen: ChosenSettings) -> str | None:
    """Name the language of all files. Several with a comma between are an unknown one."""
    return ",".join(chosen.files.lang) or None


def _reading_values(options: argparse.Namespace, chosen: ChosenSettings) -> dict[str, Any]:
    """Collect the keywords of `compare_files` for how files are read."""
    files = chosen.files
    return {
        "lang": _language_of(chosen),
        "field": files.field,
        "documents": files.documents,
        "skip_invalid": skips_invalid(options, files.on_error),
        "format": files.format,
        "encoding": files.encoding,
        "delimiter": files.delimiter,
    }


def _show(result: "ComparisonResult", options: argparse.Namespace, outputs: "Outputs", top: int, settings: str) -> int:
    """Write and print the result, and return the exit code. `settings` are the settings file of the run."""
    # Imported here so that --help stays fast.
    from textparity.auditing.checks import Checks
    from textparity.auditing.fail_conditions import check_conditions
    from textparity.auditing.showing.outputs import Report, print_text
    from textparity.comparing.conditions import comparison_columns, comparison_rows
    from textparity.comparing.rendering import render_text

    outputs.write(Report(result, settings=settings, top=top))
    # Checked after the tables are written, so that a failed check cannot lose them.
    checks = Checks()
    if options.fail_if:
        checks = check_conditions(
            options.fail_if, comparison_columns(result.settings.counting.lexicon_folder), comparison_rows(result)
        )
    outputs.write(Report(result, checks, settings, top), has_checks=True)
    # The table already has these warnings. A check, however, never passes without showing them.
    warnings = result.warnings if checks.titles or not options.quiet else ()
    if not options.quiet and not outputs.is_printed:
        print_text(render_text(result, top) + "\n", errors="replace")
        warnings = ()
    for note in (*warnings, *checks.notes):
        print_message(f"careful: {note}")
    for message in checks.messages():
        print_message(message)
    if checks.failures:
        return CHECK_FAILED
    return SOME_SKIPPED if result.has_invalid else FINE
