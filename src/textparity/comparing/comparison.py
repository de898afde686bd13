"""Compare corpora with a reference: masculine per feminine of each, the differences, and the words that cause them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from textparity.auditing.audit import audit_sources
from textparity.auditing.counting import ReadingOptions
from textparity.auditing.formats import check_encoding
from textparity.auditing.gates import ComparedTexts
from textparity.auditing.inputs import TEXT, choose_sources, join_by_document
from textparity.auditing.reliability import KIN_NOUNS_ONLY
from textparity.auditing.results import LanguageAudit
from textparity.auditing.settings import NOT_VALID, AuditSettings
from textparity.comparing.rendering import render_page
from textparity.comparing.results import ALL_FORMS, ComparedCorpus, ComparisonData, Overlap, WordDifference
from textparity.comparing.texts import (
    Corpus,
    TextsRead,
    Units,
    find_overlap,
    in_common,
    match_places,
    place_by_record,
    read_units,
)
from textparity.errors import InputError, NothingCountedError
from textparity.estimating.comparisons import Comparison, compare_counts, compare_part
from textparity.estimating.estimates import MINIMUM_UNITS, Estimate
from textparity.estimating.gaps import NO_CLEAR_DIFFERENCE, verdict
from textparity.estimating.hypothesis_tests import adjust_by_holm
from textparity.estimating.intervals import difference_interval
from textparity.estimating.seeds import random_generator
from textparity.files import writable

_GENDERS = ("feminine", "masculine")


class ComparisonResult(ComparisonData):
    """A comparison that can show itself."""

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
    chosen = AuditSettings.of(settings | {"top": ALL_FORMS})
    encoding = check_encoding(encoding) if encoding else ""
    paths = [str(path) for path in (reference, *others)]
    langs = [lang] if lang else []
    chosen_sources = [choose_sources([path], langs, format, chosen.lexicon_folder) for path in paths]
    full_names = []
    for path, (sources, _) in zip(paths, chosen_sources, strict=True):
        full_names.append(sources[0].name if len(sources) == 1 else path)
    corpora: list[Corpus] = []
    with TemporaryDirectory() as folder:
        for name, (sources, ignored) in zip(_shorten(full_names), chosen_sources, strict=True):
            records = Path(folder) / f"{len(corpora)}.parquet"
            sources = [replace(source, encoding=encoding, delimiter=delimiter) for source in sources]
            joined, own_settings = join_by_document(sources, documents, chosen)
            read = TextsRead()
            options = ReadingOptions(field, skip_invalid=skip_invalid, on_texts=read.add, on_record=read.add_record)
            audit = audit_sources(joined, own_settings, options, ignored, records=records)
            corpora.append(Corpus(name, audit, records, read))
        return compare(corpora, is_paired)


def _shorten(paths: Sequence[str]) -> list[str]:
    """Name corpora by the last parts of their paths, unless two of these are equal."""
    last_parts = [Path(path).name for path in paths]
    are_unique = len(set(last_parts)) == len(last_parts)
    return list(map(writable, last_parts if are_unique else paths))


def compare(corpora: Sequence[Corpus], is_paired: bool = False) -> ComparisonResult:
    """Compare corpora with the first of them.

    `is_paired`: texts on the same line or record of two files are a pair, such as a sentence and its translation. If
    each corpus has one language, these are compared, even if they differ; otherwise, each language that all corpora
    have is compared. If one of two corpora contains all texts of the other, the smaller one is treated as a part.
    Raises `InputError`.
    """
    if is_paired and any(corpus.audit.files != 1 for corpus in corpora):
        raise InputError("pairs are matched by line, so a corpus of a paired comparison must be one file")
    langs_by_corpus: list[list[str]] = []
    warnings: dict[str, None] = {}
    for corpus in corpora:
        if not corpus.audit.words:
            raise NothingCountedError(f"{corpus.name}: nothing was counted; textparity audit {corpus.name} shows why")
        langs_by_corpus.append([item.lang for item in corpus.audit])
        warnings |= dict.fromkeys(corpus.audit.warnings)
    groups = _group_languages(langs_by_corpus)
    rows: list[ComparedCorpus] = []
    for langs in groups:
        rows += _compare_languages(corpora, langs, is_paired)
    settings = corpora[0].audit.settings
    units = {corpus.audit.unit for corpus in corpora}
    return ComparisonResult(
        corpora=tuple(_decide(rows, settings)),
        settings=settings,
        unit=units.pop() if len(units) == 1 else TEXT,
        is_paired=is_paired,
        left_out=_left_out_languages(langs_by_corpus, groups),
        warnings=tuple(warnings),
        has_invalid=any(NOT_VALID in corpus.audit.left_out for corpus in corpora),
    )


def _group_languages(langs_by_corpus: Sequence[Sequence[str]]) -> list[list[str]]:
    """Choose the languages to compare. Each group has one language of each corpus, the reference first."""
    if all(len(langs) == 1 for langs in langs_by_corpus):
        return [[langs[0] for langs in langs_by_corpus]]
    common = langs_by_corpus[0]
    for langs in langs_by_corpus[1:]:
        common = [lang for lang in common if lang in langs]
    if not common:
        raise InputError("the corpora have no language in common; set it with --lang")
    return [[lang] * len(langs_by_corpus) for lang in common]


def _left_out_languages(langs_by_corpus: Sequence[Sequence[str]], groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """List the languages that some of the corpora lack, in the order in which they occur."""
    compared = set().union(*groups)
    left_out: dict[str, None] = {}
    for langs in langs_by_corpus:
        left_out |= dict.fromkeys(lang for lang in langs if lang not in compared)
    return tuple(left_out)


def _compare_languages(corpora: Sequence[Corpus], langs: Sequence[str], is_paired: bool) -> list[ComparedCorpus]:
    """Compare one language of each corpus with that of the reference. The first row is that of the reference."""
    units = [read_units(corpus.records, lang) for corpus, lang in zip(corpora, langs, strict=True)]
    if is_paired:
        units = place_by_record(corpora, units)
    described = []
    for corpus, lang, corpus_units in zip(corpora, langs, units, strict=True):
        left_out = sum(corpus.audit.left_out.values())
        described.append(ComparedCorpus(corpus.audit[lang], corpus.name, corpus_units.counts, left_out=left_out))
    settings = corpora[0].audit.settings
    reference = described[0]
    rows = [reference]
    for other, other_units in zip(described[1:], units[1:], strict=True):
        rows.append(_compare(reference, other, units[0], other_units, settings, is_paired))
    return rows


def compare_records(reference: Path, other: Path, lang: str, corpus: str, settings: AuditSettings) -> ComparedTexts:
    """Compare the texts of a language in two files of records, of all corpora or of one.

    The difference is that of `compare`, and is computed only if one file contains all texts of the other.
    """
    before = read_units(reference, lang, corpus)
    now = read_units(other, lang, corpus)
    overlap = find_overlap(before, now)
    texts = ComparedTexts(overlap.reference, overlap.other, overlap.shared)
    if not texts.is_part:
        return texts
    generator = random_generator(settings.seed, "compare", lang)
    comparison = _compare_unpaired(before, now, overlap, settings, generator)
    comparison = _require_evidence(comparison, before.counts, now.counts, settings)
    return replace(texts, difference=comparison.difference, p_value=comparison.p_value)


def _compare(
    reference: ComparedCorpus,
    other: ComparedCorpus,
    reference_units: Units,
    other_units: Units,
    settings: AuditSettings,
    is_paired: bool,
) -> ComparedCorpus:
    """Add the comparison with the reference to a corpus. Raises `InputError` if no text has a partner."""
    # The names of the corpora are no part of the seed, so that renaming a file changes nothing.
    generator = random_generator(settings.seed, "compare", other.audit.lang)
    overlap = None
    unpaired = 0
    if is_paired:
        size = len(reference_units.counts) + len(other_units.counts)
        reference_units, other_units = match_places(reference_units, other_units)
        pairs = len(other_units.counts)
        if not pairs:
            raise InputError(f"{other.name}: no text has a partner in {reference.name}")
        unpaired = size - 2 * pairs
        draws = settings.resamples, settings.confidence_level, generator
        comparison = compare_counts(reference_units.counts, other_units.counts, True, *draws)
    else:
        overlap = find_overlap(reference_units, other_units, reference.audit.lang == other.audit.lang)
        comparison = _compare_unpaired(reference_units, other_units, overlap, settings, generator)
    comparison = _require_evidence(comparison, reference_units.counts, other_units.counts, settings)
    if _sees_too_little(reference.audit, other.audit):
        comparison = replace(comparison, p_value=math.nan)
    words = tuple(compare_words(reference.audit, other.audit))
    return replace(other, comparison=comparison, unpaired=unpaired, overlap=overlap, words=words)


def _compare_unpaired(
    reference: Units, other: Units, overlap: Overlap, settings: AuditSettings, generator: np.random.Generator
) -> Comparison:
    """Compare two corpora that are independent, or of which one contains all texts of the other."""
    draws = settings.resamples, settings.confidence_level, generator
    if not overlap.is_part:
        return compare_counts(reference.counts, other.counts, False, *draws)
    is_reference_part = overlap.shared < overlap.other
    whole, part = (other, reference) if is_reference_part else (reference, other)
    whole, part = whole.with_words, part.with_words
    is_kept = in_common(whole.digests, part.digests)
    return compare_part(whole.counts, is_kept, is_reference_part, *draws)


def _require_evidence(
    comparison: Comparison, reference_counts: np.ndarray, other_counts: np.ndarray, settings: AuditSettings
) -> Comparison:
    """Remove the p-value, and the intervals, of corpora with too few gendered words or texts with one."""
    both = (reference_counts, other_counts)
    matches = min(counts.sum() for counts in both)
    matched_units = min(np.count_nonzero(counts.sum(axis=1) > 0) for counts in both)
    if matches < settings.minimum_matches or matched_units < settings.minimum_units:
        comparison = replace(comparison, p_value=math.nan)
    if matched_units < MINIMUM_UNITS:
        ratio = Estimate(comparison.ratio.value)
        difference = Estimate(comparison.difference.value)
        comparison = replace(comparison, ratio=ratio, difference=difference)
    return comparison


def compare_words(reference: LanguageAudit, other: LanguageAudit) -> list[WordDifference]:
    """List the forms of both corpora by their contribution to the difference of the gaps, largest first."""
    reference_forms, other_forms = _count_forms(reference), _count_forms(other)
    reference_words, other_words = max(reference.words, 1), max(other.words, 1)
    rows = []
    for gender, word in dict.fromkeys([*reference_forms, *other_forms]):
        before = reference_forms[gender, word]
        now = other_forms[gender, word]
        share_before = before / reference_words
        share_now = now / other_words
        added_percent = 100 * (share_now - share_before)
        towards_men = added_percent if gender == "masculine" else -added_percent
        rows.append(WordDifference(word, gender, before, now, towards_men))
    return sorted(rows, key=lambda row: (-abs(row.contribution), row.gender, row.word))


def _count_forms(audit: LanguageAudit) -> Counter[tuple[str, str]]:
    """Count the forms of both genders, by gender and form."""
    counts: Counter[tuple[str, str]] = Counter()
    for gender in _GENDERS:
        for form in audit.frequent_words[gender]:
            counts[gender, form.word] = form.count
    return counts


def _decide(rows: list[ComparedCorpus], settings: AuditSettings) -> list[ComparedCorpus]:
    """Add verdicts to the rows, each reference before the rows compared with it. All form one family of tests."""
    adjusted = adjust_by_holm([row.comparison.p_value if row.comparison else math.nan for row in rows])
    decided = []
    reference = rows[0]
    for row, p_value_holm in zip(rows, adjusted, strict=True):
        if row.comparison is None:
            reference = row
            decided.append(row)
            continue
        adjusted_verdict = _decide_one(reference, row, row.comparison, p_value_holm, settings)
        own_verdict = _decide_one(reference, row, row.comparison, row.comparison.p_value, settings)
        row = replace(row, p_value_holm=p_value_holm, verdict=adjusted_verdict, verdict_unadjusted=own_verdict)
        decided.append(row)
    return decided


def _decide_one(
    reference: ComparedCorpus, other: ComparedCorpus, comparison: Comparison, p_value: float, settings: AuditSettings
) -> str:
    """Decide whether a corpus has more women or men than the reference. Empty if the method sees too few persons."""
    if _sees_too_little(reference.audit, other.audit):
        return ""
    towards_men = -comparison.difference.value
    decision = verdict(towards_men, p_value, settings.confidence_level)
    if decision in _GENDERS and _errors_explain(reference.audit, other.audit):
        return NO_CLEAR_DIFFERENCE
    return decision


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
