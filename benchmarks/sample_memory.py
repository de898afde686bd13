"""Ours against the paper's way of drawing sentence pairs: peak memory and speed, each in a process of its own.

  python benchmarks/sample_memory.py --folder FOLDER --pairs 1000000 5000000 --paper 1000000

Generates archives of so many pairs in FOLDER (about 100 MB a million, removed afterwards) and draws two samples of
1,000 from each. `--paper` names the sizes at which the paper's notebook is run too: it reads the numbers of all valid
lines into a list, draws from it, then reads each whole file.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

PAIRS, SAMPLES, SEED = 1000, 2, 1
MEMBERS = {"eng": "Generated.en-es.en", "spa": "Generated.en-es.es"}
SYLLABLES = [first + last for first in "bcdfglmnprstv" for last in ("a", "e", "i", "o", "u", "ñó")]


def lines(seed: int, pairs: int) -> Iterator[bytes]:
    """Yield lines of 4 to 28 words; every 50th is one of ten that recur, every 100th has no letter."""
    generator = random.Random(seed)
    words = ["".join(generator.choices(SYLLABLES, k=generator.randint(1, 4))) for _ in range(50_000)]
    for number in range(pairs):
        if number % 100 == 0:
            yield b"%d.%d.%d\n" % (number % 28 + 1, number % 12 + 1, number % 2000)
        elif number % 50 == 0:
            yield b"%b (%d)\n" % (words[seed].encode(), number // 50 % 10)
        else:
            yield (" ".join(generator.choices(words, k=4 + number % 25)) + "\n").encode()


def generate(archive: Path, pairs: int) -> None:
    """Write an archive in Moses format, a line at a time."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for seed, member in enumerate(MEMBERS.values()):
            with file.open(member, "w", force_zip64=True) as out:
                buffered: list[bytes] = []
                for line in lines(seed, pairs):
                    buffered.append(line)
                    if len(buffered) == 10_000:
                        out.write(b"".join(buffered))
                        buffered.clear()
                out.write(b"".join(buffered))


def ours(archive: Path, folder: Path) -> None:
    """Draw as the workflow does."""
    from textparity_studies.sampling import sample_pairs

    sample_pairs(archive, folder / "drawn.parquet", MEMBERS, PAIRS, SAMPLES, "any", SEED)


def paper(archive: Path, folder: Path) -> None:
    """Draw as the paper's notebook does, from the unpacked files; unpacking counts, as reading the zip does for us."""
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    files = [folder / member for member in MEMBERS.values()]
    with files[0].open(encoding="utf-8") as left, files[1].open(encoding="utf-8") as right:
        valid = [
            number
            for number, sides in enumerate(zip(left, right, strict=True))
            if all(re.search("[a-zA-Z]", side) for side in sides)
        ]
    for _ in range(SAMPLES):
        drawn = random.sample(valid, PAIRS)
        for file in files:
            with file.open(encoding="utf-8") as stream:
                texts = stream.readlines()
                assert len([texts[number] for number in drawn]) == PAIRS


def child(way: str, archive: Path) -> None:
    """Run one way and print its seconds of processor time and its peak memory in MB."""
    with tempfile.TemporaryDirectory(dir=archive.parent) as folder:
        start = time.process_time()
        {"ours": ours, "paper": paper}[way](archive, Path(folder))
        seconds = time.process_time() - start
    # Not ru_maxrss: a child inherits that from the parent it was forked from.
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1000
    print(json.dumps({"seconds": seconds, "peak": peak}))


def measure(way: str, archive: Path, pairs: int) -> float:
    """Run `child` in a fresh process; print and return pairs a second."""
    done = subprocess.run([sys.executable, __file__, "--child", way, str(archive)], capture_output=True, check=True)
    found = json.loads(done.stdout)
    print(
        f"{way}, {pairs:,} pairs: {found['seconds']:.1f} s, {pairs / found['seconds']:,.0f} pairs/s, "
        f"peak memory {found['peak']:.0f} MB",
        flush=True,
    )
    return pairs / found["seconds"]


def main() -> None:
    """Generate, draw and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pairs", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--paper", type=int, nargs="*", default=[1_000_000])
    options = parser.parse_args()
    for pairs in sorted({*options.pairs, *options.paper}):
        folder = Path(tempfile.mkdtemp(dir=options.folder))
        try:
            archive = folder / "en-es.txt.zip"
            generate(archive, pairs)
            print(f"{pairs:,} pairs: archive of {archive.stat().st_size / 1e6:,.0f} MB")
            speed = measure("ours", archive, pairs)
            if pairs in options.paper:
                print(f"ratio of speeds {speed / measure('paper', archive, pairs):.2f}")
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
