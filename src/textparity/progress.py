"""Show progress as log lines: readable in a file, and silent for short work."""

import logging
import sys
from collections.abc import Callable

from tqdm import tqdm

log = logging.getLogger(__name__)


class _Lines:
    """A stream for tqdm that shows each refresh as one line."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show

    def write(self, text: str) -> None:
        if line := text.strip():
            self._show(line)

    def flush(self) -> None:
        pass


def _show_on_stderr(line: str) -> None:
    print(f"textparity: {line}", file=sys.stderr, flush=True)


def file_bar(total: int | None, show: bool, seconds: float = 60.0) -> tqdm:
    """Make a progress bar in bytes on standard error. If that is not a terminal, it prints a line every `seconds`."""
    if not show or sys.stderr.isatty():
        return tqdm(total=total, unit="B", unit_scale=True, disable=not show, leave=False)
    return tqdm(
        total=total, unit="B", unit_scale=True, leave=False, file=_Lines(_show_on_stderr), ascii=True, ncols=100,
        mininterval=seconds, maxinterval=seconds, delay=seconds,
    )  # fmt: skip


def progress_bar(total: int | None, title: str, unit: str = "texts", seconds: float = 5.0) -> tqdm:
    """Make a tqdm bar that logs a line at most every `seconds`. Call `.update(n)` as work is done."""
    return tqdm(
        total=total, desc=title, unit=f" {unit}", file=_Lines(log.info), ascii=True, ncols=100,
        mininterval=seconds, maxinterval=seconds, delay=seconds, leave=False,
    )  # fmt: skip
