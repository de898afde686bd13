"""How often the interval of women's share contains the share, in simulated corpora: a table on standard output.

  python benchmarks/coverage.py [--corpora 3000] [--share 0.25 0.1] [--seed 1]

Each corpus has so many texts. A text has its own share of women, from a beta distribution whose parameters add up to 2,
and a Poisson number of mentions: 4 on average if texts are equally long, else 4 times a lognormal number of the given
spread. A corpus in which fewer than ten texts have a mention gives no interval and is drawn again. `bootstrap` is the
percentile bootstrap that audits used before.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from textparity.estimating.bootstrap import draw_weights, percentile_intervals
from textparity.estimating.estimates import MINIMUM_UNITS, Estimate
from textparity.estimating.intervals import ClusteredShare

TEXTS = (10, 30, 100)
SPREADS = (0.0, 1.5, 2.0)
MENTIONS, CONCENTRATION = 4, 2
LEVEL, RESAMPLES = 0.95, 1000


@dataclass
class Misses:
    """The intervals of one method that lie below or above the share, and the widths of all."""

    below: int = 0
    above: int = 0
    widths: list[float] = field(default_factory=list)

    def add(self, interval: Estimate, share: float) -> None:
        """Count an interval."""
        self.below += interval.high < share
        self.above += interval.low > share
        self.widths.append(interval.high - interval.low)

    def row(self) -> str:
        """Render the coverage and the misses on both sides in percent."""
        number = len(self.widths)
        sides = [100 * self.below / number, 100 * self.above / number]
        return " | ".join(f"{value:.1f} %" for value in (100 - sum(sides), *sides))


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
    (weights,) = draw_weights(np.ones(len(women), np.int64), RESAMPLES, generator)
    sums_of_women, sums_of_mentions = weights @ women, weights @ mentions
    has_mentions = sums_of_mentions > 0
    shares = sums_of_women[has_mentions] / sums_of_mentions[has_mentions]
    return percentile_intervals([women.sum() / mentions.sum()], shares[:, None], LEVEL)[0]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=int, default=3000)
    parser.add_argument("--share", type=float, nargs="+", default=[0.25], help="the true shares of women")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    heads = [
        "share", "lengths", "texts", "covers", "interval too low", "too high", "bootstrap covers", "too low",
        "too high", "width, times the bootstrap's",
    ]  # fmt: skip
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for share, spread, texts in product(options.share, SPREADS, TEXTS):
        generator = np.random.default_rng([options.seed, texts, int(10 * spread)])
        audit, bootstrap = Misses(), Misses()
        for women, mentions in draw_corpora(options.corpora, texts, spread, share, generator):
            audit.add(ClusteredShare.of_units(women, mentions - women).interval(LEVEL), share)
            bootstrap.add(bootstrap_interval(women, mentions, generator), share)
        lengths = f"lognormal, σ {spread:g}" if spread else "equal"
        ratio = np.median(audit.widths) / np.median(bootstrap.widths)
        cells = [f"{100 * share:g} %", lengths, str(texts), audit.row(), bootstrap.row(), f"{ratio:.2f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
