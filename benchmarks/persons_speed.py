"""The method persons against counting the lexicon's nouns, in one process run on the same texts.

  python benchmarks/persons_speed.py TEXTS LANG [--pipeline NAME]

TEXTS has one text a line, such as an NTREX-128 file. Absolute times depend on the machine and its neighbours; read the
ratios. Words are those of the icu engine.
"""

import argparse
import resource
import statistics
import time
from pathlib import Path

from textparity.auditing.audit import audit

REPEATS = 5


def main() -> None:
    """Print words per second and the median ratio of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("lang")
    parser.add_argument("--pipeline", default="")
    options = parser.parse_args()
    texts = options.texts.read_text("utf-8").splitlines()
    ways = {"lexicon": {}, "persons": {"method": "persons", "pipeline": options.pipeline}}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    words = 0
    for settings in ways.values():
        # Lexicons and pipelines are loaded once.
        audit(texts[:100], lang=options.lang, **settings)
    for _ in range(REPEATS):
        for name, settings in ways.items():
            begun = time.perf_counter()
            words = audit(texts, lang=options.lang, resamples=100, **settings).words
            seconds[name].append(time.perf_counter() - begun)
    for name, values in seconds.items():
        print(f"{name}: {words / statistics.median(values):,.0f} words/s")
    ratios = [persons / lexicon for lexicon, persons in zip(*seconds.values(), strict=True)]
    print(f"time of persons / lexicon: {statistics.median(ratios):.0f} ({min(ratios):.0f} to {max(ratios):.0f})")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
