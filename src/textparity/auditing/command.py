"""`textparity audit`: the command line of the audit."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing.settings import (
    DEFAULT_METHOD,
    DETECT,
    NOT_VALID,
    REMOVED_SETTINGS,
    AuditSettings,
    check_method,
)
from textparity.auditing.text_units import TEXT_UNITS
from textparity.counting.terms import LAYERS
from textparity.counting.tokenizers import ENGINES
from textparity.errors import ConfigError, InputError, TextparityError
from textparity.persons.mentions import METHODS, PERSONS, WORDS

if TYPE_CHECKING:
    from textparity.auditing.inputs import InputFile
    from textparity.auditing.results import AuditResult

FINE, NOTHING_COUNTED, BAD_INPUT, SOME_SKIPPED, CHECK_FAILED = range(5)
STANDARD_OUTPUT = "-"
# The number of messages about single files and lines that are printed. Further ones are only counted.
NOTES_SHOWN = 10

_DESCRIPTION = """\
Measure who is mentioned in texts of your own, in 55 languages: women's share of the mentions that have a gender.

A text is a line of a text file, a field of a record (JSON lines, CSV, TSV, Parquet), or a web page (HTML, WARC, WET).
Files may be compressed (.gz, .zst, .bz2, .xz), and larger than memory. A folder stands for its files, - for standard
input.
"""
_EPILOG = """\
examples:
  textparity audit corpus.txt --lang spa
  textparity audit news.txt:eng noticias.txt.gz:spa --per-file --csv table.csv
  textparity audit articles.jsonl --field body --html page.html
  textparity audit articles.jsonl --field body --group-by date --html page.html
  zcat big.gz | textparity audit - --lang deu --jobs 2
  textparity audit --dataset NAME --split train --field answers.text --lang eng

"""
_EXIT_CODES = """\
exit codes:
  0  counted
  1  nothing counted: no text, only blank ones, or none in a language with a lexicon
  2  wrong use, or a file that cannot be read
  3  counted, but with --skip-failed or --skip-invalid something was skipped
  4  counted, but a check failed: --fail-if holds
  130  ended by Ctrl-C; files that were being written are gone
"""
_ABOUT_PARTS = """\
Merge parts that textparity audit --part has written, on one machine or many, into the result of one audit of all their
files: the same numbers, tables and page. Name the parts in the order of their files.
"""
_RERUN_INSTEAD = (
    "this is no command any more: run textparity audit with the options that the signature names, such as --method, "
    "--layers and --seed (docs/audit.md, Signatures), and compare the last lines of the two results"
)


def add_audit(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    defaults = AuditSettings()
    parser = commands.add_parser(
        "audit",
        help="measure who is mentioned in your own texts",
        description=_DESCRIPTION,
        epilog=_EPILOG + _EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run_audit)
    add = parser.add_argument_group("what is read").add_argument
    parser.add_argument("files", nargs="*", metavar="FILE", help="file, folder or -; FILE:LANG gives one its language")
    # argparse takes `-:LANG` for an option, so it has to be defined as one.
    parser.add_argument("-:", dest="files_of_input", action="append", default=[], help=argparse.SUPPRESS)
    add(
        "--lang",
        action="append",
        default=[],
        metavar="LANG[,LANG]",
        help="language (ISO 639-3, 639-1 or English name) of all files, or one for each FILE in order; default: "
        "detected in each text",
    )
    add(
        "--lang-field",
        default=defaults.lang_field,
        metavar="FIELD",
        help="field or column of the records that has the language of each text, by any usual code (en, eng, en-US, "
        "eng_Latn) or its English name",
    )
    add(
        "--field",
        "--column",
        metavar="NAME",
        help="field or column of the text (default: text); a.b is b within a, and of a list each element",
    )
    add_lines(add)
    add(
        "--text-unit",
        choices=TEXT_UNITS,
        default=defaults.text_unit,
        help="what is a text in a text file; paragraphs end at blank lines (default: %(default)s)",
    )
    add("--strip-html", action="store_true", help="texts and fields are HTML; files that end in .html are in any case")
    add("--dataset", action="append", default=[], metavar="NAME", help="dataset of the Hugging Face hub (extra: hub)")
    add("--subset", metavar="NAME", help="configuration of the dataset")
    add(
        "--split", action="append", default=[], metavar="NAME", help="split of the dataset (default: train); repeatable"
    )
    add("--max-samples", type=number_from(1), metavar="N", help="the first N texts of each file only")
    add(
        "--group-by",
        default=defaults.group_by,
        metavar="FIELD",
        help="one row besides for each language and value of a field of the records, such as outlet or year; of dates, "
        "for each year (or month of one year)",
    )
    add(
        "--minimum-certainty",
        type=float,
        default=defaults.minimum_certainty,
        metavar="P",
        help="leave out texts whose language is less probable (default: %(default)s)",
    )
    add(
        "--detect",
        choices=DETECT,
        default=defaults.detect,
        help="find the language out of each text, or of each file from its first texts (default: %(default)s)",
    )
    add("--skip-failed", action="store_true", help="leave out files that cannot be read, and say so (exit code 3)")
    add = parser.add_argument_group("how it is counted").add_argument
    add(
        "--engine",
        choices=ENGINES,
        default=defaults.engine,
        help="what cuts words: icu, fast, for all languages; paper, the paper's tools (extra: stanza)",
    )
    add_counting(add)
    add_own(add)
    add("--seed", type=int, default=defaults.seed, metavar="N", help="of intervals and examples (default: %(default)s)")
    add("--jobs", type=number_from(1), default=1, metavar="N", help="processes that count (default: %(default)s)")
    add = parser.add_argument_group("what is shown and written").add_argument
    add(
        "--examples",
        type=number_from(0),
        default=defaults.examples,
        metavar="N",
        help="sentences per class (%(default)s)",
    )
    _add_tables(add)
    add(
        "--mentions",
        type=file_path,
        metavar="FILE",
        help="with --method persons: write each mention as a row of Parquet",
    )
    add("--records", type=file_path, metavar="FILE", help="write each text as a row of Parquet: id, counts, matches")
    add("--part", type=file_path, metavar="FILE", help="write what is counted, too (Parquet), for textparity merge")


def add_merge(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    parser = commands.add_parser(
        "merge", help="merge parts of an audit into one result", description=_ABOUT_PARTS, epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.set_defaults(run=run_merge)
    parser.add_argument(
        "parts", nargs="+", type=file_path, metavar="PART", help="part; a folder stands for its .parquet files, by name"
    )
    _add_tables(parser.add_argument_group("what is shown and written").add_argument)


def add_rerun(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add a command of earlier versions, without help. It raises an error that names its replacement."""
    parser = commands.add_parser("rerun", add_help=False, prefix_chars="\0")
    parser.add_argument("ignored", nargs="*")
    parser.set_defaults(run=lambda _: parser.error(_RERUN_INSTEAD))


def add_lines(add: Callable[..., Any]) -> None:
    """Add the options for reading files, shared by all commands that count them."""
    add(
        "--format",
        choices=("text", "json", "jsonl", "csv", "tsv", "parquet", "html", "warc", "wet"),
        help="instead of by the name's ending",
    )
    add(
        "--encoding",
        default="",
        metavar="NAME",
        help="of text, JSON lines, CSV, TSV and HTML, such as windows-1252 (default: UTF-8)",
    )
    add("--delimiter", type=_delimiter, metavar="CHAR", help="between cells of CSV (default: a comma)")
    add(
        "--documents",
        type=file_path,
        metavar="FILE",
        help="the name of a document for each line of a text file; lines of one document are one text",
    )
    add(
        "--skip-invalid",
        action="store_true",
        help="leave out lines and records that are not valid, for instance not UTF-8, and count them (exit code 3)",
    )


def add_counting(add: Callable[..., Any]) -> None:
    """Add the options for what is counted, shared by all commands that count."""
    defaults = AuditSettings()
    add(
        "--method",
        type=_method,
        default="",
        metavar=f"{{{','.join(METHODS)}}}",
        help="what counts, those that see most first: persons, by a language pipeline (extra: persons); words, nouns, "
        "pronouns, titles and names of a list; nouns alone; published, as the paper does (default: "
        f"{DEFAULT_METHOD})",
    )
    add(
        "--layers",
        type=lambda text: LAYERS if text == "all" else comma_separated(text),
        default=defaults.layers,
        metavar="LAYER[,LAYER]",
        help=f"of the method words, only some of {', '.join(LAYERS)} (default: all)",
    )
    for name in REMOVED_SETTINGS:
        # Without this option, argparse would take --lexicon as an abbreviation of --lexicon-folder.
        add(f"--{name}", action=_Removed, help=argparse.SUPPRESS)


def add_own(add: Callable[..., Any]) -> None:
    """Add the options for the user's own words, lexicons and pipelines, shared by all commands that count files."""
    add("--exclude-words", type=comma_separated, default=(), metavar="WORD[,WORD]", help="words that do not count here")
    add(
        "--include-words",
        type=comma_separated,
        default=(),
        metavar="CLASS:WORD[,CLASS:WORD]",
        help="words that count besides, as feminine:chairwoman",
    )
    add("--lexicon-folder", type=file_path, metavar="FOLDER", help="nouns of your own, such as FOLDER/eng.json")
    add(
        "--pipeline",
        action=_Joined,
        default="",
        metavar="[LANG=]NAME",
        help="spaCy pipeline for --method persons, a package or a folder; LANG=NAME is of one language, repeatable",
    )


class _Removed(argparse.Action):
    """An option of earlier versions. It raises an error that names its replacement."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        instead = REMOVED_SETTINGS[self.dest].replace("method ", "--method ").replace("lexicon_", "--lexicon-")
        parser.error(f"{option} is no option any more: {instead}")


class _Joined(argparse.Action):
    """An option whose values are concatenated if it is given more than once."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        setattr(namespace, self.dest, ",".join(filter(None, [getattr(namespace, self.dest), values])))


def _add_tables(add: Callable[..., Any]) -> None:
    """Add the options for showing a result. They do not affect how it is counted."""
    defaults = AuditSettings()
    add("--per-file", action="store_true", help="one row for each file and language, not all files together")
    add("--top", type=number_from(0), default=defaults.top, metavar="N", help="frequent words per class (%(default)s)")
    add(
        "--min-size",
        type=number_from(0),
        default=defaults.min_size,
        metavar="N",
        help="leave out, in one row, languages found out in fewer texts and less than 1 %% of them (%(default)s)",
    )
    add(
        "--max-groups",
        type=number_from(1),
        default=defaults.max_groups,
        metavar="N",
        help="of --group-by, show those with the most texts, the others in one row (%(default)s)",
    )
    for name in ("csv", "latex", "html"):
        add(
            f"--{name}",
            type=file_name,
            metavar="FILE",
            help=f"write {name.upper() if name != 'latex' else 'LaTeX'}; - prints it",
        )
    add("--card", type=file_path, metavar="FILE", help="write a part of a dataset's card: .md, or .json (Croissant)")
    add("--json", action="store_const", const=STANDARD_OUTPUT, help="print all rows, settings and checks as JSON")
    add(
        "--fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help="exit code 4 if it holds for a row, such as 'women_share < 30 and matches > 200'; of shares, rates and "
        "ratios for the whole interval; repeatable",
    )
    add("--allow-empty", action="store_true", help="exit code 0, not 1, where files have no text at all")
    add(
        "--output",
        type=file_path,
        metavar="FOLDER",
        help="write all into a folder: audit.csv, words.csv, examples.csv, left_out.csv, audit.tex, audit.html",
    )
    add(
        "--quiet",
        action="store_true",
        help="no table, no progress bar, no notes; errors and what --fail-if finds only",
    )


def run_audit(options: argparse.Namespace) -> int:
    """Run the audit that the options describe, print and write the result, and return the exit code."""
    return run_and_report_errors(_audit, options)


def run_merge(options: argparse.Namespace) -> int:
    """Merge the parts given in the options, print and write the result, and return the exit code."""
    return run_and_report_errors(_merge, options)


def run_and_report_errors(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Run a command, print an error as a message, and return the exit code."""
    try:
        return command(options)
    except TextparityError as error:
        say(str(error))
    except BrokenPipeError:
        # A closed pipe is not an error: the command as a whole ends quietly.
        raise
    except OSError as error:
        say(f"{error.filename or ''}: {error.strerror or error}")
    return BAD_INPUT


def _audit(options: argparse.Namespace) -> int:
    return _show(_count(options), options)


def _count(options: argparse.Namespace) -> "AuditResult":
    # Imported here so that --help stays fast.
    from textparity.auditing.audit import audit_sources
    from textparity.auditing.encodings import check_encoding
    from textparity.auditing.inputs import STANDARD_INPUT, choose_sources, dataset_sources, of_documents
    from textparity.auditing.languages import explain_alias
    from textparity.auditing.reading import check_hub

    settings = AuditSettings(
        **{item.name: getattr(options, item.name) for item in fields(AuditSettings) if item.name in options}
    )
    files = [*options.files, *(f"{STANDARD_INPUT}:{lang}" for lang in options.files_of_input)]
    langs = [lang for given in options.lang for lang in given.split(",")]
    if bool(files) == bool(options.dataset):
        raise ConfigError("name files (or - for standard input), or a --dataset; textparity audit --help has examples")
    for condition in options.fail_if:
        from textparity.auditing.fail_conditions import read_condition

        # Checked before anything is counted, so that a typing error costs no time.
        read_condition(condition, settings)
    if options.dataset:
        check_hub(options.dataset)
        sources, ignored = dataset_sources(options.dataset, options.subset, options.split or ["train"], langs), None
    else:
        if options.split or options.subset:
            raise ConfigError("--split and --subset are of a --dataset; leave them out for files")
        sources, ignored = choose_sources(files, langs, options.format)
        encoding = check_encoding(options.encoding) if options.encoding else ""
        sources = [replace(source, encoding=encoding, delimiter=options.delimiter or "") for source in sources]
    sources, settings = of_documents(sources, options.documents, settings)
    for code in dict.fromkeys([*langs, *(name.rpartition(":")[2] for name in files if ":" in name)]):
        if not options.quiet and (taken := explain_alias(code)):
            say(taken)
    if options.mentions and options.method != PERSONS:
        raise ConfigError("--mentions is of the method persons; add --method persons")
    parquet = {"mentions": options.mentions, "part": options.part, "records": options.records}
    for name, path in parquet.items():
        if path == Path(STANDARD_OUTPUT):
            raise ConfigError(f"--{name} writes Parquet, which is not for standard output; name a file")
    _check_tables(options, sources, parquet.values(), options.lexicon_folder, options.documents)
    notes = 0

    def note(message: str) -> None:
        nonlocal notes
        notes += 1
        if not options.quiet and notes <= NOTES_SHOWN:
            say(message)

    result = audit_sources(
        sources, settings, options.field, options.skip_failed, options.skip_invalid, ignored,
        show_progress=not options.quiet, note=note, **parquet,
    )  # fmt: skip
    if not options.quiet and notes > NOTES_SHOWN:
        say(f"… and {notes - NOTES_SHOWN:,} more")
    return result


def _merge(options: argparse.Namespace) -> int:
    from textparity.auditing.audit import merge_parts
    from textparity.auditing.inputs import InputFile

    parts: list[Path] = []
    for path in options.parts:
        found = sorted(path.glob("*.parquet")) if path.is_dir() else [path] if path.exists() else []
        if not found:
            raise InputError(f"{path}: is no part, and no folder of .parquet files; name what --part has written")
        parts += found
    _check_tables(options, [InputFile(str(part), "parquet") for part in parts])
    return _show(merge_parts(parts, options.per_file, options.top, options.min_size, options.max_groups), options)


def _check_tables(
    options: argparse.Namespace,
    sources: "Sequence[InputFile]",
    written: Iterable[Path | None] = (),
    lexicon_folder: Path | None = None,
    documents: Path | None = None,
) -> None:
    """Raise an error if a table cannot be written, or would overwrite an input."""
    from textparity.auditing.rendering import check_outputs

    printed = _printed(options)
    if len(printed) > 1:
        raise ConfigError(f"--{printed[0]} and --{printed[1]} both print to standard output; write one to a file")
    if options.card:
        from textparity.auditing.card import check_card

        check_card(options.card)
    files = (
        options.csv,
        options.latex,
        options.html,
        options.card and str(options.card),
        *(str(path) for path in written if path),
    )
    check_outputs(files, options.output, sources, lexicon_folder, documents)


def _show(result: "AuditResult", options: argparse.Namespace) -> int:
    """Write and print the result, and return the exit code."""
    from textparity.auditing.rendering import print_json, print_table, write_outputs

    if options.card:
        from textparity.auditing.card import write_card

        write_card(result, options.card)
    write_outputs(result, options.csv, options.latex, options.html, options.output)
    failures, unmet = [], []
    if options.fail_if:
        # Checked after the counts are written, so that a failed check cannot lose them.
        from textparity.auditing.fail_conditions import check_result, find_unmet, read_condition

        conditions = [read_condition(text, result.settings) for text in options.fail_if]
        failures, unmet = check_result(result, conditions), find_unmet(result, conditions)
    # The table already has these warnings. A check, however, never passes without showing them.
    warnings = result.warnings if options.fail_if or not options.quiet else ()
    if options.json:
        print_json(result, failures, unmet)
    elif not options.quiet and not _printed(options):
        print_table(result)
        warnings = ()
        _suggest_persons(result)
    for note in (*warnings, *unmet):
        say(f"careful: {note}")
    if not result.words:
        say(f"nothing counted; {_why_nothing(result)}")
        is_empty = not result.failed and result.left_out.keys() <= {"blank"}
        return FINE if options.allow_empty and is_empty else NOTHING_COUNTED
    for failure in failures:
        say(str(failure))
    if failures:
        return CHECK_FAILED
    return SOME_SKIPPED if result.failed or NOT_VALID in result.left_out else FINE


def _suggest_persons(result: "AuditResult") -> None:
    """Suggest the method `persons` if it could run here. What is installed never changes a result."""
    from textparity.auditing.persons import has_pipeline

    if result.settings.method == WORDS:
        able = [item.name for item in result if has_pipeline(result.settings, item.lang)]
        if names := ", ".join(dict.fromkeys(able)):
            say(f"--method persons could run here for {names}; it finds more names, and whom nouns and pronouns mean")


def _printed(options: argparse.Namespace) -> list[str]:
    return [name for name in ("csv", "latex", "html", "json") if getattr(options, name) == STANDARD_OUTPUT]


def _why_nothing(result: "AuditResult") -> str:
    if result.left_out:
        return "texts were left out: " + "; ".join(f"{number} {reason}" for reason, number in result.left_out.items())
    if result.texts:
        return "the texts have no words"
    return "no file could be read" if result.failed else "there is no text"


def say(message: str) -> None:
    """Print a message without disturbing the progress bar. It may contain names and text of the corpus."""
    from tqdm import tqdm

    from textparity.files import printable

    # If standard error is full or closed, nobody can read the message.
    with suppress(OSError):
        tqdm.write(f"textparity: {printable(message)}", file=sys.stderr)


def file_name(text: str) -> str:
    """Check the name of a file given as an option. An empty name usually comes from an unset variable."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; is a variable not set?")
    return text


def file_path(text: str) -> Path:
    """Convert an option to a path. An empty value is an error, because it would mean the working directory."""
    return Path(file_name(text))


def comma_separated(text: str) -> tuple[str, ...]:
    """Split the value of an option at its commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _method(text: str) -> str:
    """Check the name of a method. An empty string stands for the default."""
    try:
        return text and check_method(text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _delimiter(text: str) -> str:
    character = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError("must be one character, such as ';' or tab")
    return character


def number_from(smallest: int) -> Callable[[str], int]:
    """Make a parser for an option that is a whole number of at least `smallest`."""

    def number(text: str) -> int:
        value = int(text)
        if value < smallest:
            raise argparse.ArgumentTypeError(f"must be at least {smallest}")
        return value

    return number
