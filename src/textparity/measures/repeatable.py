"""PyTorch that gives the same numbers every time; it is loaded when asked for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def repeatable(seed: int, threads: int = 1) -> Iterator[Any]:
    """Yield PyTorch with its random state, threads and algorithms set, and put them back.

    Sums in another order differ in their last digits, and with other threads the order is another.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    # Without it, cuBLAS is not deterministic, and PyTorch refuses.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    import torch

    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), torch.get_rng_state()
    try:
        torch.set_num_threads(threads)
        # Some operations on a GPU have no deterministic algorithm; then it warns.
        torch.use_deterministic_algorithms(True, warn_only=torch.cuda.is_available())
        torch.manual_seed(seed)
        yield torch
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        torch.set_rng_state(before[2])
