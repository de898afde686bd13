"""Compare corpora with a reference: masculine per feminine of each, the differences, and the words that cause them."""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from textparity.auditing.audit import audit_sources
from textparity.auditing.counting import ReadingOptions
from textparity.auditing.formats import check_encoding, number_of
from textparity.auditing.gates import ComparedTexts
from textparity.auditing.inputs import TEXT, Texts, choose_sources, join_by_document
from textparity.auditing.records import DIGEST, Table
from textparity.auditing.reliability import KIN_NOUNS_ONLY
from textparity.auditing.results import AuditData, LanguageAudit
from textparity.auditing.settings import NOT_VALID, AuditSettings
from textparity.comparing.conditions import INDEPENDENT, PAIRED, PART
from textparity.comparing.rendering import render_page
from textparity.comparing.statistics import Comparison, compare_counts, compare_part
from textparity.corpora.reading import read_rows
from textparity.counting.resampling import random_generator
from textparity.counting.statistics import (
    MINIMUM_UNITS,
    NO_CLEAR_DIFFERENCE,
    Estimate,
    adjust_by_holm,
    difference_interval,
    verdict,
)
from textparity.errors import InputError, NothingCountedError
from textparity.files import writable

if TYPE_CHECKING:
    import pandas as pd


class TextsRead:
    """The places of all texts and records of a corpus, by file, whether they are counted or left out."""

    def __init__(self) -> None:
        self._places: dict[str, array[int]] = {}
        self._records: dict[str, array[int]] = {}

    def add(self, file: str, portion: Texts) -> None:
        """Add texts of a file. Portions have to come in order."""
        self._places.setdefault(file, array("q")).extend(portion.places)

    def add_record(self, file: str, place: int) -> None:
        """Add a record, even if it has no text. Records have to come in order."""
        self._records.setdefault(file, array("q")).append(place)

    def count_records(self, skipped: int) -> int:
        """Count the records, or lines, of a corpus that consists of one file. `skipped` is the number of those skipped.

        Raises `InputError` if a record has several texts.
        """
        ((file, places),) = self._places.items()
        found = np.array(places)
        if len(twice := found[1:][np.diff(found) == 0]):
            raise InputError(
                f"{file}, {twice[0]}: has several texts, but a pair consists of one text each; split the record"
            )
        return len(self._records[file]) if file in self._records else len(found) + skipped

    def numbers_of(self, places: np.ndarray) -> np.ndarray:
        """Convert `places` in a corpus of one file to the numbers of records. The place of a line is its number."""
        (file,) = self._places
        return np.searchsorted(np.array(self._records[file]), places) + 1 if file in self._records else places


def in_common(digests: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Mark the `digests` that are among `others`. Repeated ones are marked only as often as they occur there."""
    order = np.argsort(digests, kind="stable")
    ordered, others = digests[order], np.sort(others)
    # How many equal digests come before each one, and how many there are in the other corpus.
    earlier = np.arange(len(ordered)) - np.searchsorted(ordered, ordered, "left")
    available = np.searchsorted(others, ordered, "right") - np.searchsorted(others, ordered, "left")
    found = np.zeros(len(digests), bool)
    found[order] = earlier < available
    return found


# A comparison needs all forms rather than only the most frequent.
ALL_FORMS = 10**9
_GENDERS = ("feminine", "masculine")


@dataclass(frozen=True)
class Corpus:
    """One side of a comparison: its audit with all forms, the records of its texts, and the texts that were read."""

    name: str
    audit: AuditData
    records: Path
    read: TextsRead


class Units(NamedTuple):
    """Texts of one language: place, number of words, feminine and masculine words, and digest of each."""

    places: np.ndarray
    words: np.ndarray
    counts: np.ndarray
    digests: np.ndarray

    @property
    def with_words(self) -> "Units":
        """The texts that have words."""
        has_words = self.words > 0
        if has_words.all():
            return self
        return Units(*(column[has_words] for column in self))


class Overlap(NamedTuple):
    """The number of texts with words that two corpora share, and those of the reference and of the other corpus."""

    shared: int
    reference: int
    other: int

    @property
    def is_part(self) -> bool:
        """Whether one corpus contains all texts of the other, for instance because a filter removed some."""
        return self.shared == min(self.reference, self.other)


@dataclass(frozen=True)
class WordDifference:
    """A form, its counts in the reference and in the other corpus, and its contribution to the difference of the gaps.

    The gap is masculine minus feminine words in percent of words. `contribution` is the form's share of the difference,
    positive towards men. The contributions of all forms add up to the difference.
    """

    word: str
    gender: str
    reference: int
    count: int
    contribution: float


@dataclass(frozen=True)
class ComparedCorpus:
    """A corpus compared with the reference, in one language of each. For the reference itself, `comparison` is None.

    `counts` are those of its units, texts or documents. `unpaired` is the number of units in both corpora without a
    partner. `left_out` is the number of texts, in all languages, that its audit leaves out. `overlap` is set for two
    corpora that are not paired. `verdict` is `masculine` if the corpus has more men per woman than the reference. It is
    based on the p-value adjusted by Holm for all comparisons, `verdict_unadjusted` on the unadjusted one.
    """

    audit: LanguageAudit
    name: str
    counts: np.ndarray
    comparison: Comparison | None = None
    unpaired: int = 0
    left_out: int = 0
    overlap: Overlap | None = None
    p_value_holm: float = math.nan
    verdict: str = ""
    verdict_unadjusted: str = ""
    words: tuple[WordDifference, ...] = ()

    @property
    def differing_words(self) -> tuple[WordDifference, ...]:
        """The words that contribute to the difference."""
        return tuple(word for word in self.words if word.contribution)

    @property
    def design(self) -> str:
        """The assumed relation of the corpora: `independent`, `paired`, or one as a `part` of the other."""
        if self.overlap is None:
            return PAIRED
        return PART if self.overlap.is_part else INDEPENDENT

    @property
    def row(self) -> dict[str, Any]:
        """Its columns in a table. Rates and shares are in percent."""
        feminine, masculine = map(int, self.counts.sum(axis=0))
        share, own = self.audit.women_share, self.audit.masculine_per_feminine
        found: dict[str, Any] = {
            "corpus": self.name, "lang": self.audit.lang, "texts": self.audit.texts, "left_out": self.left_out,
            "units": len(self.counts), "words": self.audit.words, "feminine": feminine, "masculine": masculine,
            **share.columns("women_share"), **own.columns("masculine_per_feminine"),
        }  # fmt: skip
        if (one := self.comparison) is not None:
            found |= {
                **one.ratio.columns("ratio"), **one.difference.columns("difference"), "design": self.design,
                "shared": self.overlap.shared if self.overlap else math.nan, "unpaired": self.unpaired,
                "p_value": one.p_value, "p_value_holm": self.p_value_holm, "verdict": self.verdict,
                "verdict_unadjusted": self.verdict_unadjusted,
            }  # fmt: skip
        return found | {"signature": self.audit.signature}


@dataclass(frozen=True)
class ComparisonResult:
    """The corpora of a comparison, the reference first. If there are several languages, they follow one another."""

    corpora: tuple[ComparedCorpus, ...]
    settings: AuditSettings
    unit: str
    is_paired: bool
    # Languages that some of the corpora lack.
    left_out: tuple[str, ...] = ()
    # The warnings of the audits about their files.
    warnings: tuple[str, ...] = ()
    # Whether an invalid line or record was skipped.
    has_invalid: bool = False

    @property
    def table(self) -> Table:
        """One row per corpus and language. The columns of the comparison are empty in rows of the reference."""
        return Table.of([one.row for one in self.corpora])

    @property
    def words_table(self) -> Table:
        """Make a table of the words behind each difference: corpus, lang, gender, word, both counts, contribution."""
        return self.top_words_table(ALL_FORMS)

    def top_words_table(self, top: int) -> Table:
        """Make the same table of the `top` words of each difference."""
        rows = [
            (one.name, one.audit.lang, word.gender, word.word, word.reference, word.count, word.contribution)
            for one in self.corpora
            for word in one.words[:top]
        ]
        return Table(["corpus", "lang", "gender", "word", "reference", "count", "contribution"], rows)

    @property
    def frame(self) -> "pd.DataFrame":
        """The `table` as a pandas frame."""
        return self.table.to_frame()

    @property
    def words_frame(self) -> "pd.DataFrame":
        """The `words_table` as a pandas frame."""
        return self.words_table.to_frame()

    def to_html(self, top: int = AuditSettings.top) -> str:
        """Render a page that needs no other file, with the `top` words of each difference."""
        return render_page(self, top)


def compare_files(
    reference: str | Path,
    *others: str | Path,
    lang: str | None = None,
    field: str | None = None,
    is_paired: bool = False,
    documents: Path | None = None,
    skip_invalid: bool = False,
    format: str | None = None,
    encoding: str = "",
    delimiter: str = "",
    **settings: Any,
) -> ComparisonResult:
    """Compare corpora, each a file or a folder, with a reference.

    Parameters are those of `audit_files`, `audit_sources`, `compare` and `InputFile`.
    """
    usual = AuditSettings.of(settings | {"top": ALL_FORMS})
    encoding = check_encoding(encoding) if encoding else ""
    paths = [str(path) for path in (reference, *others)]
    chosen_sources = [choose_sources([path], [lang] if lang else [], format, usual.lexicon_folder) for path in paths]
    single = [
        files[0].name if len(files) == 1 else path for path, (files, _) in zip(paths, chosen_sources, strict=True)
    ]
    # Paths are shortened to their last parts, unless two of these are equal.
    short = [Path(path).name for path in single]
    names = map(writable, short if len(set(short)) == len(short) else single)
    corpora = []
    with TemporaryDirectory() as folder:
        for number, (name, (sources, ignored)) in enumerate(zip(names, chosen_sources, strict=True)):
            records = Path(folder) / f"{number}.parquet"
            sources = [replace(source, encoding=encoding, delimiter=delimiter) for source in sources]
            sources, chosen = join_by_document(sources, documents, usual)
            read = TextsRead()
            options = ReadingOptions(field, skip_invalid=skip_invalid, on_texts=read.add, on_record=read.add_record)
            result = audit_sources(sources, chosen, options, ignored, records=records)
            corpora.append(Corpus(name, result, records, read))
        return compare(corpora, is_paired)


def compare(corpora: Sequence[Corpus], is_paired: bool = False) -> ComparisonResult:
    """Compare corpora with the first of them.

    `is_paired`: texts on the same line or record of two files are a pair, such as a sentence and its translation. If
    each corpus has one language, these are compared, even if they differ; otherwise, each language that all corpora
    have is compared. If one of two corpora contains all texts of the other, the smaller one is treated as a part.
    Raises `InputError`.
    """
    settings = corpora[0].audit.settings
    if is_paired and any(corpus.audit.files != 1 for corpus in corpora):
        raise InputError("pairs are matched by line, so a corpus of a paired comparison must be one file")
    langs = [[item.lang for item in corpus.audit] for corpus in corpora]
    for corpus in corpora:
        if not corpus.audit.words:
            raise NothingCountedError(f"{corpus.name}: nothing was counted; textparity audit {corpus.name} shows why")
    if all(len(found) == 1 for found in langs):
        groups = [[found[0] for found in langs]]
    else:
        groups = [[lang] * len(corpora) for lang in langs[0] if all(lang in found for found in langs)]
    if not groups:
        raise InputError("the corpora have no language in common; set it with --lang")
    compared = {lang for group in groups for lang in group}
    left_out = tuple(dict.fromkeys(lang for found in langs for lang in found if lang not in compared))
    rows: list[ComparedCorpus] = []
    for group in groups:
        units = [_read_units(corpus.records, lang) for corpus, lang in zip(corpora, group, strict=True)]
        if is_paired:
            units = _in_step(corpora, units)
        reference, *others = (
            ComparedCorpus(corpus.audit[lang], corpus.name, unit.counts, left_out=sum(corpus.audit.left_out.values()))
            for corpus, lang, unit in zip(corpora, group, units, strict=True)
        )
        rows.append(reference)
        rows += [
            _compare(reference, other, (corpora[0], corpus), (units[0], unit), is_paired)
            for other, corpus, unit in zip(others, corpora[1:], units[1:], strict=True)
        ]
    units_of = {corpus.audit.unit for corpus in corpora}
    unit = units_of.pop() if len(units_of) == 1 else TEXT
    has_invalid = any(NOT_VALID in corpus.audit.left_out for corpus in corpora)
    warnings = tuple(dict.fromkeys(warning for corpus in corpora for warning in corpus.audit.warnings))
    return ComparisonResult(tuple(_decide(rows, settings)), settings, unit, is_paired, left_out, warnings, has_invalid)


def compare_records(reference: Path, other: Path, lang: str, corpus: str, settings: AuditSettings) -> ComparedTexts:
    """Compare the texts of a language in two files of records, of all corpora or of one.

    The difference is that of `compare`, and is computed only if one file contains all texts of the other.
    """
    before, now = (_read_units(path, lang, corpus) for path in (reference, other))
    overlap = find_overlap(before, now)
    texts = ComparedTexts(overlap.reference, overlap.other, overlap.shared)
    if not texts.is_part:
        return texts
    generator = random_generator(settings.seed, "compare", lang)
    found = _compare_part(before, now, overlap, settings, generator)
    found = _require_evidence(found, before.counts, now.counts, settings)
    return replace(texts, difference=found.difference, p_value=found.p_value)


def _read_units(records: Path, lang: str, corpus: str = "") -> Units:
    columns = ["lang", "corpus", "place", "words", *_GENDERS, DIGEST]
    where = pc.field("lang") == lang
    if corpus:
        where &= pc.field("corpus") == corpus
    table = read_rows(records, columns, where)
    places, words, *counts, digests = (table[name].to_numpy() for name in columns[2:])
    return Units(places, words, np.column_stack(counts), digests)


def _in_step(corpora: Sequence[Corpus], units: Sequence[Units]) -> list[Units]:
    """Convert places to the numbers of records. Raises `InputError` if the corpora have different numbers of records.

    A record without a text, or an invalid one, has a number, too, so that no pair is shifted.
    """
    numbers = [corpus.read.count_records(corpus.audit.left_out.get(NOT_VALID, 0)) for corpus in corpora]
    for corpus, number in zip(corpora, numbers, strict=True):
        if number != numbers[0]:
            raise InputError(
                f"{corpus.name}: has {number_of(number, corpus.audit.unit)}, {corpora[0].name} {numbers[0]:,}, so "
                "the pairs are unknown; give files with the same number, or remove --paired: texts that two corpora "
                "have in common are found without it"
            )
    return [one._replace(places=corpus.read.numbers_of(one.places)) for corpus, one in zip(corpora, units, strict=True)]


def _compare(
    reference: ComparedCorpus,
    described: ComparedCorpus,
    corpora: tuple[Corpus, Corpus],
    units: tuple[Units, Units],
    is_paired: bool,
) -> ComparedCorpus:
    settings, audit = corpora[0].audit.settings, described.audit
    one, other = reference.counts, described.counts
    # The names of the corpora are no part of the seed, so that renaming a file changes nothing.
    generator = random_generator(settings.seed, "compare", audit.lang)
    draws = settings.resamples, settings.confidence_level, generator
    unpaired, overlap = 0, None
    if is_paired:
        _, of_reference, of_other = np.intersect1d(units[0].places, units[1].places, True, return_indices=True)
        if not len(of_reference):
            raise InputError(f"{described.name}: no text has a partner in {reference.name}")
        unpaired = len(one) + len(other) - 2 * len(of_reference)
        one, other = one[of_reference], other[of_other]
        found = compare_counts(one, other, True, *draws)
    else:
        overlap = find_overlap(*units, reference.audit.lang == audit.lang)
        if overlap.is_part:
            found = _compare_part(*units, overlap, settings, generator)
        else:
            found = compare_counts(one, other, False, *draws)
    found = _require_evidence(found, one, other, settings)
    if _sees_too_little(reference.audit, audit):
        found = replace(found, p_value=math.nan)
    words = tuple(compare_words(reference.audit, audit))
    return replace(described, comparison=found, unpaired=unpaired, overlap=overlap, words=words)


def find_overlap(reference: Units, other: Units, may_share: bool = True) -> Overlap:
    """Count the texts with words of two corpora, and those that both have. All blank texts would be equal.

    Corpora of two languages share none, so they `may_share` nothing.
    """
    digests = [units.with_words.digests for units in (reference, other)]
    shared = int(in_common(*digests).sum()) if may_share else 0
    return Overlap(shared, *map(len, digests))


def _compare_part(
    reference: Units, other: Units, overlap: Overlap, settings: AuditSettings, generator: np.random.Generator
) -> Comparison:
    """Compare two corpora of which one contains all texts of the other."""
    is_reference_part = overlap.shared < overlap.other
    whole, part = (other, reference) if is_reference_part else (reference, other)
    whole, part = whole.with_words, part.with_words
    is_kept = in_common(whole.digests, part.digests)
    draws = settings.resamples, settings.confidence_level, generator
    return compare_part(whole.counts, is_kept, is_reference_part, *draws)


def _require_evidence(found: Comparison, one: np.ndarray, other: np.ndarray, settings: AuditSettings) -> Comparison:
    """Remove the p-value, and the intervals, of corpora with too few gendered words or texts with one."""
    matched_units = min(int((counts.sum(axis=1) > 0).sum()) for counts in (one, other))
    if min(one.sum(), other.sum()) < settings.minimum_matches or matched_units < settings.minimum_units:
        found = replace(found, p_value=math.nan)
    if matched_units < MINIMUM_UNITS:
        found = replace(found, ratio=Estimate(found.ratio.value), difference=Estimate(found.difference.value))
    return found


def compare_words(reference: LanguageAudit, other: LanguageAudit) -> list[WordDifference]:
    """List the forms of both corpora by their contribution to the difference of the gaps, largest first."""
    forms: list[Counter[tuple[str, str]]] = [
        Counter({(gender, found.word): found.count for gender in _GENDERS for found in audit.frequent_words[gender]})
        for audit in (reference, other)
    ]
    words = [max(audit.words, 1) for audit in (reference, other)]
    rows = []
    for gender, word in dict.fromkeys([*forms[0], *forms[1]]):
        counts = [of_corpus[gender, word] for of_corpus in forms]
        added = 100 * (counts[1] / words[1] - counts[0] / words[0])
        towards_men = added if gender == "masculine" else -added
        rows.append(WordDifference(word, gender, counts[0], counts[1], towards_men))
    return sorted(rows, key=lambda row: (-abs(row.contribution), row.gender, row.word))


def _decide(rows: list[ComparedCorpus], settings: AuditSettings) -> list[ComparedCorpus]:
    """Add verdicts to the rows, each reference before the rows compared with it. All form one family of tests."""
    adjusted = adjust_by_holm([row.comparison.p_value if row.comparison else math.nan for row in rows])
    decided = []
    reference = rows[0]
    for row, p_value in zip(rows, adjusted, strict=True):
        if row.comparison is None:
            reference = row
        else:
            towards_men = -row.comparison.difference.value
            adjusted_verdict, own_verdict = (
                verdict(towards_men, one, settings.confidence_level) for one in (p_value, row.comparison.p_value)
            )
            if _errors_explain(reference.audit, row.audit):
                adjusted_verdict, own_verdict = (
                    NO_CLEAR_DIFFERENCE if one in _GENDERS else one for one in (adjusted_verdict, own_verdict)
                )
            if _sees_too_little(reference.audit, row.audit):
                adjusted_verdict = own_verdict = ""
            row = replace(row, p_value_holm=p_value, verdict=adjusted_verdict, verdict_unadjusted=own_verdict)
        decided.append(row)
    return decided


def _sees_too_little(reference: LanguageAudit, other: LanguageAudit) -> bool:
    """Check whether the method sees too few persons in one of two languages to compare them."""
    grades = (reference.grade.name, other.grade.name)
    return reference.lang != other.lang and KIN_NOUNS_ONLY in grades


def _errors_explain(reference: LanguageAudit, other: LanguageAudit) -> bool:
    """Check whether the method's errors in two languages could explain the difference. In one language, they cancel."""
    if reference.lang == other.lang:
        return False
    difference = difference_interval(other.women_share_with_error, reference.women_share_with_error)
    return difference.low <= 0 <= difference.high
