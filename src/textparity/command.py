"""The command `textparity`."""

import argparse
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec

from textparity import __version__
from textparity.auditing.command import BAD_INPUT, add_audit, add_merge, print_message
from textparity.auditing.processes import ENDING_SIGNALS, NEW_OBJECTS
from textparity.comparing.command import add_compare, compare_records
from textparity.errors import TextparityError
from textparity.serving.command import add_serve
from textparity.translating.command import add_translate_check

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
    add_audit(commands, compare_records)
    add_merge(commands)
    add_compare(commands)
    add_serve(commands)
    add_translate_check(commands)
    options = parser.parse_args(arguments)
    _replace_closed_streams()
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
