"""`textparity compare`: the command line of comparisons."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.auditing import command as audit_command
from textparity.errors import NothingCountedError

if TYPE_CHECKING:
    from textparity.auditing.gates import ComparedTexts
    from textparity.auditing.results import AuditData, LanguageAudit
    from textparity.comparing.comparison import ComparisonResult

# The options whose output can be printed.
_PRINTABLE = ("csv", "words", "html", "json")


def add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    parser = audit_command.add_command(commands, run_compare, "compare", Path(__file__).parent)
    add = parser.add_argument
    add("reference", metavar="REFERENCE", help="file or folder; FILE:LANG gives its language")
    add("others", nargs="+", metavar="OTHER", help="corpus to compare with the reference")
    add("--lang", metavar="LANG", help="language of all files; default: detected in each text")
    audit_command.add_field(add)
    add("--paired", action="store_true", help="texts on the same line or record are a pair, such as translations")
    audit_command.add_lines(add)
    audit_command.add_counting(add)
    audit_command.add_own(add)
    audit_command.add_setting(
        add, "--seed", "seed of intervals and tests (default: %(default)s)", type=int, metavar="N"
    )
    audit_command.add_number(add, "--top", 0, "words shown per comparison (%(default)s)")
    for name, text in {
        "csv": "write a row for each corpus",
        "words": "write what each word adds to each difference, as CSV",
        "html": "write a page with a chart, the table and the words",
    }.items():
        add(f"--{name}", metavar="FILE", help=f"{text}; - prints it")
    audit_command.add_checks(add, "difference < -1 and matches > 200")
    add("--quiet", action="store_true", help="print only errors and checks")


def run_compare(options: argparse.Namespace) -> int:
    """Compare the corpora that the options name, print and write the result, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.auditing.fail_conditions import read_condition
    from textparity.auditing.inputs import choose_sources
    from textparity.auditing.languages import given_pipelines
    from textparity.auditing.settings import make_settings
    from textparity.auditing.showing.outputs import check_outputs
    from textparity.comparing.comparison import compare_files
    from textparity.comparing.conditions import comparison_columns
    from textparity.reading.sources import InputFile

    audit_command.check_printed(options, _PRINTABLE)
    settings = audit_command.chosen_settings(options)
    del settings["top"]
    checked = make_settings(**settings)
    folder = options.lexicon_folder
    for condition in options.fail_if:
        # Checked before anything is counted, so that a typing error costs no time.
        read_condition(condition, comparison_columns(folder))
    langs = [options.lang] if options.lang else []
    sources: list[InputFile] = []
    for name in (options.reference, *options.others):
        sources += choose_sources([name], langs, options.format, folder)[0]
    junit = str(options.junit) if options.junit else None
    outputs = (options.csv, options.words, options.html, junit)
    pipelines = given_pipelines(checked.counting.pipeline).values()
    check_outputs(outputs, None, sources, folder, options.documents, *map(Path, pipelines))
    try:
        result = compare_files(
            options.reference, *options.others, lang=options.lang, field=options.field, is_paired=options.paired,
            documents=options.documents, skip_invalid=options.skip_invalid, format=options.format,
            encoding=options.encoding, delimiter=options.delimiter or "", **settings,
        )  # fmt: skip
    except NothingCountedError as error:
        audit_command.print_message(str(error))
        return audit_command.NOTHING_COUNTED
    return _show(result, options)


def _show(result: "ComparisonResult", options: argparse.Namespace) -> int:
    """Write and print the result, and return the exit code."""
    from textparity.auditing.checks import Checks
    from textparity.auditing.fail_conditions import check_conditions
    from textparity.auditing.showing.junit import write_junit
    from textparity.auditing.showing.outputs import print_text, write_or_print
    from textparity.comparing.conditions import comparison_columns, comparison_rows
    from textparity.comparing.rendering import print_json, render_text

    pages = result.table.to_csv, result.words_table.to_csv, lambda: result.to_html(options.top)
    write_or_print(zip((options.csv, options.words, options.html), pages, strict=True))
    # Checked after the tables are written, so that a failed check cannot lose them.
    checks = Checks()
    if options.fail_if:
        columns = comparison_columns(result.settings.counting.lexicon_folder)
        checks = check_conditions(options.fail_if, columns, comparison_rows(result))
    if options.junit:
        write_junit(checks, options.junit)
    # The table already has these warnings. A check, however, never passes without showing them.
    warnings = result.warnings if checks.titles or not options.quiet else ()
    if options.json:
        print_json(result, options.top, checks)
    elif not options.quiet and not audit_command.printed_outputs(options, _PRINTABLE):
        print_text(render_text(result, options.top) + "\n", errors="replace")
        warnings = ()
    for note in (*warnings, *checks.notes):
        audit_command.print_message(f"careful: {note}")
    for message in checks.messages():
        audit_command.print_message(message)
    if checks.failures:
        return audit_command.CHECK_FAILED
    if result.has_invalid:
        return audit_command.SOME_SKIPPED
    return audit_command.FINE


def compare_records(baseline: Path, records: Path, result: "AuditData", item: "LanguageAudit") -> "ComparedTexts":
    """Compare the texts of a row of an audit with those of its baseline, as corpora are compared."""
    # Imported here so that --help stays fast.
    from textparity.comparing.comparison import compare_records as compare_texts

    corpus = item.corpus if result.settings.showing.per_file else ""
    return compare_texts(baseline, records, item.lang, corpus, result)
