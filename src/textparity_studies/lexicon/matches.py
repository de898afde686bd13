"""Analyse single matches: effects of each fix, verdicts that depend on one form, differences between languages."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import CLASSES, GENDERS
from textparity.errors import InputError
from textparity.estimating.estimates import percentage
from textparity.estimating.gaps import EvidenceThreshold, GenderGap, verdict
from textparity.estimating.hypothesis_tests import adjust_by_holm

_COUNTS = [f"corrected_{name}" for name in CLASSES]
_NAMES = ("words", "feminine", "masculine", "feminine_and_masculine")


@dataclass(frozen=True)
class CountedTexts:
    """Hold the texts of one language of a corpus, and their counts."""

    corpus: str
    lang: str
    counts: Path
    texts: Path

    @classmethod
    def of(cls, counts: Path, texts: Path) -> "CountedTexts":
        """Pair the two files, identified by the metadata of `counts`."""
        metadata = read_metadata(counts)
        return cls(metadata["corpus"], metadata["lang"], counts, texts)


def measure_fixes(counts: Path) -> dict[str, float]:
    """Measure the effect of each fix of the corrected procedure in one counts file.

    Rates are in percent of words: `published`, `without_signs` (published, without matches of forms that have no
    letter, such as "-"), and `corrected`. `sign_matches` are those matches, and `multi_word_matches_*` those of forms
    that contain white space.
    """
    words, matches = {}, {}
    for procedure in ("published", "corrected"):
        table = read_rows(counts, columns=[f"{procedure}_words", f"{procedure}_matches"])
        words[procedure] = int(table[f"{procedure}_words"].to_numpy().sum())
        found = (match for of_text in table[f"{procedure}_matches"].to_pylist() for match in of_text)
        matches[procedure] = Counter((match["form"], match["classes"]) for match in found)
    signs = Counter({key: number for key, number in matches["published"].items() if not any(map(str.isalpha, key[0]))})
    row: dict[str, float] = {f"words_{procedure}": words[procedure] for procedure in words}
    row["sign_matches"] = signs.total()
    row |= {
        f"multi_word_matches_{procedure}": sum(number for (form, _), number in found.items() if len(form.split()) > 1)
        for procedure, found in matches.items()
    }
    steps = {
        "published": (matches["published"], words["published"]),
        "without_signs": (matches["published"] - signs, words["published"]),
        "corrected": (matches["corrected"], words["corrected"]),
    }
    for gender in GENDERS:
        for step, (counted, of) in steps.items():
            number = sum(number for (_, classes), number in counted.items() if gender in classes.split())
            row[f"{gender}_percent_{step}"] = percentage(number, of)
    return row


@dataclass(frozen=True)
class _Counts:
    """Hold counts per unit of resampling; `both` are words of both genders."""

    words: np.ndarray
    feminine: np.ndarray
    masculine: np.ndarray
    both: np.ndarray

    def without(self, matches: np.ndarray, classes: set[str]) -> "_Counts":
        """Subtract this many matches per unit of a form with these classes; its words still count as words."""
        return _Counts(
            self.words,
            self.feminine - matches * ("feminine" in classes),
            self.masculine - matches * ("masculine" in classes),
            self.both - matches * ({"feminine", "masculine"} <= classes),
        )

    @cached_property
    def gap(self) -> GenderGap:
        return GenderGap.of(self.words, self.feminine, self.masculine, self.both)

    @property
    def masculine_per_feminine(self) -> float:
        feminine = int(self.feminine.sum())
        return int(self.masculine.sum()) / feminine if feminine else math.nan


@dataclass(frozen=True)
class _Family:
    """Hold the p-values of one corpus' languages, which are adjusted for each other."""

    p_values: dict[str, float]
    minimum: EvidenceThreshold
    confidence_level: float

    def verdicts(self, lang: str, gap: GenderGap) -> tuple[str, str]:
        """Return the verdict on a language with this gap, adjusted for the other languages, and unadjusted."""
        p_value = gap.p_value if self.minimum.is_met(gap) else math.nan
        family = self.p_values | {lang: p_value}
        adjusted = dict(zip(family, adjust_by_holm(list(family.values())), strict=True))
        return (
            verdict(gap.difference, adjusted[lang], self.confidence_level),
            verdict(gap.difference, p_value, self.confidence_level),
        )


def leave_one_form_out(
    counted: list[CountedTexts], summaries: pd.DataFrame, confidence_level: float, minimum: EvidenceThreshold
) -> Iterator[dict[str, object]]:
    """Measure the influence of single forms per corpus and language: exclude each in turn (corrected procedure).

    An excluded form is not found, and shorter forms inside it are not searched for. `flips` are the forms whose
    exclusion changes the verdict, with the new verdict; `flips_unadjusted` those that change the unadjusted one. The
    most influential form is the one with the largest effect on masculine per feminine, by its logarithm.
    """
    frame = summaries[summaries["procedure"] == "corrected"]
    families = {
        corpus: _Family(dict(zip(rows["lang"], rows["p_value"], strict=True)), minimum, confidence_level)
        for corpus, rows in frame.groupby("corpus")
    }
    for item in counted:
        yield _leave_out(item, families[item.corpus])


def _leave_out(item: CountedTexts, family: _Family) -> dict[str, object]:
    table = read_rows(item.counts, columns=["doc_id", *(f"corrected_{name}" for name in (*_NAMES, "matches"))])
    documents = pd.factorize(table["doc_id"].to_numpy())[0]
    whole = _Counts(
        *(np.bincount(documents, table[f"corrected_{name}"].to_numpy()).astype(np.int64) for name in _NAMES)
    )
    both_verdicts = family.verdicts(item.lang, whole.gap)
    flips: tuple[list[str], list[str]] = ([], [])
    influences: list[tuple[float, str, int, float]] = []
    for form, classes, matches in _forms(table["corrected_matches"].to_pylist(), documents):
        rest = whole.without(matches, classes)
        for found, before, after in zip(flips, both_verdicts, family.verdicts(item.lang, rest.gap), strict=True):
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
    """Iterate over the gendered forms that were matched, in order, with their classes and counts per unit."""
    found: dict[tuple[str, str], list[int]] = {}
    for document, of_text in zip(documents, matches, strict=True):
        for match in of_text:
            found.setdefault((match["form"], match["classes"]), []).append(document)
    for (form, classes), where in sorted(found.items()):
        if {"feminine", "masculine"} & (of := set(classes.split())):
            yield form, of, np.bincount(where, minlength=documents.max() + 1)


def _distance(ratio: float, other: float) -> float:
    """Compute the distance of two ratios on the logarithmic scale; infinite if one of them is 0 or undefined."""
    if math.isnan(ratio):
        return 0.0
    return abs(math.log(other / ratio)) if ratio > 0 and other > 0 else math.inf


def list_divergences(items: list[CountedTexts], pivot: CountedTexts, rows: int | None = None) -> Iterator[pd.DataFrame]:
    """List, by language, the texts whose corrected counts differ from the pivot's (§5.2, Table 2, by hand there).

    `gender_difference` sums the differences of feminine and masculine and ranks the list, the largest first;
    `difference` adds unspecified and breaks ties. Matched forms are in text order. There are at most `rows` rows (all,
    if it is None).
    """
    theirs = _read_matches(pivot)
    for item in items:
        ours = _read_matches(item)
        if not ours.index.equals(theirs.index):
            raise InputError(
                f"{item.texts} and {pivot.texts} are not parallel: {len(ours)} and {len(theirs)} texts with differing "
                "ids; empty `parallel_to` in resources/registry/corpora.tsv, or repair the files"
            )
        table = ours.join(theirs)
        by_class = {name: (table[f"{name}_{item.lang}"] - table[f"{name}_{pivot.lang}"]).abs() for name in CLASSES}
        table.insert(0, "gender_difference", by_class["feminine"] + by_class["masculine"])
        table.insert(1, "difference", table["gender_difference"] + by_class["unspecified"])
        table = table[table["difference"] > 0].reset_index()
        table = table.sort_values(["gender_difference", "difference", "id"], ascending=[False, False, True])
        yield table.head(rows) if rows else table


def _read_matches(item: CountedTexts) -> pd.DataFrame:
    table = read_rows(item.counts, columns=["id", *_COUNTS, "corrected_matches"]).to_pandas()
    table["matched_forms"] = [
        "; ".join(f"{match['form']} ({match['classes']})" for match in matches)
        for matches in table.pop("corrected_matches")
    ]
    table = table.rename(columns=dict(zip(_COUNTS, CLASSES, strict=True)))
    table["text"] = read_rows(item.texts, columns=["text"])["text"].to_pylist()
    return table.set_index("id").add_suffix(f"_{item.lang}")
