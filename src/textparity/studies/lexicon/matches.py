"""Whether a verdict hangs on one form of the lexicon: each form is left out in turn (corrected procedure)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.measures.statistics import Gap, Minimum, adjust_by_holm, verdict
from textparity.report.tables import write_csv
from textparity.studies.lexicon.tables import read_summaries

_NAMES = ("words", "feminine", "masculine", "feminine_and_masculine")


@dataclass(frozen=True)
class _Counts:
    """Counts per unit of resampling; `both` are words of both genders."""

    words: np.ndarray
    feminine: np.ndarray
    masculine: np.ndarray
    both: np.ndarray

    def without(self, matches: np.ndarray, classes: set[str]) -> "_Counts":
        """Return the counts without so many matches per unit of a form of these classes; its words stay words."""
        return _Counts(
            self.words,
            self.feminine - matches * ("feminine" in classes),
            self.masculine - matches * ("masculine" in classes),
            self.both - matches * ({"feminine", "masculine"} <= classes),
        )

    @cached_property
    def gap(self) -> Gap:
        return Gap.of(self.words, self.feminine, self.masculine, self.both)

    @property
    def masculine_per_feminine(self) -> float:
        feminine = int(self.feminine.sum())
        return int(self.masculine.sum()) / feminine if feminine else math.nan


@dataclass(frozen=True)
class _Family:
    """The p-values of the languages of one corpus, which are adjusted for each other."""

    p_values: dict[str, float]
    minimum: Minimum
    confidence_level: float

    def verdicts(self, lang: str, gap: Gap) -> tuple[str, str]:
        """Return the verdict on a language with this gap, adjusted for the others as they are, and by itself."""
        p_value = gap.p_value if self.minimum.is_met(gap) else math.nan
        family = self.p_values | {lang: p_value}
        adjusted = dict(zip(family, adjust_by_holm(list(family.values())), strict=True))
        return (
            verdict(gap.difference, adjusted[lang], self.confidence_level),
            verdict(gap.difference, p_value, self.confidence_level),
        )


def leave_one_form_out(
    counts: list[Path],
    texts: list[Path],
    summaries: list[Path],
    table_csv: Path,
    units: list[list[str]],
    corpus_names: dict[str, str],
    confidence_level: float,
    minimum_matches: int,
    minimum_units: int,
) -> None:
    """Write, per corpus and language (`units`, in the order of `counts` and `texts`), what hangs on one form.

    A form that is left out is not found; shorter ones inside it are not looked for. `flips` are the forms without which
    the verdict is another, with that verdict; `flips_unadjusted` those that change the verdict on the language by
    itself. The most influential form is the one that changes masculine per feminine most, by its logarithm.
    """
    frame = read_summaries(summaries)
    frame = frame[frame["procedure"] == "corrected"]
    minimum = Minimum(minimum_matches, minimum_units)
    families = {
        corpus: _Family(dict(zip(rows["lang"], rows["p_value"], strict=True)), minimum, confidence_level)
        for corpus, rows in frame.groupby("corpus")
    }
    rows = [
        {"corpus": corpus_names[corpus], "lang": lang} | _leave_out(path, of_lang, lang, families[corpus])
        for path, of_lang, (corpus, lang) in zip(counts, texts, units, strict=True)
    ]
    write_csv(pd.DataFrame(rows), table_csv)


def _leave_out(counts: Path, texts: Path, lang: str, family: _Family) -> dict[str, object]:
    documents = pd.factorize(read_rows(texts, columns=["doc_id"])["doc_id"].to_numpy())[0]
    table = read_rows(counts, columns=[f"corrected_{name}" for name in (*_NAMES, "matches")])
    whole = _Counts(
        *(np.bincount(documents, table[f"corrected_{name}"].to_numpy()).astype(np.int64) for name in _NAMES)
    )
    both_verdicts = family.verdicts(lang, whole.gap)
    flips: tuple[list[str], list[str]] = ([], [])
    influences: list[tuple[float, str, int, float]] = []
    for form, classes, matches in _forms(table["corrected_matches"].to_pylist(), documents):
        rest = whole.without(matches, classes)
        for found, before, after in zip(flips, both_verdicts, family.verdicts(lang, rest.gap), strict=True):
            if after != before:
                found.append(f"{form}: {after}")
        ratio = rest.masculine_per_feminine
        influences.append((_distance(whole.masculine_per_feminine, ratio), form, int(matches.sum()), ratio))
    _, form, number, ratio = max(influences, key=lambda item: (item[0], item[2]), default=(0.0, "", 0, math.nan))
    return {
        "verdict": both_verdicts[0], "forms": len(influences),
        "flipping_forms": len(flips[0]), "flips": "; ".join(flips[0]),
        "verdict_unadjusted": both_verdicts[1],
        "flipping_forms_unadjusted": len(flips[1]), "flips_unadjusted": "; ".join(flips[1]),
        "most_influential_form": form, "its_matches": number,
        "masculine_per_feminine": whole.masculine_per_feminine, "masculine_per_feminine_without": ratio,
    }  # fmt: skip


def _forms(matches: list[list[dict[str, str]]], documents: np.ndarray) -> Iterator[tuple[str, set[str], np.ndarray]]:
    """Yield each gendered form that was matched, its classes, and how often per unit; in the order of forms."""
    found: dict[tuple[str, str], list[int]] = {}
    for document, of_text in zip(documents, matches, strict=True):
        for match in of_text:
            found.setdefault((match["form"], match["classes"]), []).append(document)
    for (form, classes), where in sorted(found.items()):
        if {"feminine", "masculine"} & (of := set(classes.split())):
            yield form, of, np.bincount(where, minlength=documents.max() + 1)


def _distance(ratio: float, other: float) -> float:
    """Return how far apart two ratios are on the logarithmic scale; infinite where one of them is 0 or undefined."""
    if math.isnan(ratio):
        return 0.0
    return abs(math.log(other / ratio)) if ratio > 0 and other > 0 else math.inf
