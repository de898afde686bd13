"""Run a function of the package for a Snakemake job; this is the only connection between the two.

It records the hash of each file that a job makes, so that later jobs detect damage.
"""

import errno
import inspect
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from textparity.errors import InputError, TextparityError
from textparity.files import sha256_of, split_lines, write_text
from textparity.tables import Table, write_tables

# These params make Snakemake rerun a job, and are not passed to the step.
RERUN_PARAMS = {"step", "code_digest", "tokenizer_digest", "model_version"}
# One list for each output, in the form of `sha256sum`, which can check it as well:
# `cat .snakemake/sha256/**/*.sha256 | sha256sum --check --quiet`.
FOLDER = Path(".snakemake/sha256")
# The call that made each file: the step, with its inputs, outputs and params.
CALLS = Path(".snakemake/calls")
TABLE_ENDINGS = (".csv", ".tex")
# The clocks of machines that share a folder differ by less than this.
CLOCK_SECONDS = 60


def run(job: Any) -> None:
    """Run the function that a Snakemake `job` (the `snakemake` object) names in its param `step`, as `module:name`."""
    module, _, name = job.params.step.partition(":")
    run_step(getattr(import_module(module), name), job)


def run_step(step: Callable[..., Any], job: Any) -> None:
    """Call `step` with the named inputs, outputs and params of a `job`.

    The names must be those of the step's parameters. Parameters annotated `Path` or `list[Path]` receive paths, and
    those annotated with a dataclass receive one, made from a mapping. If outputs are no parameters, the step yields
    `Table`s and `Chart`s, which are written as these files, the tables with the captions of the input `captions`.
    Inputs that have changed since a job made them are refused. A `TextparityError` and a full disk are shown only as a
    message, with exit code 1; for other errors, the log has the traceback.
    """
    _log_to(job.log[0] if job.log else None, title=f"{job.rule} {' '.join(job.wildcards)}".strip())
    parameters = inspect.signature(step).parameters
    # If a step has **names, their annotation applies to all other arguments.
    others = next((item.annotation for item in parameters.values() if item.kind is item.VAR_KEYWORD), None)
    arguments: dict[str, Any] = {}
    for values in (job.input, job.output, job.params):
        arguments |= {name: value for name, value in values.items() if name not in RERUN_PARAMS}
    if "threads" in parameters:
        # `threads` is not a param: results do not depend on it, and a changed param would rerun the job.
        arguments["threads"] = job.threads
    results: list[Path] = []
    captions: list[Path] = []
    for name in [name for name, _ in job.output.items() if name not in parameters]:
        results += [Path(str(file)) for file in _as_list(arguments.pop(name))]
    if results and "captions" not in parameters:
        captions = [Path(str(file)) for file in _as_list(arguments.pop("captions", []))]
    for name, value in arguments.items():
        annotation = parameters[name].annotation if name in parameters else others
        if annotation in (Path, Path | None):
            # An input function without a result returns an empty list.
            arguments[name] = Path(str(value)) if value else None
        elif isinstance(value, Mapping) and isinstance(annotation, type) and is_dataclass(annotation):
            arguments[name] = annotation(**value)
        elif annotation == list[Path]:
            arguments[name] = [Path(str(item)) for item in _as_list(value)]
    try:
        check_made(_names(job.input))
        made = step(**arguments)
        if results:
            _write_results(list(made), results, captions)
        record_made(_names(job.output))
        record_call(job)
    except TextparityError as error:
        logging.getLogger().error("%s", error)
        sys.exit(1)
    except Exception as error:
        if full := _full_disk(error):
            logging.getLogger().error("%s", full)
            sys.exit(1)
        logging.getLogger().exception("%s failed", step.__name__)
        raise


def _write_results(made: list[Any], files: list[Path], captions: list[Path]) -> None:
    tables = [file for file in files if file.suffix in TABLE_ENDINGS]
    figures = [file for file in files if file.suffix not in TABLE_ENDINGS]
    write_tables([result for result in made if isinstance(result, Table)], tables, captions)
    if figures:
        # Most steps need no Matplotlib.
        from textparity_studies.report.plotting import write_charts

        write_charts([result for result in made if not isinstance(result, Table)], figures)


def _as_list(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) else list(value)


def _names(files: Any) -> list[str]:
    """List all of a job's inputs or outputs, some of which are lists."""
    return [str(file) for _, value in files.items() for file in _as_list(value)]


def _full_disk(error: Exception) -> str:
    """Return a message if the disk (or the user's quota) is full, else an empty string."""
    if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return ""
    where = f"{error.filename}: " if error.filename else ""
    return (
        f"{where}{os.strerror(error.errno)} (working folder {Path.cwd()}); no half-written file remains: "
        "free some space and run again, which continues where this ended"
    )


def _log_to(path: str | None, title: str) -> None:
    """Log everything to `path`, and progress, warnings and errors to stderr, with the job's title."""
    root = logging.getLogger()
    root.handlers.clear()
    # If logging fails (the disk is full), its tracebacks must not bury the message.
    logging.raiseExceptions = False
    root.setLevel(logging.DEBUG)
    for noisy in ("matplotlib", "PIL", "urllib3", "stanza", "fontTools", "pymorphy3"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setLevel(logging.INFO)
    terminal.setFormatter(logging.Formatter(f"[{title}] %(message)s"))
    root.addHandler(terminal)
    if path is not None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = logging.FileHandler(path, mode="w", encoding="utf-8")
        file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(file)


def record_made(outputs: Iterable[str]) -> None:
    """Store the sha256 of each output, file or folder, of a successful job."""
    for output in outputs:
        # A link stands for a file that is not ours.
        if not Path(output).is_symlink() and Path(output).exists():
            write_text(_list_of(output), "".join(f"{sha256_of(file)}  {file}\n" for file in _files_of(Path(output))))


def record_call(job: Any) -> None:
    """Store the function and arguments that made a job's outputs, so that the call can be repeated later."""
    call = {name: dict(getattr(job, name).items()) for name in ("input", "output", "params")}
    kept = {name: value for name, value in call["params"].items() if name == "step" or name not in RERUN_PARAMS}
    text = json.dumps(call | {"rule": job.rule, "params": kept}, ensure_ascii=False, default=str)
    for first in _names(job.output)[:1]:
        write_text(CALLS / f"{first.lstrip('/')}.json", text + "\n")


def check_made(inputs: Iterable[str]) -> None:
    """Raise `InputError` for an input, file or folder, that has changed since a job made it.

    Files that no job made, or that an earlier version of this program made, are skipped.
    """
    for name in inputs:
        if Path(name).is_symlink() or not _list_of(name).is_file():
            continue
        # If a list is empty or unreadable itself, its file cannot be trusted.
        for line in split_lines(_list_of(name).read_text("utf-8", "replace")) or [""]:
            made, _, listed = line.partition("  ")
            file = Path(listed or name)
            found = sha256_of(file) if file.is_file() else "none, because it is gone"
            if found != made:
                raise InputError(
                    f"{file}: has sha256 {found}, not {made} as when it was made ({_list_of(name)}); it was damaged or "
                    f"edited since: delete {name} and run again to make it again"
                )


def check_clock() -> None:
    """Raise `InputError` if an output has a time in the future: inputs edited now would count as older than it.

    Snakemake only inspects an input if it is newer than the output made from it.
    """
    now = time.time()
    for record in sorted(FOLDER.rglob("*.sha256")):
        if (later := record.stat().st_mtime - now) > CLOCK_SECONDS:
            name = record.relative_to(FOLDER).as_posix().removesuffix(".sha256")
            date_anew = f'find results {FOLDER} -newermt now -exec touch --date="$(date --iso-8601=ns)" {{}} +'
            raise InputError(
                f"{name}: was made {later:,.0f} seconds from now, by the clock; was it set back? "
                "A later edit would go unnoticed: set the clock right; or date what was made to now "
                f"({date_anew}), and then touch what you have edited since"
            )


def _list_of(output: str) -> Path:
    # Outputs have names relative to the working folder. Files that a user names elsewhere have no list.
    return FOLDER / f"{output.lstrip('/')}.sha256"


def _files_of(output: Path) -> list[Path]:
    return sorted(path for path in output.rglob("*") if path.is_file()) if output.is_dir() else [output]
