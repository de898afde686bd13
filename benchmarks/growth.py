"""How time and memory grow with the input, over four decades: a table, and a figure of what was measured.

  cd benchmarks && python growth.py --ntrex FOLDER --lexicons FOLDER --folder FOLDER \
    --megabytes 0.1 1 10 100 1000 --figure ../docs/images/growth.svg

Of each size, makes a file of English lines, on which `textparity audit` runs in one job, and one WET file of German
documents (benchmarks/make_wet.py): it is split, and its sample collected and counted, both procedures, as in the
workflow. Each step runs in a process of its own. Times are processor time with all that a process needs to start. Needs
the lexicon: the network, or TEXTPARITY_MIRROR. `--table` keeps what was measured, `--measured` draws it anew.
"""

import argparse
import csv
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import audit_speed
import crawl_cost
from make_wet import read_texts, write_wet_files

NAMES = {
    "audit": "audit",
    "split": "crawl: WET file split",
    "collect": "crawl: sample of a language collected",
    "count": "crawl: sample counted",
}
COLOURS = {"audit": "#D55E00", "split": "#0072B2", "collect": "#CC79A7", "count": "#009E73"}
MARKERS = {"audit": "o", "split": "s", "collect": "D", "count": "^"}
BYTES_OF_DOCUMENT = 4_850
# Larger files are measured once.
LARGE = 200


class Point(NamedTuple):
    """One step on one size: megabytes of text, seconds of processor time, megabytes of memory."""

    step: str
    megabytes: float
    seconds: float
    memory_mb: float


def median_of(step: str, megabytes: float, runs: list[dict[str, float]]) -> Point:
    """Return the medians of some runs."""
    seconds, memory = (statistics.median(run[key] for run in runs) for key in ("seconds", "memory_mb"))
    return Point(step, megabytes, seconds, memory)


def measure_audit(lines: bytes, megabytes: float, rounds: int, folder: Path) -> Iterator[Point]:
    """Audit lines of English."""
    path = folder / "eng.txt"
    with path.open("wb") as file:
        for _ in range(int(megabytes * 1e6) // len(lines)):
            file.write(lines)
        rest = int(megabytes * 1e6) % len(lines)
        file.write(lines[: lines.rfind(b"\n", 0, rest) + 1])
    size = path.stat().st_size / 1e6
    yield median_of("audit", size, [audit_speed.run_step("audit", path) for _ in range(rounds)])
    path.unlink()


def measure_crawl(
    texts: dict[str, list[str]], megabytes: float, rounds: int, folder: Path, lexicons: Path
) -> Iterator[Point]:
    """Split a WET file, collect the sample of its language (at most `crawl_cost.DOCUMENTS_KEPT`) and count it."""
    documents = max(1, round(megabytes * 1e6 / BYTES_OF_DOCUMENT))
    size = write_wet_files(texts, documents, 1, folder) / 1e6
    runs = [
        {step: crawl_cost.run_step(step, folder, lexicons) for step in ("split", "collect", "count")}
        for _ in range(rounds)
    ]
    for step in ("split", "collect"):
        yield median_of(step, size, [run[step] for run in runs])
    counted = runs[0]["count"]["documents"] / documents
    yield median_of("count", size * counted, [run["count"] for run in runs])


def draw(points: list[Point], path: Path) -> None:
    """Draw time and peak memory against the size of the text."""
    from textparity_studies.report.plotting import Chart

    drawn = Chart(path.stem, (7.2, 3.2), "", "")
    panels = drawn.panels(1, 2)
    for panel, column, label in zip(panels, (2, 3), ("seconds", "MB of memory at the peak"), strict=True):
        for step, name in NAMES.items():
            chosen = sorted(point for point in points if point.step == step)
            panel.plot(
                [point.megabytes for point in chosen],
                [point[column] for point in chosen],
                color=COLOURS[step], marker=MARKERS[step], markersize=4, linewidth=1.2, label=name,
            )  # fmt: skip
        panel.set(xscale="log", yscale="log", xlabel="MB of text", ylabel=label)
        for axis in (panel.xaxis, panel.yaxis):
            # The house style has no formulas, of which powers of ten are made.
            axis.set_major_formatter("{x:,g}")
            axis.set_minor_formatter("")
    megabytes = [point.megabytes for point in points]
    for speed in (10, 100):
        ends = [max(min(megabytes), 0.3 * speed), max(megabytes)]
        panels[0].plot(ends, [end / speed for end in ends], color="#999999", linewidth=0.8, linestyle=":", zorder=0)
        panels[0].annotate(
            f"{speed} MB/s", (ends[0], ends[0] / speed), fontsize=7, color="#777777",
            xytext=(0, -2), textcoords="offset points", ha="right", va="center",
        )  # fmt: skip
    panels[1].set_ylim(50, 2000)
    panels[0].legend(loc="upper left", fontsize=7.5)
    drawn.save(path)


def main() -> None:
    """Measure all sizes, print them and draw them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ntrex", "lexicons", "folder", "figure", "measured", "table"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--megabytes", type=float, nargs="+", default=[0.1, 1, 10, 100, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    points = []
    if options.measured:
        with options.measured.open(encoding="utf-8", newline="") as file:
            points = [Point(row["step"], *map(float, list(row.values())[1:])) for row in csv.DictReader(file)]
    else:
        lines = (options.ntrex / audit_speed.ENGLISH).read_bytes()
        texts = {"deu": read_texts(options.ntrex, None)["deu"]}
        for megabytes in options.megabytes:
            rounds = 1 if megabytes > LARGE else options.rounds
            with tempfile.TemporaryDirectory(dir=options.folder) as name:
                folder = Path(name)
                for measured in (
                    measure_audit(lines, megabytes, rounds, folder),
                    measure_crawl(texts, megabytes, rounds, folder, options.lexicons),
                ):
                    for point in measured:
                        points.append(point)
                        print("{:7s} {:8.1f} MB {:7.2f} s {:6.0f} MB at the peak".format(*point), flush=True)
    if options.table:
        with options.table.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([Point._fields, *points])
    if options.figure:
        draw(points, options.figure)


if __name__ == "__main__":
    main()
