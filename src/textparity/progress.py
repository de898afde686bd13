"""Progress as log lines: readable in a file, quiet for short work."""

import logging

from tqdm import tqdm

log = logging.getLogger(__name__)


class _LogStream:
    """A stream for tqdm that turns each refresh into one log line."""

    def write(self, text: str) -> None:
        if line := text.strip():
            log.info(line)

    def flush(self) -> None:
        pass


def progress_bar(total: int | None, title: str, unit: str = "texts", seconds: float = 5.0) -> tqdm:
    """Return a tqdm bar that logs a line at most every `seconds`; call `.update(n)` as work is done."""
    return tqdm(
        total=total, desc=title, unit=f" {unit}", file=_LogStream(), ascii=True, ncols=100,
        mininterval=seconds, maxinterval=seconds, delay=seconds, leave=False,
    )  # fmt: skip
