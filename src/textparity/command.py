"""The command `textparity`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from textparity import __version__
from textparity.auditing.command import add_audit, add_merge, add_rerun
from textparity.comparing.command import add_compare
from textparity.serving.command import add_serve

INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM


def _terminate(*_: Any) -> None:
    # Left like an error, so that all that is half written goes.
    print("textparity: terminated", file=sys.stderr)
    raise SystemExit(TERMINATED)


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
    usual = signal.signal(signal.SIGTERM, _terminate)
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
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, usual)
