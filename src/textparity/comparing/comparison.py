"""Corpora beside a reference: masculine per feminine of each, what differs, and which words carry it."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq

from textparity.auditing.audit import audit_sources
from textparity.auditing.inputs import TEXT, choose_sources, of_documents
from textparity.auditing.results import AuditResult, LanguageAudit
from textparity.auditing.settings import NOT_VALID, AuditSettings
from textparity.auditing.tables import Table
from textparity.comparing.rendering import render_page
from textparity.comparing.statistics import Comparison, compare_counts
from textparity.errors import InputError
from textparity.measures.statistics import TOO_FEW, adjust_by_holm, random_generator, verdict

if TYPE_CHECKING:
    import pandas as pd

# A comparison needs all forms, not the most frequent.
ALL_FORMS = 10**9
_GENDERS = ("feminine", "masculine")


@dataclass(frozen=True)
class Corpus:
    """One side of a comparison: its audit, with all forms, and the records of its texts."""

    name: str
    audit: AuditResult
    records: Path


@dataclass(frozen=True)
class WordDifference:
    """A form, its count in the reference and in the other corpus, and what it adds to the difference of the gaps.

    The gap is masculine less feminine words in percent of words; `contribution` is the form's share of the difference,
    positive towards men, and those of all forms add up to it.
    """

    word: str
    gender: str
    reference: int
    count: int
    contribution: float


@dataclass(frozen=True)
class ComparedCorpus:
    """A corpus beside the reference, in one language of each; of the reference itself, `comparison` is None.

    `counts` are those of its units, texts or documents. `unpaired` are units of both corpora that have no partner and
    are in no comparison, `left_out` texts of all languages that its audit leaves out.
    `verdict` is `masculine` where the corpus has more men for a woman than the reference, by the p-value that is
    adjusted by Holm for all comparisons; `verdict_unadjusted` goes by its own.
    """

    audit: LanguageAudit
    name: str
    counts: np.ndarray
    comparison: Comparison | None = None
    unpaired: int = 0
    left_out: int = 0
    p_value_holm: float = math.nan
    verdict: str = ""
    verdict_unadjusted: str = ""
    words: tuple[WordDifference, ...] = ()

    @property
    def row(self) -> dict[str, Any]:
        """Its columns in a table; rates and shares in percent."""
        feminine, masculine = map(int, self.counts.sum(axis=0))
        own = self.audit.masculine_per_feminine
        found: dict[str, Any] = {
            "corpus": self.name, "lang": self.audit.lang, "texts": self.audit.texts, "left_out": self.left_out,
            "units": len(self.counts), "words": self.audit.words, "feminine": feminine, "masculine": masculine,
            "masculine_per_feminine": own.value, "masculine_per_feminine_low": own.low,
            "masculine_per_feminine_high": own.high,
            "feminine_share": 100 * feminine / (feminine + masculine) if feminine + masculine else math.nan,
        }  # fmt: skip
        if (one := self.comparison) is not None:
            found |= {
                "ratio": one.ratio, "ratio_low": one.ratio_interval.low, "ratio_high": one.ratio_interval.high,
                "difference": one.difference, "difference_low": one.difference_interval.low,
                "difference_high": one.difference_interval.high, "unpaired": self.unpaired, "p_value": one.p_value,
                "p_value_holm": self.p_value_holm, "verdict": self.verdict,
                "verdict_unadjusted": self.verdict_unadjusted,
            }  # fmt: skip
        return found | {"signature": self.audit.signature}


@dataclass(frozen=True)
class ComparisonResult:
    """The corpora of a comparison, the reference first; of several languages, one after the other."""

    corpora: tuple[ComparedCorpus, ...]
    settings: AuditSettings
    unit: str
    is_paired: bool
    # Languages that not all corpora have.
    left_out: tuple[str, ...] = ()
    # Whether a line or record was skipped that is not valid.
    has_invalid: bool = False

    @property
    def table(self) -> Table:
        """One row a corpus and language; columns of the comparison are empty in rows of the reference."""
        return Table.of([one.row for one in self.corpora])

    @property
    def words_table(self) -> Table:
        """Return corpus, lang, gender, word, reference, count, contribution: what carries each difference."""
        rows = [
            (one.name, one.audit.lang, word.gender, word.word, word.reference, word.count, word.contribution)
            for one in self.corpora
            for word in one.words
        ]
        return Table(["corpus", "lang", "gender", "word", "reference", "count", "contribution"], rows)

    @property
    def frame(self) -> "pd.DataFrame":
        """The `table` as a frame of pandas."""
        return self.table.to_frame()

    @property
    def words_frame(self) -> "pd.DataFrame":
        """The `words_table` as a frame of pandas."""
        return self.words_table.to_frame()

    def to_html(self, top: int = AuditSettings.top) -> str:
        """Return a page that needs nothing else, with the `top` words of each difference."""
        return render_page(self, top)


def compare_files(
    reference: str | Path,
    *others: str | Path,
    lang: str | None = None,
    field: str | None = None,
    is_paired: bool = False,
    documents: Path | None = None,
    skip_invalid: bool = False,
    **settings: Any,
) -> ComparisonResult:
    """Compare corpora, each a file or a folder, with a reference.

    Parameters are those of `audit_files`, `audit_sources` and `compare`.
    """
    usual = AuditSettings(**settings, top=ALL_FORMS)
    with TemporaryDirectory() as folder:
        corpora = []
        chosen_sources = [choose_sources([str(path)], [lang] if lang else []) for path in (reference, *others)]
        names = _short_names(
            [
                sources[0].name if len(sources) == 1 else str(path)
                for path, (sources, _) in zip((reference, *others), chosen_sources, strict=True)
            ]
        )
        for number, (name, (sources, ignored)) in enumerate(zip(names, chosen_sources, strict=True)):
            records = Path(folder) / f"{number}.parquet"
            sources, chosen = of_documents(sources, documents, usual)
            result = audit_sources(sources, chosen, field, skip_invalid=skip_invalid, ignored=ignored, records=records)
            corpora.append(Corpus(name, result, records))
        return compare(corpora, is_paired)


def _short_names(paths: Sequence[str]) -> list[str]:
    """Return the last parts of paths, or the paths if two have the same."""
    names = [Path(path).name for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def compare(corpora: Sequence[Corpus], is_paired: bool = False) -> ComparisonResult:
    """Compare corpora with the first of them.

    `is_paired`: texts of the same line or record of two files are a pair, such as a sentence and its translation. Where
    each corpus has one language, these are compared, whichever they are; else each language that all have. Raises
    `InputError`.
    """
    settings = corpora[0].audit.settings
    if is_paired and any(corpus.audit.files != 1 for corpus in corpora):
        raise InputError("texts are told by their line, so a corpus of a paired comparison is one file")
    langs = [[item.lang for item in corpus.audit] for corpus in corpora]
    for corpus in corpora:
        if not corpus.audit.words:
            raise InputError(f"{corpus.name}: nothing was counted; textparity audit {corpus.name} says why")
    if all(len(found) == 1 for found in langs):
        groups = [[found[0] for found in langs]]
    else:
        groups = [[lang] * len(corpora) for lang in langs[0] if all(lang in found for found in langs)]
    if not groups:
        raise InputError("there is no language that all corpora have; say it with --lang")
    compared = {lang for group in groups for lang in group}
    left_out = tuple(dict.fromkeys(lang for found in langs for lang in found if lang not in compared))
    rows: list[ComparedCorpus] = []
    for group in groups:
        units = [_read_units(corpus, lang) for corpus, lang in zip(corpora, group, strict=True)]
        audits = [corpus.audit[lang] for corpus, lang in zip(corpora, group, strict=True)]
        reference = _describe(corpora[0], audits[0], units[0][1])
        rows.append(reference)
        rows += [
            _compare(reference, corpus, audit, units[0], unit, is_paired, settings)
            for corpus, audit, unit in zip(corpora[1:], audits[1:], units[1:], strict=True)
        ]
    units_of = {corpus.audit.unit for corpus in corpora}
    unit = units_of.pop() if len(units_of) == 1 else TEXT
    has_invalid = any(NOT_VALID in corpus.audit.left_out for corpus in corpora)
    return ComparisonResult(tuple(_decide(rows, settings)), settings, unit, is_paired, left_out, has_invalid)


def _read_units(corpus: Corpus, lang: str) -> tuple[list[int], np.ndarray]:
    """Return the places of texts, and feminine and masculine words of each, shape (texts, 2)."""
    table = pq.read_table(corpus.records, columns=["place", *_GENDERS], filters=[("lang", "=", lang)])
    places = table["place"].to_numpy()
    return places.tolist(), np.column_stack([table[name].to_numpy() for name in _GENDERS])


def _describe(corpus: Corpus, audit: LanguageAudit, counts: np.ndarray) -> ComparedCorpus:
    return ComparedCorpus(audit, corpus.name, counts, left_out=sum(corpus.audit.left_out.values()))


def _compare(
    reference: ComparedCorpus,
    corpus: Corpus,
    audit: LanguageAudit,
    reference_units: tuple[list[int], np.ndarray],
    units: tuple[list[int], np.ndarray],
    is_paired: bool,
    settings: AuditSettings,
) -> ComparedCorpus:
    described = _describe(corpus, audit, units[1])
    one, other, unpaired = reference_units[1], units[1], 0
    if is_paired:
        places = {key: place for place, key in enumerate(units[0])}
        pairs = [(place, places[key]) for place, key in enumerate(reference_units[0]) if key in places]
        if not pairs:
            raise InputError(f"{corpus.name}: no text has a partner in {reference.name}")
        unpaired = len(one) + len(other) - 2 * len(pairs)
        of_reference, of_other = (list(column) for column in zip(*pairs, strict=True))
        one, other = one[of_reference], other[of_other]
    generator = random_generator(settings.seed, "compare", reference.name, corpus.name, audit.lang)
    found = compare_counts(one, other, is_paired, settings.resamples, settings.confidence_level, generator)
    if not all(_is_enough(counts, settings) for counts in (one, other)):
        found = replace(found, p_value=math.nan)
    return replace(described, comparison=found, unpaired=unpaired, words=tuple(compare_words(reference.audit, audit)))


def _is_enough(counts: np.ndarray, settings: AuditSettings) -> bool:
    per_unit = counts.sum(axis=1)
    return bool(per_unit.sum() >= settings.minimum_matches and (per_unit > 0).sum() >= settings.minimum_units)


def compare_words(reference: LanguageAudit, other: LanguageAudit) -> list[WordDifference]:
    """Return the forms of both corpora by how much they add to the difference of the gaps, largest first."""
    forms: list[Counter[tuple[str, str]]] = [
        Counter({(gender, found.word): found.count for gender in _GENDERS for found in audit.frequent_words[gender]})
        for audit in (reference, other)
    ]
    words = [max(audit.words, 1) for audit in (reference, other)]
    rows = [
        WordDifference(
            word, gender, forms[0][gender, word], forms[1][gender, word],
            (1 if gender == "masculine" else -1)
            * 100 * (forms[1][gender, word] / words[1] - forms[0][gender, word] / words[0]),
        )
        for gender, word in dict.fromkeys([*forms[0], *forms[1]])
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-abs(row.contribution), row.gender, row.word))


def _decide(rows: list[ComparedCorpus], settings: AuditSettings) -> list[ComparedCorpus]:
    """Return rows with their verdicts; all comparisons are one family of tests."""
    p_values = [math.nan if row.comparison is None else row.comparison.p_value for row in rows]
    decided = []
    for row, own, adjusted in zip(rows, p_values, adjust_by_holm(p_values), strict=True):
        if row.comparison is None:
            decided.append(row)
            continue
        towards = row.comparison.ratio - 1
        verdicts = [
            TOO_FEW if math.isnan(towards) else verdict(towards, p_value, settings.confidence_level)
            for p_value in (adjusted, own)
        ]
        decided.append(replace(row, p_value_holm=adjusted, verdict=verdicts[0], verdict_unadjusted=verdicts[1]))
    return decided
