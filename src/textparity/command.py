"""The command `textparity`."""

import argparse
import gc
import os
import signal
import sys
import threading
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from textparity import __version__
from textparity.auditing.processes import ENDING_SIGNALS, NEW_OBJECTS
from textparity.commands import audit, check, compare, merge, serve, translate_check
from textparity.commands.messages import BAD_INPUT, print_message
from textparity.commands.options import describe_old_names
from textparity.errors import TextparityError

# Each module has `register`, which adds its options, and `run`, which returns the exit code.
COMMANDS = {
    "audit": audit,
    "check": check,
    "merge": merge,
    "compare": compare,
    "serve": serve,
    "translate-check": translate_check,
}
# Not imported here, so that help comes at once.
COMPILED = ("textparity.counting._pieces", "textparity.corpora._identifier")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="textparity", description="Who gets mentioned? Gender representation in text corpora."
    )
    note = "" if all(map(find_spec, COMPILED)) else " (in Python, slower; the compiled core needs a wheel or compiler)"
    parser.add_argument("--version", action="version", version=f"textparity {__version__}{note}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        _add_command(commands, name, module)
    options = parser.parse_args(arguments)
    _replace_closed_streams()
    if options.renamed:
        print_message(describe_old_names(options.renamed))
    gc.set_threshold(NEW_OBJECTS)
    try:
        with _cleanup_on_signals():
            code: int = options.run(options)
            sys.stdout.flush()
        return code
    except TextparityError as error:
        print_message(str(error))
        return BAD_INPUT
    except BrokenPipeError:
        # The reader, such as head, has stopped reading.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print_message(f"{error.filename or ''}: {error.strerror or error}")
        return BAD_INPUT
    except KeyboardInterrupt:
        print("textparity: interrupted", file=sys.stderr)
        return 130
    finally:
        _drop_unwritten_messages()


def _add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, module: ModuleType
) -> None:
    """Add a command. `templates/<module>.toml` has what its --help prints about it, with examples and exit codes."""
    folder = Path(str(module.__file__)).parent / "templates"
    texts = tomllib.loads((folder / f"{name.replace('-', '_')}.toml").read_text("utf-8"))
    parser = commands.add_parser(
        name,
        help=texts["summary"],
        description=texts["description"],
        epilog=texts["epilog"],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # Pipelines must not break, or change, if there is a new option.
        allow_abbrev=False,
    )
    parser.set_defaults(run=module.run, renamed=())
    module.register(parser)


def _drop_unwritten_messages() -> None:
    """Drop messages that standard error cannot take, so that they do not change the exit code."""
    try:
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _replace_closed_streams() -> None:
    """Open a null device for closed standard streams, so that no other file of ours gets their number.

    Reading or printing with them remains an error, as with any closed file, and messages are lost.
    """
    closed = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    for name, mode, flag in closed:
        if getattr(sys, name) is None:
            # The system assigns the lowest free number, which is that of the stream.
            setattr(sys, name, os.fdopen(os.open(os.devnull, flag), mode, encoding="utf-8"))


@contextmanager
def _cleanup_on_signals() -> Iterator[None]:
    """Make the command clean up if it is terminated: end its processes and remove partial files, as Ctrl+C does."""
    # A signal may already be handled otherwise, for instance by nohup, and only the main thread may set handlers.
    free = [sign for sign in ENDING_SIGNALS if signal.getsignal(sign) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        free = []
    for sign in free:
        signal.signal(sign, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        for sign in free:
            signal.signal(sign, signal.SIG_DFL)
