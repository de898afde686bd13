"""Reproducible randomness, from a seed and the names of a purpose."""

from hashlib import blake2b

import numpy as np


def random_generator(seed: int, *names: str) -> np.random.Generator:
    """Make a generator that depends only on the seed and the names of its purpose."""
    key = "\0".join([str(seed), *names])
    digest = blake2b(key.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


class Ranks:
    """Compute the ranks of documents: 64 bits that depend only on the seed, the corpus and the document's id."""

    def __init__(self, seed: int, corpus: str) -> None:
        self._begun = blake2b(f"{seed}\0{corpus}\0".encode(), digest_size=8)

    def __call__(self, document_id: str) -> int:
        digest = self._begun.copy()
        digest.update(document_id.encode())
        return int.from_bytes(digest.digest(), "big")
