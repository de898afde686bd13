"""`textparity audit`: the command line of the audit."""

import argparse
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from textparity.auditing.settings import DEFAULT_METHOD, DETECT, NOT_VALID, SETTINGS, SHOWN, check_method, make_settings
from textparity.counting.terms import LAYERS
from textparity.counting.tokenizers import ENGINES
from textparity.errors import ConfigError, InputError
from textparity.persons.mentions import METHODS, PERSONS, PUBLISHED, WORDS
from textparity.reading.formats import FILE_FORMATS
from textparity.reading.options import TEXT_UNITS

if TYPE_CHECKING:
    from textparity.auditing.checks import Checks
    from textparity.auditing.gates import ComparedTexts, CompareTexts
    from textparity.auditing.results import AuditData, LanguageAudit
    from textparity.reading.sources import InputFile

    # Takes the records of the baseline and of the result, the result, and a row of it.
    CompareRecords = Callable[[Path, Path, AuditData, LanguageAudit], ComparedTexts]

FINE, NOTHING_COUNTED, BAD_INPUT, SOME_SKIPPED, CHECK_FAILED = range(5)
STANDARD_OUTPUT = "-"
# The number of messages about single files and lines that are printed. Further ones are only counted.
NOTES_SHOWN = 10
# The options whose output can be printed.
_PRINTABLE = ("csv", "latex", "html", "json")

_Add = Callable[..., Any]


def add_audit(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", compare_records: "CompareRecords"
) -> None:
    """Add the subcommand to the parser's commands.

    `compare_records` compares the texts of a result with those of its baseline. It is a parameter because comparisons
    are built on audits.
    """
    parser = add_command(commands, run_audit, "audit")
    parser.set_defaults(compare_records=compare_records)
    add = parser.add_argument_group("input").add_argument
    parser.add_argument("files", nargs="*", metavar="FILE", help="file, folder or -; FILE:LANG gives its language")
    # argparse takes `-:LANG` for an option, so it has to be defined as one.
    parser.add_argument("-:", dest="files_of_input", action="append", default=[], help=argparse.SUPPRESS)
    _add_list(
        add, "--lang", "LANG[,LANG]", "language (ISO 639-3, 639-1 or English name) of all files, or one for each FILE "
        "in order; default: detected in each text",
    )  # fmt: skip
    add_setting(
        add, "--lang-field", "field or column of the records with the language of each text, as any usual code (en, "
        "eng, en-US, eng_Latn) or English name", metavar="FIELD",
    )  # fmt: skip
    add_field(add, "; a.b is b within a; each element of a list is a text")
    add_setting(
        add, "--id-field", "field or column with the id of each text, for --records and --mentions", metavar="FIELD"
    )
    add_lines(add)
    add_setting(
        add, "--text-unit", "unit of a text in text files; paragraphs end at blank lines (default: %(default)s)",
        choices=TEXT_UNITS,
    )  # fmt: skip
    add("--strip-html", action="store_true", help="treat texts and fields as HTML (always done for .html files)")
    _add_list(add, "--dataset", "NAME", "dataset of the Hugging Face hub (extra: hub)")
    add("--subset", metavar="NAME", help="configuration of the dataset")
    _add_list(add, "--split", "NAME", "split of the dataset (default: train); repeatable")
    add_number(add, "--max-samples", 1, "read only the first N texts of each file")
    add_setting(
        add, "--group-by", "add a row for each language and value of one or two fields of the records, such as year, "
        "url:domain or outlet,date; dates are grouped by year (or by month of one year)", metavar="FIELD[,FIELD]",
    )  # fmt: skip
    add_setting(
        add, "--date-format", "form of the dates in that field, if they are not like 2019-11-26 or 26.11.2019: "
        "%%d/%%m/%%Y", metavar="FORM",
    )  # fmt: skip
    add_setting(
        add, "--minimum-certainty", "leave out texts whose language is less probable (default: %(default)s)",
        type=float, metavar="P",
    )  # fmt: skip
    add_setting(
        add, "--detect", "detect the language of each text, or of each file from its first texts (default: "
        "%(default)s)", choices=DETECT,
    )  # fmt: skip
    add("--unique", action="store_true", help="count a text that occurs more than once only once in each group")
    add("--skip-failed", action="store_true", help="leave out and report files that cannot be read (exit code 3)")
    add = parser.add_argument_group("counting").add_argument
    add_setting(
        add, "--engine", "tokenizer: icu, fast, for all languages; paper, the paper's tools (extra: stanza)",
        choices=ENGINES,
    )  # fmt: skip
    add_counting(add, _methods)
    add_own(add)
    add_setting(add, "--seed", "seed of intervals and examples (default: %(default)s)", type=int, metavar="N")
    add_number(add, "--jobs", 1, "number of processes (default: %(default)s)")
    add = parser.add_argument_group("output").add_argument
    add_number(add, "--examples", 0, "sentences per class (%(default)s)")
    _add_tables(add)
    for name, text in {
        "mentions": "with --method persons: write each mention as a row of Parquet",
        "records": "write each text as a row of Parquet: id, counts, matches, digest; also for --baseline",
        "part": "also write the counts (Parquet), for textparity merge",
    }.items():
        add(f"--{name}", type=file_path, metavar="FILE", help=text)


def add_merge(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    parser = add_command(commands, run_merge, "merge")
    parser.add_argument(
        "parts", nargs="+", type=file_path, metavar="PART", help="part; a folder stands for its .parquet files, by name"
    )
    _add_tables(parser.add_argument_group("output").add_argument)


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    run: Callable[..., int],
    name: str,
    folder: Path = Path(__file__).parent,
) -> argparse.ArgumentParser:
    """Add a subcommand, whose texts are in `templates/command.toml` of `folder`. `run` returns the exit code."""
    texts = tomllib.loads((folder / "templates" / "command.toml").read_text("utf-8"))[name]
    parser = commands.add_parser(
        name,
        help=texts["summary"],
        description=texts["description"],
        epilog=texts["epilog"],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # Pipelines must not break, or change, if there is a new option.
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser


def add_setting(add: _Add, option: str, text: str, **details: Any) -> None:
    """Add an option for the setting of its name, with the default of that setting."""
    add(option, default=SETTINGS[option[2:].replace("-", "_")].default, help=text, **details)


def add_number(add: _Add, option: str, smallest: int, text: str) -> None:
    """Add an option for a setting that is a whole number of at least `smallest`."""
    add_setting(add, option, text, type=number_from(smallest), metavar="N")


def _add_list(add: _Add, option: str, metavar: str, text: str) -> None:
    add(option, action="append", default=[], metavar=metavar, help=text)


def add_field(add: _Add, details: str = "") -> None:
    """Add the option for the field that contains the text."""
    add(
        "--field", "--column", metavar="NAME[,NAME]",
        help=f"field or column of the text, or several that form one text (default: text){details}",
    )  # fmt: skip


def add_lines(add: _Add) -> None:
    """Add the options for reading files, shared by all commands that count them."""
    add("--format", choices=FILE_FORMATS, help="format, if the file's name does not end in it")
    add(
        "--encoding", default="", metavar="NAME",
        help="encoding of text, JSON lines, CSV, TSV and HTML, such as windows-1252 (default: UTF-8)",
    )  # fmt: skip
    add("--delimiter", type=_delimiter, metavar="CHAR", help="character between cells of CSV (default: a comma)")
    add(
        "--documents", type=file_path, metavar="FILE",
        help="file with the name of a document for each line of a text file; the lines of a document form one text",
    )  # fmt: skip
    add(
        "--skip-invalid", action="store_true",
        help="leave out and count invalid lines and records, such as those that are not UTF-8 (exit code 3)",
    )  # fmt: skip


def add_counting(add: _Add, read_method: Callable[[str], str] | None = None) -> None:
    """Add the options for what is counted, shared by all commands that count.

    With `read_method`, `--method` takes several.
    """
    several = "; several, with a comma between, give a row each, and mark what depends on the method"
    add(
        "--method", type=read_method or _method, default="", metavar=f"{{{','.join(METHODS)}}}",
        help="what is counted, the method that finds most first: persons, by a language pipeline (extra: persons; "
        "downloads word lists); words: nouns, pronouns, titles and names of a list; nouns alone; published, as in the "
        "paper (downloads its lexicon) (default: "
        f"{DEFAULT_METHOD}){several if read_method else ''}",
    )  # fmt: skip
    add_setting(
        add, "--layers", f"with the method words, only some of {', '.join(LAYERS)} (default: all)",
        type=lambda text: LAYERS if text == "all" else comma_separated(text), metavar="LAYER[,LAYER]",
    )  # fmt: skip


def add_own(add: _Add) -> None:
    """Add the options for the user's own words, lexicons and pipelines, shared by all commands that count files."""
    for option, metavar, text in (
        ("--exclude-words", "WORD[,WORD]", "words that are not counted"),
        ("--include-words", "CLASS:WORD[,CLASS:WORD]", "additional words to count, such as feminine:chairwoman"),
    ):
        add_setting(add, option, text, type=comma_separated, metavar=metavar)
    add("--lexicon-folder", type=file_path, metavar="FOLDER", help="your own lexicons of nouns, as FOLDER/eng.json")
    add_setting(
        add, "--pipeline", "spaCy pipeline (package or folder) for --method persons; LANG=NAME sets that of one "
        "language; repeatable", action=_Joined, metavar="[LANG=]NAME",
    )  # fmt: skip


class _Joined(argparse.Action):
    """An option whose values are concatenated if it is given more than once."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        setattr(namespace, self.dest, ",".join(filter(None, [getattr(namespace, self.dest), values])))


def _add_tables(add: _Add) -> None:
    """Add the options for showing a result. They do not affect how it is counted."""
    add("--per-file", action="store_true", help="one row for each file and language, instead of all files together")
    add(
        "--show", type=_shown, default=(), metavar="PART[,PART]",
        help="also print the most frequent words, example sentences or notes on the numbers (words, examples, notes)",
    )  # fmt: skip
    add_number(add, "--top", 0, "frequent words per class (%(default)s)")
    add_number(
        add, "--min-size", 0, "exclude languages detected in fewer than N texts and under 1 %% of them, and list them "
        "together (%(default)s)",
    )  # fmt: skip
    add_number(add, "--max-groups", 1, "with --group-by, show the N largest groups, all others as one (%(default)s)")
    for name, form in {"csv": "CSV", "latex": "LaTeX", "html": "HTML"}.items():
        add(f"--{name}", type=file_name, metavar="FILE", help=f"write {form}; - prints it")
    add("--card", type=file_path, metavar="FILE", help="write a section of a dataset card: .md, or .json (Croissant)")
    add("--figure", type=file_path, metavar="FILE", help="write the page's chart: .svg, .pdf or .png (extra: figure)")
    add_checks(add, "women_share < 30 and matches > 200")
    add(
        "--baseline", type=file_path, metavar="FILE",
        help="exit code 4 if women's share changed by more than chance since an earlier audit of the same texts, or of "
        "texts of which these are a part (FILE written by --records), or if it is farther from half than in an earlier "
        "result (written by --json)",
    )  # fmt: skip
    add("--allow-empty", action="store_true", help="exit code 0, not 1, if the files have no text at all")
    add(
        "--output", type=file_path, metavar="FOLDER",
        help="write everything into a folder: audit.csv, words.csv, examples.csv, left_out.csv, audit.tex, audit.html",
    )  # fmt: skip
    add("--quiet", action="store_true", help="print only errors and checks: no table, progress bar or notes")


def add_checks(add: _Add, example: str) -> None:
    """Add the options for checks and their outcomes, shared by all commands that have checks.

    `example` is a condition that the help shows.
    """
    add("--json", action="store_const", const=STANDARD_OUTPUT, help="print all rows, settings and checks as JSON")
    _add_list(
        add, "--fail-if", "CONDITION", f"exit code 4 if a row meets the condition, such as '{example}'; it must hold "
        "for the whole interval of a share, rate or ratio; repeatable",
    )  # fmt: skip
    add("--junit", type=file_path, metavar="FILE", help="write the checks as a JUnit report")


def run_audit(options: argparse.Namespace) -> int:
    """Run the audit that the options describe, print and write the result, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.auditing.audit import audit_sources
    from textparity.auditing.counting import CountingRun
    from textparity.auditing.inputs import choose_sources, dataset_sources, name_documents
    from textparity.auditing.languages import explain_alias, given_pipelines
    from textparity.auditing.methods import combine_methods
    from textparity.reading.encodings import check_encoding
    from textparity.reading.hub import check_hub
    from textparity.reading.sources import STANDARD_INPUT

    methods = [make_settings(options.field, **chosen) for chosen in _settings_by_method(options)]
    if options.pipeline and PERSONS not in options.method.split(","):
        raise ConfigError("a pipeline requires the method persons; add --method persons")
    settings = methods[0]
    files = [*options.files, *(f"{STANDARD_INPUT}:{lang}" for lang in options.files_of_input)]
    langs = [lang for given in options.lang for lang in given.split(",")]
    if bool(files) == bool(options.dataset):
        raise ConfigError("name files (or - for standard input), or a --dataset; textparity audit --help has examples")
    for condition in options.fail_if:
        from textparity.auditing.fail_conditions import audit_columns, read_condition

        # Checked before anything is counted, so that a typing error costs no time.
        counting = settings.counting
        columns = audit_columns(counting.procedure, settings.reading.group_fields, counting.lexicon_folder)
        read_condition(condition, columns)
    if options.dataset:
        check_hub(options.dataset)
        splits, ignored = options.split or ["train"], None
        sources = dataset_sources(options.dataset, options.subset, splits, langs, settings.counting.lexicon_folder)
    else:
        if options.split or options.subset:
            raise ConfigError("--split and --subset apply only to a --dataset; remove them")
        sources, ignored = choose_sources(files, langs, options.format, settings.counting.lexicon_folder)
        encoding = check_encoding(options.encoding) if options.encoding else ""
        sources = [replace(source, encoding=encoding, delimiter=options.delimiter or "") for source in sources]
    if len(methods) > 1:
        _check_one_method(options, sources)
    if options.documents:
        methods = [settings.by_document() for settings in methods]
        sources = name_documents(sources, options.documents)
    for code in dict.fromkeys([*langs, *(name.rpartition(":")[2] for name in files if ":" in name)]):
        if not options.quiet and (explanation := explain_alias(code)):
            print_message(explanation)
    if options.mentions and settings.counting.method != PERSONS:
        raise ConfigError("--mentions requires the method persons; add --method persons")
    parquet = {"mentions": options.mentions, "part": options.part, "records": options.records}
    for name, path in parquet.items():
        if path == Path(STANDARD_OUTPUT):
            raise ConfigError(f"--{name} writes Parquet, which cannot be printed to standard output; name a file")
    pipelines = given_pipelines(settings.counting.pipeline).values()
    also_read = (options.lexicon_folder, options.documents, *map(Path, pipelines))
    _check_tables(options, sources, parquet.values(), also_read)
    notes: set[str] = set()

    def note(message: str) -> None:
        # Several methods read the same texts, and find the same in them.
        if message not in notes:
            notes.add(message)
            if not options.quiet and len(notes) <= NOTES_SHOWN:
                print_message(message)

    run = CountingRun(options.skip_failed, options.skip_invalid, not options.quiet, note=note)
    has_texts = options.baseline is not None and options.baseline.has_texts
    if has_texts and settings.counting.method == PUBLISHED:
        raise ConfigError(
            f"{options.baseline.path}: has records of texts, which the method published lacks; give a baseline written "
            "by --json"
        )
    with ExitStack() as stack:
        if has_texts and not options.records:
            folder = stack.enter_context(TemporaryDirectory())
            parquet["records"] = Path(folder) / "records.parquet"
        results = [audit_sources(sources, one, run, ignored, **parquet) for one in methods]
        result = combine_methods(results) if len(results) > 1 else results[0]
        if not options.quiet and len(notes) > NOTES_SHOWN:
            print_message(f"… and {len(notes) - NOTES_SHOWN:,} more")
        compare_texts = None
        if has_texts:
            compare_texts = partial(options.compare_records, options.baseline.path, parquet["records"], result)
        return _show(result, options, compare_texts)


def _settings_by_method(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Collect the settings of each method that the options name."""
    methods = options.method.split(",")
    settings = []
    for method in methods:
        chosen = chosen_settings(options) | {"method": method}
        if len(methods) > 1 and method != PERSONS:
            # Only one of the methods can use it.
            chosen["pipeline"] = ""
        settings.append(chosen)
    return settings


def _check_one_method(options: argparse.Namespace, sources: "Iterable[InputFile]") -> None:
    """Raise `ConfigError` for what several methods cannot have."""
    from textparity.reading.sources import STANDARD_INPUT

    for name in ("part", "records", "mentions", "baseline", "junit", "card", "figure"):
        if getattr(options, name):
            raise ConfigError(f"--{name} is for one method; name one in --method, or remove --{name}")
    for source in sources:
        path = Path(source.name)
        is_pipe = source.is_file and path.exists() and not path.is_file()
        if source.name == STANDARD_INPUT or is_pipe:
            raise ConfigError(
                f"{source.name}: each method reads the texts, but this can be read only once; name a file"
            )


def chosen_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the options that are settings."""
    return {name: getattr(options, name) for name in SETTINGS if name in options}


def run_merge(options: argparse.Namespace) -> int:
    """Merge the parts given in the options, print and write the result, and return the exit code."""
    from textparity.auditing.audit import merge_parts
    from textparity.reading.sources import InputFile

    parts: list[Path] = []
    for path in options.parts:
        found = sorted(path.glob("*.parquet")) if path.is_dir() else [path] if path.exists() else []
        if not found:
            raise InputError(f"{path}: is neither a part nor a folder of .parquet files; name files written by --part")
        parts += found
    _check_tables(options, [InputFile(str(part), "parquet") for part in parts])
    return _show(merge_parts(parts, options.per_file, options.top, options.min_size, options.max_groups), options)


def _check_tables(
    options: argparse.Namespace,
    sources: "Sequence[InputFile]",
    written: Iterable[Path | None] = (),
    also_read: Iterable[Path | None] = (),
) -> None:
    """Raise an error if a table cannot be written, or would overwrite an input.

    `written` are further outputs, and `also_read` what is read in addition to the sources and the baseline.
    """
    from textparity.auditing.showing.outputs import check_outputs

    check_printed(options, _PRINTABLE)
    if options.card:
        from textparity.auditing.showing.card import check_card

        check_card(options.card)
    if options.figure:
        from textparity.auditing.showing.figure import check_figure

        check_figure(options.figure)
    paths = (options.csv, options.latex, options.html, options.card, options.figure, options.junit, *written)
    targets = (str(path) for path in paths if path)
    check_outputs(targets, options.output, sources, options.baseline, *also_read)
    if options.baseline:
        from textparity.auditing.gates import Baseline

        # Read before anything is counted, so that a wrong file costs no time.
        options.baseline = Baseline.read(options.baseline)


def _show(result: "AuditData", options: argparse.Namespace, compare_texts: "CompareTexts | None" = None) -> int:
    """Write and print the result, and return the exit code. `compare_texts` compares its texts with the baseline's."""
    from textparity.auditing.showing.outputs import print_json, print_table, write_outputs

    if options.card:
        from textparity.auditing.showing.card import write_card

        write_card(result, options.card)
    if options.figure:
        from textparity.auditing.showing.figure import write_figure

        write_figure(result, options.figure)
    write_outputs(result, options.csv, options.latex, options.html, options.output)
    # Checked after the counts are written, so that a failed check cannot lose them.
    checks = _check(result, options, compare_texts)
    if options.junit:
        from textparity.auditing.showing.junit import write_junit

        write_junit(checks, options.junit)
    # The table already has these warnings. A check, however, never passes without showing them.
    warnings = result.warnings if checks.titles or not options.quiet else ()
    if options.json:
        print_json(result, checks)
    elif not options.quiet and not printed_outputs(options, _PRINTABLE):
        print_table(result, options.show)
        warnings = ()
        _suggest_persons(result)
    for note in (*warnings, *checks.notes):
        print_message(f"careful: {note}")
    if not result.words:
        print_message(f"nothing counted; {_why_nothing(result)}")
        is_empty = not result.failed and result.left_out.keys() <= {"blank"}
        return FINE if options.allow_empty and is_empty else NOTHING_COUNTED
    for message in checks.messages():
        print_message(message)
    if checks.failures:
        return CHECK_FAILED
    return SOME_SKIPPED if result.failed or NOT_VALID in result.left_out else FINE


def _check(result: "AuditData", options: argparse.Namespace, compare_texts: "CompareTexts | None") -> "Checks":
    """Make the checks that the options ask for."""
    from textparity.auditing.checks import Checks

    checks = Checks()
    if options.fail_if:
        from textparity.auditing.fail_conditions import audit_rows, check_conditions, columns_of

        checks = check_conditions(options.fail_if, columns_of(result), audit_rows(result))
    if options.baseline:
        rows, notes = options.baseline.check(result, compare_texts)
        titles = (*checks.titles, options.baseline.title)
        checks = Checks(titles, (*checks.rows, *rows), (*checks.notes, *notes))
    return checks


def _suggest_persons(result: "AuditData") -> None:
    """Suggest the method `persons` if it could run here and was measured to be as precise on every kind of text.

    What is installed never changes a result.
    """
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


def printed_outputs(options: argparse.Namespace, names: Iterable[str]) -> list[str]:
    """List the outputs, among those with these names, that the options print to standard output."""
    return [name for name in names if getattr(options, name) == STANDARD_OUTPUT]


def check_printed(options: argparse.Namespace, names: Iterable[str]) -> None:
    """Raise `ConfigError` if two of the outputs with these names would be printed to standard output."""
    printed = printed_outputs(options, names)
    if len(printed) > 1:
        raise ConfigError(f"--{printed[0]} and --{printed[1]} both print to standard output; write one to a file")


def _why_nothing(result: "AuditData") -> str:
    if result.left_out:
        return "texts were left out: " + "; ".join(f"{number} {reason}" for reason, number in result.left_out.items())
    if result.texts:
        return "the texts have no words"
    return "no file could be read" if result.failed else "there is no text"


def print_message(message: str) -> None:
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


def _methods(text: str) -> str:
    """Check the names of one or more methods."""
    names = [_method(name) for name in comma_separated(text)]
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} names a method twice; remove one")
    return ",".join(names)


def _shown(text: str) -> tuple[str, ...]:
    if unknown := set(names := comma_separated(text)) - set(SHOWN):
        raise argparse.ArgumentTypeError(f"{min(unknown)!r} is not one of {', '.join(SHOWN)}")
    return names


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
