"""The exit codes of the commands, and their messages."""

import sys
from contextlib import suppress

FINE, NOTHING_COUNTED, BAD_INPUT, SOME_SKIPPED, CHECK_FAILED = range(5)


def print_message(message: str) -> None:
    """Print a message without disturbing the progress bar. It may contain names and text of the corpus."""
    from tqdm import tqdm

    from textparity.files import printable

    # If standard error is full or closed, nobody can read the message.
    with suppress(OSError):
        tqdm.write(f"textparity: {printable(message)}", file=sys.stderr)
