"""Sample pairs from a parallel archive: two members with parallel lines, as OPUS packs them for Moses.

Each pair is ranked by a hash of the seed, the members' names, its two texts and, for repeated pairs, the number of the
copy. Sample j of k has the ranks j, j + k, j + 2k …: the samples are disjoint, a smaller one is the beginning of a
larger one, and the order of the archive's lines does not matter. Copies are ranked separately, so each line is as
likely to be drawn as any other.
"""

import io
import logging
import re
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import pyarrow as pa

from textparity.corpora.reading import (
    BATCH_ROWS,
    BYTE_ORDER_MARK,
    TEXT_SCHEMA,
    read_batches,
    read_metadata,
    write_batches,
)
from textparity.errors import InputError
from textparity.files import decode_line
from textparity.progress import progress_bar
from textparity.sources.archives import open_member

log = logging.getLogger(__name__)

# Bytes read at a time from the first member, with as many lines of the second.
CHUNK_BYTES = 1 << 20
# Hashes are sorted one partition at a time: 2**6 of them take 4 MB each for 15 million pairs.
PARTITION_BITS = 6
SPILLED = np.dtype([("hash", "<u8"), ("line", "<i8")])


def sample_pairs(
    archive: Path, drawn: Path, members: Mapping[str, str], pairs: int, samples: int, letters: str, seed: int
) -> None:
    """Draw `samples` disjoint samples of `pairs` pairs each from `archive` into the Parquet file `drawn`.

    `members` maps the two languages to their members. Only pairs with a letter on both sides are drawn: of any script
    (`letters` is `any`) or from a–z (`published`, as Derner et al. 2025 did). Rows are sorted by sample and rank:
    sample (from 1), position (from 1), line (of the archive, from 1), and a column per language. For equal pairs, the
    order of copies determines the lines. The metadata count the pairs. Memory holds the pairs drawn. All hashes wait in
    unnamed temporary files next to `drawn` (16 bytes per pair), of which one in 64 is read at a time.

    Raises `InputError` for sides of unequal length, invalid UTF-8 or too few pairs, `MissingResourceError` for a
    missing member, and `FetchError` for a damaged archive.
    """
    wanted = pairs * samples
    first, second = members
    seen: dict[str, Any] = {"read": 0, "without_letter": {first: 0, second: 0}, "drawable": 0}
    with ExitStack() as stack:
        drawn.parent.mkdir(parents=True, exist_ok=True)
        # Unnamed files disappear even when the process is killed.
        partitions = [stack.enter_context(tempfile.TemporaryFile(dir=drawn.parent)) for _ in range(1 << PARTITION_BITS)]
        for hashed in _hash_pairs(archive, members, _letter_test(letters), seed, seen):
            _spill(hashed, partitions)
        skipped = ", ".join(
            f"{without:,} without a letter in {lang}" for lang, without in seen["without_letter"].items()
        )
        log.info("%s: %s pairs, %s; %s to draw from", archive, f"{seen['read']:,}", skipped, f"{seen['drawable']:,}")
        if seen["drawable"] < wanted:
            raise InputError(
                f"{archive}: {seen['drawable']:,} pairs have a letter on both sides, but {samples} samples of "
                f"{pairs:,} need {wanted:,}; lower sampling.pairs or .samples"
            )
        lines = _lowest_ranks(partitions, wanted)
    texts = _read_lines(archive, members, lines)
    seen |= {"drawn": wanted, "samples": samples, "letters": letters, "seed": seed}

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        by_sample = [rank for sample in range(samples) for rank in range(sample, wanted, samples)]
        for start in range(0, wanted, BATCH_ROWS):
            yield [
                {"sample": rank % samples + 1, "position": rank // samples + 1, "line": int(lines[rank])}
                | dict(zip(members, texts[rank], strict=True))
                for rank in by_sample[start : start + BATCH_ROWS]
            ]
        return seen

    numbers = [(name, pa.int64()) for name in ("sample", "position", "line")]
    write_batches(drawn, pa.schema(numbers + [(lang, pa.string()) for lang in members]), batches())
    log.info("drew %s pairs: %d samples of %s", f"{wanted:,}", samples, f"{pairs:,}")


def select_language(drawn: Path, texts: Path, corpus: str, lang: str, sample: int) -> None:
    """Write one language of one sample of `drawn` as the rows of `corpus` to `texts`, with the metadata of `drawn`.

    `id` is the corpus and the position in the sample, the same on both sides. Raises `InputError` for a sample that
    was not drawn.
    """

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        found = 0
        for batch in read_batches(drawn, BATCH_ROWS, columns=["sample", "position", lang]):
            rows = [
                {"id": f"{corpus}/{position:06d}", "doc_id": f"{position:06d}", "lang": lang, "text": text}
                for number, position, text in zip(*batch.values(), strict=True)
                if number == sample
            ]
            found += len(rows)
            yield rows
        if not found:
            raise InputError(f"{drawn}: has no sample {sample}; raise sampling.samples")
        return read_metadata(drawn) | {"sample": sample}

    write_batches(texts, TEXT_SCHEMA, batches())


def _letter_test(letters: str) -> Callable[[bytes], bool]:
    ascii_letter = re.compile(rb"[A-Za-z]").search

    def has_letter(text: bytes) -> bool:
        # Decoding is slow, and rarely needed.
        return ascii_letter(text) is not None or (not text.isascii() and any(map(str.isalpha, text.decode())))

    return {"any": has_letter, "published": lambda text: ascii_letter(text) is not None}[letters]


def _hash_pairs(
    archive: Path, members: Mapping[str, str], has_letter: Callable[[bytes], bool], seed: int, seen: dict[str, Any]
) -> Iterator[np.ndarray]:
    """Iterate over hash and line of each pair with letters, in arrays of `SPILLED`; count them in `seen`."""
    names = list(members.values())
    prefix = blake2b(blake2b("\0".join([str(seed), *names]).encode()).digest(), digest_size=8)
    first, second = members
    with progress_bar(None, "reading", "pairs") as bar:
        for start, *sides in _read_chunks(archive, names):
            texts = [_strip(raws, start, archive, name) for raws, name in zip(sides, names, strict=True)]
            hashes, lines = [], []
            for line, left, right in zip(count(start), *texts, strict=False):
                has_left, has_right = has_letter(left), has_letter(right)
                if has_left and has_right:
                    pair = prefix.copy()
                    pair.update(b"%b\n%b" % (left, right))
                    hashes.append(pair.digest())
                    lines.append(line)
                else:
                    seen["without_letter"][first] += not has_left
                    seen["without_letter"][second] += not has_right
            hashed = np.empty(len(lines), SPILLED)
            hashed["hash"] = np.frombuffer(b"".join(hashes), "<u8")
            hashed["line"] = lines
            seen["read"] += len(texts[0])
            seen["drawable"] += len(lines)
            bar.update(len(texts[0]))
            yield hashed


def _read_chunks(archive: Path, names: Sequence[str]) -> Iterator[tuple[int, list[bytes], list[bytes]]]:
    """Iterate over chunks: the first line's number (from 1) and equally many lines of each member, until both end."""
    with open_member(archive, names[0]) as first, open_member(archive, names[1]) as second:
        # Reading lines of a zip member is several times faster through a buffer.
        left, right = (io.BufferedReader(cast(io.RawIOBase, stream), CHUNK_BYTES) for stream in (first, second))
        start = 1
        while True:
            lefts = left.readlines(CHUNK_BYTES)
            # Requesting one line when there are none shows whether the second member continues.
            rights = list(islice(right, len(lefts) or 1))
            if len(lefts) != len(rights):
                ends = [start - 1 + len(lines) + sum(1 for _ in rest)
                        for lines, rest in ((lefts, left), (rights, right))]  # fmt: skip
                raise InputError(
                    f"{archive}: member {names[0]} has {ends[0]:,} lines, {names[1]} has {ends[1]:,}; line n of one "
                    "must be the translation of line n of the other, so get an archive in Moses format that is whole"
                )
            if not lefts:
                return
            yield start, lefts, rights
            start += len(lefts)


def _strip(raws: list[bytes], start: int, archive: Path, name: str) -> list[bytes]:
    """Strip lines as `decode_line` does, but as bytes; `InputError` for a line that is not valid UTF-8."""
    block = b"".join(raws)
    try:
        block.decode()
    except UnicodeDecodeError:
        for number, raw in enumerate(raws, start):
            decode_line(raw, number, f"{archive}, member {name}")
        raise
    lines = block.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    if start == 1:
        lines[0] = lines[0].removeprefix(BYTE_ORDER_MARK)
    return lines


def _spill(hashed: np.ndarray, partitions: Sequence[IO[bytes]]) -> None:
    """Append each pair to the partition given by the top bits of its hash."""
    numbers = hashed["hash"] >> np.uint64(64 - PARTITION_BITS)
    hashed = hashed[np.argsort(numbers, kind="stable")]
    ends = np.cumsum(np.bincount(numbers.astype(np.int64), minlength=len(partitions)))
    for partition, rows in zip(partitions, np.split(hashed, ends[:-1]), strict=True):
        partition.write(rows.tobytes())


def _lowest_ranks(partitions: Sequence[IO[bytes]], wanted: int) -> np.ndarray:
    """Find the lines of the `wanted` pairs with the lowest ranks, in order of rank."""
    ranks, lines = np.empty(0, np.uint64), np.empty(0, np.int64)
    for partition in partitions:
        partition.seek(0)
        hashed = np.frombuffer(partition.read(), SPILLED)
        # The sort is stable, so that copies are numbered in the order of their lines.
        hashed = hashed[np.argsort(hashed["hash"], kind="stable")]
        hashes = hashed["hash"]
        starts = np.flatnonzero(np.diff(hashes, prepend=~hashes[:1]))
        copies = np.arange(len(hashes)) - np.repeat(starts, np.diff(starts, append=len(hashes)))
        ranks = np.concatenate([ranks, _mix(hashes, copies)])
        lines = np.concatenate([lines, hashed["line"]])
        if len(ranks) > wanted:
            lowest = np.argpartition(ranks, wanted - 1)[:wanted]
            ranks, lines = ranks[lowest], lines[lowest]
    return lines[np.argsort(ranks, kind="stable")]


def _mix(hashes: np.ndarray, copies: np.ndarray) -> np.ndarray:
    """Compute the member number `copies` of the SplitMix64 sequence that starts at `hashes` (Steele et al. 2014)."""
    mixed = hashes + copies.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _read_lines(archive: Path, members: Mapping[str, str], lines: np.ndarray) -> list[tuple[str, ...]]:
    """Read the pairs of texts at `lines`, in that order."""
    names = list(members.values())
    texts: dict[int, tuple[str, ...]] = {}
    ordered = np.sort(lines)
    for start, *sides in _read_chunks(archive, names):
        low, high = np.searchsorted(ordered, [start, start + len(sides[0])])
        for line in ordered[low:high].tolist():
            texts[line] = tuple(
                decode_line(raws[line - start], line, f"{archive}, member {name}")
                for raws, name in zip(sides, names, strict=True)
            )
        if high == len(ordered):
            break
    return [texts[line] for line in lines.tolist()]
