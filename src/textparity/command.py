"""The command `textparity`."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence

from textparity import __version__
from textparity.auditing.command import add_audit, add_merge, add_rerun
from textparity.comparing.command import add_compare
from textparity.serving.command import add_serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="textparity", description="Who gets mentioned? Gender representation in text corpora."
    )
    parser.add_argument("--version", action="version", version=f"textparity {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_audit(commands)
    add_merge(commands)
    add_rerun(commands)
    add_compare(commands)
    add_serve(commands)
    options = parser.parse_args(arguments)
    _replace_closed_streams()
    _end_in_order()
    try:
        code = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader, such as head, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("textparity: interrupted", file=sys.stderr)
        return 130


def _replace_closed_streams() -> None:
    """Open those of standard input, output and error that are closed, so that no file of ours takes their number.

    To read or print by them is an error, as with any file that is closed; messages are lost.
    """
    closed = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    for name, mode, flag in closed:
        if getattr(sys, name) is None:
            # The lowest number that is free, which is that of the stream.
            setattr(sys, name, os.fdopen(os.open(os.devnull, flag), mode, encoding="utf-8"))


def _end_in_order() -> None:
    """Let the command, if it is told to end, end its processes and remove what is half-written, as Ctrl+C does."""
    if threading.current_thread() is not threading.main_thread():
        return
    for sign in (signal.SIGTERM, signal.SIGHUP):
        # Not with nohup, for instance.
        if signal.getsignal(sign) is signal.SIG_DFL:
            signal.signal(sign, lambda number, frame: sys.exit(128 + number))
