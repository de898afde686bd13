"""How often the interval of women's share contains the share, in simulated corpora: a table on standard output.

  python benchmarks/coverage.py [--corpora 3000] [--share 0.25] [--seed 1]

Each corpus has so many texts. A text has its own share of women, from a beta distribution whose parameters add up to 2,
and a Poisson number of mentions: 4 on average if texts are equally long, else 4 times a lognormal number of the given
spread. A corpus in which fewer than ten texts have a mention gives no interval and is drawn again. `bootstrap` is the
percentile bootstrap that audits used before.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from textparity.counting.statistics import MINIMUM_UNITS, ClusteredShare, Estimate

TEXTS = (10, 30, 100)
SPREADS = (0.0, 1.5, 2.0)
MENTIONS, CONCENTRATION = 4, 2
LEVEL, RESAMPLES = 0.95, 1000


@dataclass
class Misses:
    """The intervals of one method that lie below or above the share, and the widths of all."""

    below: int = 0
    above: int = 0

    def __post_init__(self) -> None:
        self.widths: list[float] = []

    def add(self, interval: Estimate, share: float) -> None:
        """Count an interval."""
        self.below += interval.high < share
        self.above += interval.low > share
        self.widths.append(interval.high - interval.low)

    def row(self) -> str:
        """Render the coverage, the misses on both sides in percent, and the median width in points."""
        number = len(self.widths)
        sides = [100 * self.below / number, 100 * self.above / number]
        width = 100 * float(np.median(self.widths))
        return f"{100 - sum(sides):.1f} | {sides[0]:.1f} | {sides[1]:.1f} | {width:.1f}"


def draw_corpora(
    corpora: int, texts: int, spread: float, share: float, generator: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Draw the numbers of women and of all mentions in the texts of each corpus."""
    drawn = 0
    while drawn < corpora:
        mentions = generator.poisson(MENTIONS * generator.lognormal(0, spread, texts))
        shares = generator.beta(CONCENTRATION * share, CONCENTRATION * (1 - share), texts)
        if (mentions > 0).sum() >= MINIMUM_UNITS:
            drawn += 1
            yield generator.binomial(mentions, shares), mentions


def bootstrap_interval(women: np.ndarray, mentions: np.ndarray, generator: np.random.Generator) -> Estimate:
    """Compute the percentile bootstrap interval over texts."""
    texts = len(women)
    weights = generator.multinomial(texts, np.full(texts, 1 / texts), size=RESAMPLES)
    of_resamples = weights @ mentions
    shares = (weights @ women)[of_resamples > 0] / of_resamples[of_resamples > 0]
    low, high = np.quantile(shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(women.sum() / mentions.sum()), float(low), float(high))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=int, default=3000)
    parser.add_argument("--share", type=float, default=0.25, help="the true share of women")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    measures = ("covered %", "too low %", "too high %", "width")
    heads = ["lengths", "texts", *measures, *(f"bootstrap: {name}" for name in measures), "ratio of widths"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for spread in SPREADS:
        for texts in TEXTS:
            generator = np.random.default_rng([options.seed, texts, int(10 * spread)])
            audit, bootstrap = Misses(), Misses()
            for women, mentions in draw_corpora(options.corpora, texts, spread, options.share, generator):
                audit.add(ClusteredShare.of_units(women, mentions - women).interval(LEVEL), options.share)
                bootstrap.add(bootstrap_interval(women, mentions, generator), options.share)
            lengths = f"lognormal {spread:g}" if spread else "equal"
            ratio = np.median(audit.widths) / np.median(bootstrap.widths)
            print(f"| {lengths} | {texts} | {audit.row()} | {bootstrap.row()} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
