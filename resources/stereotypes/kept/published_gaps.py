"""Compare the gaps in the paper's own Tables V and VII (Soundararajan 2023), and their variation, with chance.

python resources/stereotypes/kept/published_gaps.py

We ran it once; claims quote the three tables that it writes to its own folder.

A gap |TPR of men - TPR of women| is never below 0, so even a classifier that treats both alike has one, and it grows as
the number of sentences falls. The paper calls its gaps significant, but gives no such baseline. Each gap is a mean over
three sets of sentences (§IV). The paper does not state whether a set's gap covers all its sentences together or is a
mean over folds.
"""

from collections import Counter
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import fft, optimize, stats

from textparity.estimating.seeds import random_generator
from textparity_studies.report.catalogue import write_kept
from textparity_studies.report.ledger import read_published

FOLDER = Path(__file__).parent
PUBLISHED = FOLDER.parent / "published.csv"
# The seed of the draws for `published_spreads`, the same as in the config.
SEED = 20231206
# The kinds of each class, with men's first (Table V).
KINDS = {"consistent": ("MM", "FF"), "contradictory": ("MF", "FM")}
SETS, FOLDS = 3, 5
TOGETHER, OVER_FOLDS = "all sentences of a set", "mean over five folds"
READINGS = {TOGETHER: 1, OVER_FOLDS: FOLDS}
# Possible bases of the deviations in Table VII: the number of values, and the number of parts of a set.
SPREADS = {
    "three sets, all sentences of each": (SETS, 1),
    "three sets, mean over five folds of each": (SETS, FOLDS),
    "fifteen folds": (SETS * FOLDS, 1),
}
ALPHA, POWER = 0.05, 0.8
# The sizes from the smaller to the larger lexicon (Table I).
LEXICON_SIZES = (82, 164, 328, 656, 1307)
# The steps from 0 to 1 when gaps are added up.
_RESOLUTION = 10_000
_DRAWS = 20_000
GAP_COLUMNS = [
    "lexicon", "label", "reading", "sets", "men", "women", "true_positive_rate_percent", "gap", "gap_by_chance",
    "probability_by_chance_percent", "probability_as_small_percent", "other_gap", "probability_with_other_gap_percent",
]  # fmt: skip
SPREAD_COLUMNS = [
    "lexicon", "measure", "deviation_over", "mean", "deviation", "deviation_by_chance", "probability_as_large_percent",
    "probability_as_small_percent", "mean_per_deviation", "probability_without_direction_percent",
]  # fmt: skip


class Groups(NamedTuple):
    """Hold the numbers of sentences about men and about women, and the true positive rate of each, as fractions."""

    men: int
    women: int
    men_rate: float
    women_rate: float

    def part(self, parts: int) -> "Groups":
        """Return one of this many equal parts."""
        return self._replace(men=round(self.men / parts), women=round(self.women / parts))


class _Lexicon(NamedTuple):
    sets: list[dict[str, int]]
    results: dict[str, float]

    def groups(self, label: str, difference: float = 0) -> list[Groups]:
        """Return the groups of each set, with the published rate, or with rates this many percentage points apart."""
        rate = self.results[f"{label}_true_positive_rate_percent"] / 100
        apart = difference / 200
        men, women = KINDS[label]
        return [Groups(sizes[men], sizes[women], rate + apart, rate - apart) for sizes in self.sets]


def gap_probabilities(groups: Sequence[Groups]) -> np.ndarray:
    """Compute the probability of each mean of the gaps of independent groups.

    The means go from 0 to 1 in equal steps; gaps are rounded to a ten-thousandth.
    """
    length = len(groups) * _RESOLUTION + 1
    fast = fft.next_fast_len(length, real=True)
    spectra = (fft.rfft(_one_gap(some), fast) ** times for some, times in Counter(groups).items())
    return np.clip(fft.irfft(prod(spectra), fast)[:length], 0, None)


def _one_gap(groups: Groups) -> np.ndarray:
    shares = [np.arange(size + 1) / size for size in groups[:2]]
    found = [
        stats.binom.pmf(np.arange(size + 1), size, rate) for size, rate in zip(groups[:2], groups[2:], strict=True)
    ]
    places = np.rint(np.abs(np.subtract.outer(*shares)) * _RESOLUTION).astype(int)
    return np.bincount(places.ravel(), weights=np.multiply.outer(*found).ravel(), minlength=_RESOLUTION + 1)


def probability_of_at_least(gap: float, probabilities: np.ndarray) -> float:
    """Compute the probability of a mean gap (a fraction) of at least `gap`."""
    # Start slightly below, so that rounding does not lose an equal gap.
    return float(probabilities[int(np.ceil(gap * (len(probabilities) - 1) - 1e-6)) :].sum())


def main() -> None:
    """Write the gaps of Table VII, their deviations, and the detectable gaps, compared with chance.

    Gaps and deviations are in percentage points. In `published_gaps`, both genders have the published rate.
    `gap_by_chance` is then the expected gap; `probability_by_chance_percent` is the probability of one at least as
    large as the published one, and `probability_as_small_percent` of one at most as large.
    `probability_with_other_gap_percent` is the probability of one at least as large if the rates differ by the gap of
    the other lexicon. `sets` is 3 if sets err independently, and 1 for a single set, or for three that err alike.
    `published_spreads` has the deviations, and those of binomial draws with rates that differ by the published gap. It
    also has `mean_per_deviation` of a gap, and the probability of one at least as large if the signed differences are
    normal around 0. `detectable_gaps`: see `_detectable`.
    """
    lexicons = _read(PUBLISHED)
    rates = [
        value
        for lexicon in lexicons.values()
        for name, value in lexicon.results.items()
        if name.endswith("rate_percent")
    ]
    tables = {
        "published_gaps": pd.DataFrame(_gap_rows(lexicons), columns=GAP_COLUMNS),
        "published_spreads": pd.DataFrame(_spread_rows(lexicons, SEED), columns=SPREAD_COLUMNS),
        "detectable_gaps": pd.DataFrame(_detectable(float(np.mean(rates)) / 100)),
    }
    for name, table in tables.items():
        write_kept(table, FOLDER / f"{name}.csv", [PUBLISHED])


def _read(published: Path) -> dict[str, _Lexicon]:
    lexicons: dict[str, _Lexicon] = {}
    sets: dict[str, dict[str, int]] = {}
    for number in read_published(published):
        lexicon = lexicons.setdefault(number.row.partition(",")[0], _Lexicon([], {}))
        if number.table == "V":
            if number.row not in sets:
                lexicon.sets.append(sets.setdefault(number.row, {}))
            sets[number.row][number.column] = round(float(number.value))
        elif number.table == "VII":
            lexicon.results[number.column] = float(number.value)
    lexicons = {name: lexicon for name, lexicon in lexicons.items() if lexicon.results}
    # The sets of the smaller lexicon "had the same distribution across the labels", so one row applies to all three.
    return {name: lexicon._replace(sets=(lexicon.sets * SETS)[:SETS]) for name, lexicon in lexicons.items()}


def _gap_rows(lexicons: dict[str, _Lexicon]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for (name, lexicon), other in zip(lexicons.items(), reversed(lexicons.values()), strict=True):
        for label in KINDS:
            gap, other_gap = (item.results[f"{label}_true_positive_rate_gap"] for item in (lexicon, other))
            for reading, folds in READINGS.items():
                for sets in (SETS, 1):
                    alike, apart = (
                        gap_probabilities([some.part(folds) for some in groups[:sets] for _ in range(folds)])
                        for groups in (lexicon.groups(label), lexicon.groups(label, other_gap))
                    )
                    first = lexicon.groups(label)[0]
                    at_least = probability_of_at_least(gap / 100, alike)
                    rows.append(
                        {"lexicon": name, "label": label, "reading": reading, "sets": sets}
                        | {"men": first.men, "women": first.women, "true_positive_rate_percent": 100 * first.men_rate}
                        | {"gap": gap, "gap_by_chance": 100 * float(np.linspace(0, 1, len(alike)) @ alike)}
                        | {"probability_by_chance_percent": 100 * at_least}
                        | {"probability_as_small_percent": 100 * (1 - probability_of_at_least(gap / 100 + 1e-9, alike))}
                        | {"other_gap": other_gap}
                        | {"probability_with_other_gap_percent": 100 * probability_of_at_least(gap / 100, apart)}
                    )
    return rows


def _spread_rows(lexicons: dict[str, _Lexicon], seed: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name, lexicon in lexicons.items():
        for measure, value in lexicon.results.items():
            if f"{measure}_sd" not in lexicon.results:
                continue
            is_gap = measure.endswith("_gap")
            for over, (values, folds) in SPREADS.items():
                # Accuracy is the same over all sentences and as a mean over folds.
                if folds > 1 and not is_gap:
                    continue
                generator = random_generator(seed, "published spreads", name, measure, over)
                drawn = _draw(lexicon, measure, value, values, folds, generator).std(axis=1, ddof=1)
                published = lexicon.results[f"{measure}_sd"]
                row: dict[str, object] = (
                    {"lexicon": name, "measure": measure, "deviation_over": over, "mean": value, "deviation": published}
                    | {"deviation_by_chance": float(drawn.mean())}
                    | {"probability_as_large_percent": 100 * float((drawn >= published).mean())}
                    | {"probability_as_small_percent": 100 * float((drawn <= published).mean())}
                )
                if is_gap:
                    undirected = np.abs(generator.standard_normal((_DRAWS, values, folds))).mean(axis=2)
                    ratios = undirected.mean(axis=1) / undirected.std(axis=1, ddof=1)
                    row["mean_per_deviation"] = value / published
                    row["probability_without_direction_percent"] = 100 * float((ratios >= value / published).mean())
                rows.append(row)
    return rows


def _draw(
    lexicon: _Lexicon, measure: str, value: float, values: int, folds: int, generator: np.random.Generator
) -> np.ndarray:
    """Draw a measure (in percent) for each of `values` sets or folds, each a mean over `folds`."""
    label = measure.partition("_true")[0]
    per_set = values // SETS
    found = []
    for number in range(values):
        size = (_DRAWS, folds)
        if label in KINDS:
            groups = lexicon.groups(label, value)[number // per_set].part(per_set * folds)
            shares = [generator.binomial(n, rate, size) / n for n, rate in zip(groups[:2], groups[2:], strict=True)]
            found.append(np.abs(shares[0] - shares[1]).mean(axis=1))
        else:
            sentences = round(lexicon.sets[number // per_set]["sentences"] / (per_set * folds))
            found.append((generator.binomial(sentences, value / 100, size) / sentences).mean(axis=1))
    return 100 * np.stack(found, axis=1)


def _detectable(rate: float) -> list[dict[str, object]]:
    """Compute the smallest gap that can be distinguished from chance, by the lexicon's size and the averaging of gaps.

    We assume a sentence per word and gender, half of the words coded as each, and a share `rate` classified correctly.
    `critical_gap` is the smallest gap that chance reaches in at most 5 %. `detectable_gap` is the difference of the
    rates, the same in all sets, at which the power to see a gap of that size is 80 %.
    """
    rows: list[dict[str, object]] = []
    for words in LEXICON_SIZES:
        for reading, folds in READINGS.items():
            for sets in (SETS, 1):
                some = Groups(words // 2, words // 2, rate, rate).part(folds)

                def probabilities(difference: float, some: Groups = some, parts: int = sets * folds) -> np.ndarray:
                    apart = some._replace(men_rate=rate + difference / 2, women_rate=rate - difference / 2)
                    return gap_probabilities([apart] * parts)

                tail = np.cumsum(probabilities(0)[::-1])[::-1]
                critical = float(np.argmax(tail <= ALPHA) / (len(tail) - 1))

                def lacking(difference: float, critical: float = critical) -> float:
                    return probability_of_at_least(critical, probabilities(difference)) - POWER

                detectable = optimize.brentq(lacking, 0, 2 * (1 - rate), xtol=1e-4)
                rows.append(
                    {"words": words, "sentences": 4 * (words // 2), "reading": reading, "sets": sets}
                    | {"true_positive_rate_percent": 100 * rate}
                    | {"critical_gap": 100 * critical, "detectable_gap": 100 * detectable}
                )
    return rows


if __name__ == "__main__":
    main()
