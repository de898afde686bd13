"""`textparity merge`: merge parts of an audit into one result."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from textparity.commands.options import (
    add_checks,
    add_old_json,
    add_old_outputs,
    add_setting,
    add_write,
)
from textparity.commands.results import add_result_options, correct, read_baseline, read_check, show_result
from textparity.commands.settings import default_of
from textparity.commands.values import read_path
from textparity.errors import InputError

# The settings that are not those of the parts.
_SETTINGS = ("per_file", "top", "min_size", "max_groups")


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "parts", nargs="+", type=read_path, metavar="PART", help="part; a folder stands for its .parquet files, by name"
    )
    group = parser.add_argument_group("output")
    for name in _SETTINGS:
        add_setting(group, name, default=default_of(name))
    add_write(group)
    add_checks(group, "women_share < 30 and matches > 200")
    add_result_options(group)
    add_old_outputs(parser, "csv", "latex", "html", "card", "figure", "junit", "output")
    add_old_json(parser)


def run(options: argparse.Namespace) -> int:
    """Merge the parts given in the options, print and write the result, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.auditing.audit import merge_parts
    from textparity.auditing.showing.outputs import MERGE_OUTPUTS
    from textparity.reading.sources import InputFile

    parts = _find_parts(options.parts)
    outputs = MERGE_OUTPUTS.read(options.write)
    outputs.check([InputFile(str(part), "parquet") for part in parts], [options.baseline, options.checked])
    baseline = read_baseline(options.baseline)
    check = read_check(options.checked)
    settings = {name: getattr(options, name) for name in _SETTINGS}
    result = merge_parts(parts, **settings)
    if check:
        result = correct(result, check)
    return show_result(result, options, outputs, baseline)


def _find_parts(paths: Iterable[Path]) -> list[Path]:
    """List the parts, those of a folder by name."""
    parts: list[Path] = []
    for path in paths:
        part_files = [path] if path.exists() else []
        if path.is_dir():
            part_files = sorted(path.glob("*.parquet"))
        if not part_files:
            raise InputError(
                f"{path}: is neither a part nor a folder of .parquet files; name files written by --write part=FILE"
            )
        parts += part_files
    return parts
