"""What does it cost to detect the languages of a mixed corpus, beside counting it? Processor time, in paired runs.

  python benchmarks/detect_cost.py deu.txt:deu eng.txt:eng … --folder FOLDER [--rounds 3]

Audits the files, each by its language, and their lines shuffled into one file, each by the language detected; all
layers. Each run is a process of its own, and the two take turns. `start` is an audit of one line of each language;
`identifier` are the languages of all lines alone, without an audit. Ratios are to counting: an audit of files with
their languages, without its start. Needs the lexicons: the network, or TEXTPARITY_MIRROR.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

AUDIT = [sys.executable, "-m", "textparity", "audit", "--quiet", "--write", f"csv={os.devnull}"]


def seconds_of(command: list[str]) -> float:
    """Return the processor time of a command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def identify(path: Path) -> float:
    """Return the processor time in which the languages of all lines are identified and their scripts checked."""
    from textparity.auditing.languages import load_chooser

    lines = path.read_text("utf-8").split("\n")
    chooser = load_chooser()
    start = time.process_time()
    for first in range(0, len(lines), 5000):
        chooser.choose_by_text(lines[first : first + 5000])
    return time.process_time() - start


def main() -> None:
    """Measure and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE:LANG")
    parser.add_argument("--folder", type=Path, help="where files are made, and removed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--identify", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.identify:
        print(json.dumps(identify(options.identify)))
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        mixed, first = Path(folder, "mixed.txt"), []
        lines: list[str] = []
        for name in options.files:
            path, _, lang = name.rpartition(":")
            of_file = Path(path).read_text("utf-8").splitlines()
            first.append(Path(folder, f"{lang}.txt"))
            first[-1].write_text(of_file[0] + "\n", "utf-8")
            lines += of_file
        random.Random(1).shuffle(lines)
        mixed.write_text("\n".join(lines) + "\n", "utf-8")
        alone = [sys.executable, __file__, "--identify", str(mixed)]
        runs: dict[str, Callable[[], float]] = {
            "start": lambda: seconds_of([*AUDIT, *(f"{path}:{path.stem}" for path in first)]),
            "given": lambda: seconds_of([*AUDIT, *options.files]),
            "detected": lambda: seconds_of([*AUDIT, str(mixed)]),
            "identifier": lambda: float(subprocess.run(alone, check=True, capture_output=True, text=True).stdout),
        }
        found: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(options.rounds):
            for name, run in runs.items():
                found[name].append(run())
        size = mixed.stat().st_size / 1e6
    print(f"{size:.1f} MB, {len(lines):,} lines, {len(options.files)} languages; load {os.getloadavg()[0]:.1f}")
    print("seconds: " + ", ".join(f"{name} {statistics.median(values):.1f}" for name, values in found.items()))
    rounds = list(zip(*found.values(), strict=True))
    for what, ratios in (
        ("identifier to counting", [identifier / (given - start) for start, given, _, identifier in rounds]),
        (
            "all that detection adds to counting",
            [(other - given) / (given - start) for start, given, other, _ in rounds],
        ),
    ):
        print(f"{what}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
