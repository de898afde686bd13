"""Simulate checks of annotated corpora: the annotation plays the reader of a few texts, and all texts show the truth.

This belongs to no paper. It measures the estimator of `textparity.estimating.corrected_shares`, which was chosen on
these corpora: how often its interval contains the true share, how wide it is in relation to that of the texts read
alone, and its bias. A corpus of few texts is cut into more.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import GENDERS
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.corrected_shares import DrawnTexts, ShareFit, fit_shares
from textparity.estimating.distributions import t_quantile
from textparity.estimating.seeds import random_generator
from textparity.persons.mentions import PERSONS, WORDS, Mention
from textparity.persons.method_error import BALANCED, COMPLETE
from textparity.tables import Table
from textparity_studies.instruments.annotated_texts import AnnotatedMention
from textparity_studies.instruments.findings import Pair, pair_mentions
from textparity_studies.instruments.tables import NAMES

# The numbers of texts drawn, and of samples.
DRAWS, SAMPLES = (5, 10, 20, 40), 3000
# A corpus is cut into at least so many texts of at least so many characters.
_WANTED_TEXTS, _FEWEST_TEXTS, _SHORTEST = 60, 50, 300
# The share of mentions to which a careless reader gives the other gender.
READER_ERROR = 0.05
# How a corpus is changed: not at all, the genders found are shuffled among all that is found, or the reader errs.
PLAIN, SHUFFLED, CARELESS = "", "shuffled", "5 % errors"
COLUMNS = [
    "gold", "lang", "method", "texts", "draws", "genders_found", "reader", "true_share", "found_share", "bias",
    "alone_half_width", "half_width", "width_ratio", "alone_coverage", "coverage",
]  # fmt: skip


def tabulate_checks(found: list[Path], bootstrap: Bootstrap) -> Iterator[Table]:
    """Tabulate simulated checks of each corpus and method, with the seed and level of the bootstrap.

    The widths are means over samples, shares, widths and bias in percent and points. `alone` is the estimate from the
    texts that are read, without the counts of all texts.
    """
    rows: list[dict[str, Any]] = []
    for path in found:
        metadata = read_metadata(path)
        if metadata["annotation"] in (BALANCED, NAMES) or metadata["grammatical"]:
            continue
        texts = read_rows(path).to_pylist()
        annotated = [[AnnotatedMention(**mention) for mention in text["annotated"]] for text in texts]
        pieces = _pieces_of([len(text["text"]) for text in texts])
        for method in (WORDS, PERSONS):
            if method not in metadata["methods"]:
                continue
            mentions = [[Mention(**mention) for mention in text[f"found_{method}"]] for text in texts]
            pairs = list(map(pair_mentions, annotated, mentions))
            counts = CorpusCounts.of(pairs, pieces, metadata["annotation"] == COMPLETE)
            labels = {"gold": metadata["gold"], "lang": metadata["lang"], "method": method}
            if len(counts.marked) >= _FEWEST_TEXTS:
                rows += _simulate(counts, labels, bootstrap)
    yield Table("checks", pd.DataFrame(rows, columns=COLUMNS))


@dataclass(frozen=True)
class _Cut:
    """How many pieces a text is cut into, and the length of each in characters."""

    number: int
    length: float


def _pieces_of(lengths: Sequence[int]) -> list[_Cut]:
    """Cut texts into pieces of at most one length, so that there are enough."""
    longest = max(lengths, default=0)
    while _number_of_pieces(lengths, longest) < _WANTED_TEXTS and longest > _SHORTEST:
        longest = int(0.9 * longest)
    pieces = []
    for length in lengths:
        number = max(1, math.ceil(length / max(longest, 1)))
        pieces.append(_Cut(number, length / number))
    return pieces


def _number_of_pieces(lengths: Sequence[int], longest: int) -> int:
    return sum(math.ceil(length / max(longest, 1)) for length in lengths)


@dataclass(frozen=True)
class CorpusCounts:
    """Women and men in each text of a corpus, as annotated and as found: two arrays of shape (texts, 2)."""

    marked: np.ndarray
    found: np.ndarray

    @classmethod
    def of(cls, pairs: Sequence[Sequence[Pair]], pieces: Sequence[_Cut], is_complete: bool) -> "CorpusCounts":
        """Count in each piece of the texts. If only some persons are annotated, only findings of these count."""
        counts = []
        for of_text, cut in zip(pairs, pieces, strict=True):
            in_pieces = np.zeros((cut.number, 2, 2))
            for annotated, found in of_text:
                if annotated is None and not is_complete:
                    continue
                if annotated is not None and annotated.gender not in GENDERS:
                    continue
                start = annotated.start if annotated else (found.start if found else 0)
                piece = min(cut.number - 1, int(start / cut.length)) if cut.length else 0
                for source, mention in enumerate((annotated, found)):
                    if mention is not None and mention.gender in GENDERS:
                        in_pieces[piece, source, GENDERS.index(mention.gender)] += 1
            counts.append(in_pieces)
        together = np.concatenate(counts) if counts else np.zeros((0, 2, 2))
        return cls(together[:, 0], together[:, 1])

    def shuffled(self, generator: np.random.Generator) -> "CorpusCounts":
        """Give everything found a random gender: a method that knows nothing of them."""
        sizes = self.found.sum(axis=1).astype(int)
        women = generator.binomial(sizes, _share_of(self.found))
        return CorpusCounts(self.marked, np.column_stack([women, sizes - women]).astype(float))


def _share_of(counts: np.ndarray) -> float:
    women, men = counts.sum(axis=0)
    return float(women / (women + men))


def _simulate(counts: CorpusCounts, labels: dict[str, str], bootstrap: Bootstrap) -> Iterator[dict[str, Any]]:
    """Simulate checks of a corpus: as it is, with shuffled genders, and with a reader who errs."""
    if not (counts.marked.sum(axis=0).all() and counts.found.sum(axis=0).all()):
        return
    for genders, reader in ((PLAIN, PLAIN), (SHUFFLED, PLAIN), (PLAIN, CARELESS)):
        generator = random_generator(bootstrap.seed, "checks", *labels.values(), genders, reader)
        used = counts.shuffled(generator) if genders == SHUFFLED else counts
        about = {"texts": len(counts.marked), "genders_found": genders, "reader": reader}
        for draws in DRAWS:
            sample = _draw(used, draws, generator)
            if reader == CARELESS:
                sample = _with_errors(sample, generator)
            measured = _measure(sample, _share_of(counts.marked), bootstrap.confidence_level)
            shares = {"true_share": 100 * _share_of(counts.marked), "found_share": 100 * _share_of(used.found)}
            yield labels | about | {"draws": draws} | shares | measured


def _draw(counts: CorpusCounts, draws: int, generator: np.random.Generator) -> DrawnTexts:
    """Draw samples as `textparity check draw` does."""
    sizes = counts.found.sum(axis=1) + 1
    chances = sizes / sizes.sum()
    texts = generator.choice(len(sizes), (SAMPLES, draws), p=chances)
    return DrawnTexts(counts.marked[texts], counts.found[texts], chances[texts], counts.found.sum(axis=0))


def _with_errors(sample: DrawnTexts, generator: np.random.Generator) -> DrawnTexts:
    """Give some of the marked mentions the other gender."""
    wrong = generator.binomial(sample.marked.astype(int), READER_ERROR)
    marked = sample.marked - wrong + wrong[..., ::-1]
    return DrawnTexts(marked, sample.found, sample.probabilities, sample.found_in_all)


def _measure(sample: DrawnTexts, truth: float, level: float) -> dict[str, float]:
    """Measure the estimates of all samples against the true share."""
    alone, corrected = fit_shares(sample)
    values, low, high = _shares(corrected, level)
    _, alone_low, alone_high = _shares(alone, level)
    half_width = 50 * float(np.mean(high - low))
    alone_half_width = 50 * float(np.mean(alone_high - alone_low))
    return {
        "bias": 100 * float(np.mean(values - truth)),
        "alone_half_width": alone_half_width,
        "half_width": half_width,
        "width_ratio": half_width / alone_half_width,
        "alone_coverage": 100 * float(np.mean((alone_low <= truth) & (truth <= alone_high))),
        "coverage": 100 * float(np.mean((low <= truth) & (truth <= high))),
    }


def _shares(fit: ShareFit, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the shares of all samples with the ends of their intervals."""
    half = t_quantile(level, fit.freedom) * np.sqrt(fit.variance)
    low, value, high = (1 / (1 + np.exp(-(fit.logit + shift))) for shift in (-half, 0, half))
    return value, low, high
