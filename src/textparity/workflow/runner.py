"""The one adapter between a Snakemake job and a function of the package."""

import errno
import inspect
import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from textparity.errors import TextparityError
from textparity.workflow.made_files import check_made, record_made

# Params that exist to make Snakemake rerun a job, and say nothing to the step itself.
RERUN_PARAMS = {"step", "code_digest", "tokenizer_digest", "model_version"}


def run(job: Any) -> None:
    """Run the function that the param `step` of a Snakemake `job` (the `snakemake` object) names, as `module:name`."""
    module, _, name = job.params.step.partition(":")
    run_step(getattr(import_module(module), name), job)


def run_step(step: Callable[..., None], job: Any) -> None:
    """Call `step` with the named inputs, outputs and params of a `job`.

    Names must be those of the step's parameters; parameters annotated `Path` or `list[Path]` get paths, and those
    annotated with a dataclass one of it, made from a mapping. Inputs that are not what the job that made them left are
    refused. A `TextparityError` and a full disk are shown as a message alone, with exit code 1; the log has the
    traceback of any other.
    """
    _log_to(job.log[0] if job.log else None, title=f"{job.rule} {' '.join(job.wildcards)}".strip())
    parameters = inspect.signature(step).parameters
    # Of a step with **names, all others are what those are annotated.
    others = next((item.annotation for item in parameters.values() if item.kind is item.VAR_KEYWORD), None)
    arguments: dict[str, Any] = {}
    for values in (job.input, job.output, job.params):
        arguments |= {name: value for name, value in values.items() if name not in RERUN_PARAMS}
    if "threads" in parameters:
        # Not a param: results do not depend on it, and a changed param reruns the job.
        arguments["threads"] = job.threads
    for name, value in arguments.items():
        annotation = parameters[name].annotation if name in parameters else others
        if annotation in (Path, Path | None):
            # An input function that finds nothing gives an empty list.
            arguments[name] = Path(str(value)) if str(value) else None
        elif isinstance(value, Mapping) and isinstance(annotation, type) and is_dataclass(annotation):
            arguments[name] = annotation(**value)
        elif annotation == list[Path]:
            arguments[name] = [Path(str(item)) for item in ([value] if isinstance(value, str) else value)]
    try:
        check_made(_names(job.input))
        step(**arguments)
        record_made(_names(job.output))
    except TextparityError as error:
        logging.getLogger().error("%s", error)
        sys.exit(1)
    except Exception as error:
        if full := _full_disk(error):
            logging.getLogger().error("%s", full)
            sys.exit(1)
        logging.getLogger().exception("%s failed", step.__name__)
        raise


def _names(files: Any) -> list[str]:
    """Return all of a job's inputs or outputs, of which some are lists."""
    values = [value for _, value in files.items()]
    return [str(file) for value in values for file in ([value] if isinstance(value, str) else value)]


def _full_disk(error: Exception) -> str:
    """Return what to say if the disk (or the user's share of it) is full, else nothing."""
    if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return ""
    where = f"{error.filename}: " if error.filename else ""
    return (
        f"{where}{os.strerror(error.errno)} (working folder {Path.cwd()}); no half-written file is kept: "
        "free some space and run again, which goes on where this ended"
    )


def _log_to(path: str | None, title: str) -> None:
    """Log everything to `path`, and progress, warnings and errors to stderr with the job's title."""
    root = logging.getLogger()
    root.handlers.clear()
    # What cannot be logged (the disk is full) must not bury the message in tracebacks of logging itself.
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
