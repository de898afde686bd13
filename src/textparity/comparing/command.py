"""`textparity compare`: the command line of comparisons."""

import argparse
from dataclasses import fields

from textparity.auditing.command import (
    FINE,
    SOME_SKIPPED,
    STANDARD_OUTPUT,
    add_counting,
    add_lines,
    add_own,
    number_from,
    run_and_report_errors,
    say,
)
from textparity.auditing.settings import AuditSettings
from textparity.errors import ConfigError

_DESCRIPTION = """\
Compare corpora with a reference: how many men for a woman each has, with intervals, whether they differ, and which
words carry the difference. A corpus is a file or a folder, as for textparity audit.
"""
_EPILOG = """\
examples:
  textparity compare before.jsonl after.jsonl --lang eng
  textparity compare original.txt:eng translation.txt:spa --paired
  textparity compare reference.txt system_a.txt system_b.txt --lang spa --paired --documents documents.txt

exit codes:
  0  compared
  2  wrong use, a file that cannot be read, or corpora that cannot be compared
  3  compared, but with --skip-invalid something was skipped
  130  ended by Ctrl-C
"""


def add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    defaults = AuditSettings()
    parser = commands.add_parser(
        "compare", help="compare corpora with a reference", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.set_defaults(run=run_compare)
    add = parser.add_argument
    add("reference", metavar="REFERENCE", help="file or folder; FILE:LANG gives its language")
    add("others", nargs="+", metavar="OTHER", help="what is compared with it")
    add("--lang", metavar="LANG", help="language of all; default: found out for each text")
    add("--field", "--column", metavar="NAME", help="field or column of the text (default: text)")
    add("--paired", action="store_true", help="texts of one line or record are a pair, such as translations")
    add_lines(add)
    add_counting(add)
    add_own(add)
    add("--seed", type=int, default=defaults.seed, metavar="N", help="of intervals and tests (default: %(default)s)")
    add("--top", type=number_from(0), default=defaults.top, metavar="N", help="words shown of each (%(default)s)")
    add("--csv", metavar="FILE", help="write a row for each corpus; - prints it")
    add("--words", metavar="FILE", help="write what each word adds to each difference, as CSV; - prints it")
    add("--html", metavar="FILE", help="write a page with a chart, the table and the words; - prints it")
    add("--quiet", action="store_true", help="no table; errors only")


def run_compare(options: argparse.Namespace) -> int:
    """Compare the corpora that the options name, print and write the result, and return the exit code."""
    return run_and_report_errors(_compare, options)


def _compare(options: argparse.Namespace) -> int:
    # Imported here so that --help stays fast.
    from textparity.auditing.inputs import choose_sources
    from textparity.auditing.rendering import check_outputs, print_readable
    from textparity.comparing.comparison import compare_files
    from textparity.comparing.rendering import render_text, write_output

    outputs = [options.csv, options.words, options.html]
    if outputs.count(STANDARD_OUTPUT) > 1:
        raise ConfigError("two tables would be printed to standard output; name a file for one")
    langs = [options.lang] if options.lang else []
    sources = [
        one for name in (options.reference, *options.others) for one in choose_sources([name], langs, options.format)[0]
    ]
    check_outputs(outputs, None, sources, options.lexicon_folder, options.documents)
    settings = {item.name: getattr(options, item.name) for item in fields(AuditSettings) if item.name in options}
    del settings["top"]
    result = compare_files(
        options.reference, *options.others, lang=options.lang, field=options.field, is_paired=options.paired,
        documents=options.documents, skip_invalid=options.skip_invalid, format=options.format,
        encoding=options.encoding, delimiter=options.delimiter or "", **settings,
    )  # fmt: skip
    for table, output in ((result.table, options.csv), (result.words_table, options.words)):
        if output:
            write_output(table.to_csv(), output)
    if options.html:
        write_output(result.to_html(options.top), options.html)
    if not options.quiet and STANDARD_OUTPUT not in outputs:
        print_readable(render_text(result, options.top) + "\n")
    elif not options.quiet:
        for doubt in result.warnings:
            say(f"careful: {doubt}")
    return SOME_SKIPPED if result.has_invalid else FINE
