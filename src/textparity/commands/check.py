"""`textparity check`: let a person read a few of the texts, and correct the count by what is read."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from textparity.auditing.settings import DEFAULT_METHOD, default_count
from textparity.commands.inputs import (
    Notes,
    add_counting,
    add_files,
    add_inputs,
    check_read_again,
    choose_inputs,
    explain_aliases,
    make_run,
)
from textparity.commands.messages import FINE
from textparity.commands.options import add_quiet, add_settings
from textparity.commands.settings import ChosenSettings
from textparity.commands.values import number_from, read_path
from textparity.errors import ConfigError, InputError
from textparity.files import number_of

if TYPE_CHECKING:
    from textparity.checking.drawing import Drawing

_TEXTS = 10


def register(parser: argparse.ArgumentParser) -> None:
    """Add the three steps of a check, each with its options."""
    steps = parser.add_subparsers(title="steps", metavar="STEP", required=True)
    draw = steps.add_parser("draw", help="draw texts at random, to be read", allow_abbrev=False)
    draw.set_defaults(step=_draw)
    _register_draw(draw)
    mark = steps.add_parser("mark", help="read them in the browser, and correct what was found", allow_abbrev=False)
    mark.set_defaults(step=_mark)
    _register_mark(mark)
    score = steps.add_parser("score", help="print how often the count is right, and the corrected share")
    score.set_defaults(step=_score)
    _register_score(score)


def run(options: argparse.Namespace) -> int:
    """Run a step and return the exit code."""
    code: int = options.step(options)
    return code


def _register_draw(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    group = parser.add_argument_group("sample")
    group.add_argument(
        "--texts", type=number_from(1), metavar="N",
        help=f"texts to draw from each language, and from each group of --group-by (default: {_TEXTS})",
    )  # fmt: skip
    group.add_argument(
        "--matches", type=number_from(1), metavar="N",
        help="draw single matches instead: quick to judge, but they show neither what is missed nor the share",
    )  # fmt: skip
    group.add_argument(
        "--records", type=read_path, metavar="FILE",
        help="draw by the records of an audit of these files (--write records=FILE), without counting again",
    )  # fmt: skip
    group.add_argument("--output", type=read_path, required=True, metavar="FOLDER", help="new folder for the sample")
    add_inputs(parser)
    add_counting(parser)
    add_settings(parser, "per_file")
    add_quiet(parser, "print only errors")
    parser.set_defaults(skip_failed=False, skip_invalid=False)


def _draw(options: argparse.Namespace) -> int:
    # Imported here so that --help stays fast.
    from textparity.auditing.audit import audit_sources
    from textparity.auditing.counting import read_sources
    from textparity.auditing.inputs import name_documents, short_names, unit_of
    from textparity.auditing.settings import make_settings
    from textparity.checking.drawing import CountedRecords, check_unit, draw_sample
    from textparity.checking.judgements import TABLE, render_table
    from textparity.files import write_texts

    folder: Path = options.output
    _check_folder(folder)
    chosen = ChosenSettings.of(options)
    method = chosen.counting.get("method", "") or DEFAULT_METHOD
    settings = make_settings(chosen.files.field, **{"count": default_count(method), **chosen.counting})
    drawing = _choose_drawing(options, settings.estimating.seed)
    inputs = choose_inputs(options, chosen)
    sources = inputs.sources
    check_read_again(sources, "the texts that are drawn are read once more")
    if chosen.files.documents:
        settings = settings.by_document()
        sources = name_documents(sources, chosen.files.documents)
    unit = unit_of(sources, settings.reading.text_unit)
    if not options.records:
        check_unit(unit, settings.counting.count)
    if not options.quiet:
        explain_aliases(options, chosen)
    notes = Notes(options.quiet)
    run = make_run(options, chosen, notes)
    named = list(zip(short_names(sources), sources, strict=True))
    with ExitStack() as stack:
        if options.records:
            records = options.records
            counted = CountedRecords.of_records(records, unit, settings.showing.max_groups)
            check_unit(unit, counted.count)
        else:
            records = Path(stack.enter_context(TemporaryDirectory())) / "records.parquet"
            result = audit_sources(sources, settings, run, inputs.ignored, records=records)
            counted = CountedRecords.of_result(result)
        sample = draw_sample(records, counted, read_sources(named, settings), drawing, folder)
    notes.print_rest()
    write_texts({**sample.files(), folder / TABLE: render_table(sample)})
    if not options.quiet:
        print(f"{number_of(len(sample.texts), 'text')} to read in {folder}. Next: textparity check mark {folder}")
    return FINE


def _check_folder(folder: Path) -> None:
    """Raise `InputError` for a folder that may have judgements."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is not an empty folder; name a new one, so that no judgement is lost")


def _choose_drawing(options: argparse.Namespace, seed: int) -> "Drawing":
    # Imported here so that --help stays fast.
    from textparity.checking.drawing import Drawing
    from textparity.checking.samples import MATCHES, TEXTS

    if options.texts and options.matches:
        raise ConfigError("--texts and --matches exclude each other; remove one")
    if options.matches:
        return Drawing(MATCHES, options.matches, seed)
    return Drawing(TEXTS, options.texts or _TEXTS, seed)


def _register_mark(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=read_path, metavar="FOLDER", help="folder of the sample")
    port_help = "port on 127.0.0.1 (default: any that is free)"
    parser.add_argument("--port", type=number_from(0), default=0, metavar="N", help=port_help)
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")


def _mark(options: argparse.Namespace) -> int:
    # Imported here so that --help stays fast.
    from textparity.checking.page import MarkServer

    server = MarkServer.open(options.folder, options.port)
    print(
        f"{server.url}\nFor this machine alone; each judgement is saved in {options.folder} at once. Stop with Ctrl+C.",
        flush=True,
    )
    server.serve_user(not options.no_browser)
    return FINE


def _register_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=read_path, metavar="FOLDER", help="folder of the sample, read by one reader")
    parser.add_argument(
        "second", nargs="?", type=read_path, metavar="SECOND", help="a copy of it, read by a second reader"
    )
    parser.add_argument(
        "--confidence-level", type=float, default=0.95, metavar="P", help="level of intervals (default: 0.95)"
    )
    parser.add_argument("--json", type=read_path, metavar="FILE", help="also write the score as JSON")
    parser.add_argument(
        "--positions", type=read_path, metavar="FILE",
        help="also write positions and judgements without the texts, as CSV, to be published with a paper",
    )  # fmt: skip


def _score(options: argparse.Namespace) -> int:
    # Imported here so that --help stays fast.
    from textparity.auditing.settings import make_settings
    from textparity.auditing.showing.outputs import print_text
    from textparity.checking.report import render_json, render_positions, render_score
    from textparity.checking.scoring import Check, compare_readers
    from textparity.files import write_texts

    level = make_settings(confidence_level=options.confidence_level).estimating.confidence_level
    check = Check.read(options.folder)
    second = Check.read(options.second) if options.second else None
    agreement = compare_readers(check, second) if second else None
    score = check.score(level)
    second_score = second.score(level) if second else None
    texts = {}
    if options.json:
        texts[options.json] = render_json(score, agreement, second_score)
    if options.positions:
        texts[options.positions] = render_positions(check)
    write_texts(texts)
    print_text(render_score(score, agreement, second_score), errors="replace")
    return FINE
