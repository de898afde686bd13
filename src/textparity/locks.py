"""Keep other processes from removing or replacing a file that one process is writing.

On POSIX systems this takes a lock, which all our processes respect. Windows protects every open file by itself, even
from the process that has it open. Its locks (`msvcrt`) are not used: they would keep the writer from its own file.
"""

import errno
import os
from pathlib import Path

try:
    import fcntl
except ImportError:
    # On Windows
    fcntl = None  # type: ignore[assignment]

# Whether a file can be renamed or removed while it is open.
MOVES_OPEN_FILES = fcntl is not None


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed, waiting for other processes. Raises `OSError` if there are no locks."""
    if fcntl is None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def remove_unused(path: Path) -> None:
    """Remove a file unless another process is using it. Raises `OSError` if it is used, a link, or not permitted."""
    if fcntl is None:
        path.unlink()
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    finally:
        os.close(descriptor)
