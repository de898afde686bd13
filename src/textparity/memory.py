"""Limit the memory that reading a file may take, because a small file can ask for any amount."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

try:
    import resource
except ImportError:
    # Windows has no such limits.
    resource = None  # type: ignore[assignment]

_MEMORY_OF_PROCESS = Path("/proc/self/statm")


@contextmanager
def limited_memory(size: int) -> Iterator[None]:
    """Let the block take at most `size` bytes more than the process has. Beyond that, it raises `MemoryError`.

    The kernel enforces the limit, and for all threads of the process, so the block should be short. Only Linux can do
    this; elsewhere there is no limit.
    """
    if resource is None or not _MEMORY_OF_PROCESS.exists():
        yield
        return
    # Arrow reserves addresses when it first allocates, which are not memory that the block takes.
    pa.allocate_buffer(1)
    pages = int(_MEMORY_OF_PROCESS.read_text("ascii").split()[0])
    limit = pages * resource.getpagesize() + size
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    # A limit that the user set stays.
    for given in (soft, hard):
        if given != resource.RLIM_INFINITY:
            limit = min(limit, given)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def system_allocator() -> Iterator[None]:
    """Let what is opened in the block allocate from the system, whose limits Arrow's own allocator does not see.

    Arrow's allocator reserves a gigabyte in advance, which a limit on addresses could not tell from use.
    """
    usual = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(usual)
