"""Run an audit: from texts to a result."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from textparity.auditing import reliability
from textparity.auditing.audit_result import AuditResult
from textparity.auditing.cautions import Caution, order_cautions
from textparity.auditing.counting import (
    KEPT_SCHEMAS,
    Counted,
    CountingRun,
    SourceCounter,
    count_sources,
    keep_languages,
)
from textparity.auditing.differences import compare_groups
from textparity.auditing.gates import make_baseline
from textparity.auditing.groups import NO_GROUP, OTHER_GROUPS, SEPARATOR
from textparity.auditing.inputs import TEXT, choose_sources, name_documents, short_names, unit_of
from textparity.auditing.languages import OTHER_LANGUAGE, language_row, read_language
from textparity.auditing.people import most_mentioned, people_by_name
from textparity.auditing.results import LanguageAudit, PersonCount, WordCount
from textparity.auditing.row_statistics import RowStatistics, decide_rows
from textparity.auditing.settings import DEFAULT_TOP, AuditSettings, ShowingOptions
from textparity.auditing.shards import Parts, open_part
from textparity.auditing.signature import counted_with, make_signature
from textparity.auditing.tallying import ALL, RowTally, Tally, add_tally, check_codes, choose_groups
from textparity.corpora.identifier import MILLION
from textparity.corpora.reading import fill_batches
from textparity.counting import CLASSES
from textparity.errors import ConfigError, InputError
from textparity.estimating.gaps import EvidenceThreshold
from textparity.files import atomic_path
from textparity.reading.documents import Document, portions
from textparity.reading.options import LINE, split_names
from textparity.reading.sources import InputFile
from textparity.reading.web_text import strip_html

# A share of all texts, so that a small corpus keeps its languages.
RARE_SHARE = 0.01


def leave_out_rare_languages(
    settings: AuditSettings, corpora: Mapping[str, dict[str, Tally]], left_out: Counter[str]
) -> None:
    """Remove rare languages from `corpora`, and list them in `left_out`, together with rare ones without a lexicon.

    A language is rare if it has fewer than `min_size` texts and less than a hundredth of all texts. A language that the
    user gave is never rare.
    """
    if settings.reading.lang_field:
        return
    texts, detected = Counter[str](), Counter[str]()
    for tallies in corpora.values():
        for lang, tally in tallies.items():
            texts[lang] += tally.totals["texts"]
            detected[lang] += tally.detected
    limit = min(settings.showing.min_size, RARE_SHARE * (texts.total() + left_out.total()))
    few = {lang: number for lang, number in texts.items() if number == detected[lang] and number < limit}
    for tallies in corpora.values():
        for lang in few.keys() & tallies.keys():
            del tallies[lang]
    others = {
        reason.removeprefix(OTHER_LANGUAGE): number
        for reason, number in left_out.items()
        if reason.startswith(OTHER_LANGUAGE) and number < limit
    }
    if len(few) + len(others) > 1:
        for code in others:
            del left_out[f"{OTHER_LANGUAGE}{code}"]
        few |= others
    if few:
        ordered = sorted(few.items(), key=lambda item: (-item[1], item[0]))
        listed = ", ".join(f"{lang} {number}" for lang, number in ordered)
        reason = f"other languages, each less than 1 % and under {settings.showing.min_size:,} texts: {listed}"
        left_out[reason] = sum(few.values())


DEFAULT_OPTIONS = CountingRun()
# The name under which texts passed from Python appear in the result.
PYTHON = "texts"


def audit(texts: Iterable[str], lang: str | None = None, **settings: Any) -> AuditResult:
    """Count who is mentioned in `texts` (sentences or documents).

    `lang` is a language's code or English name. Without it, the language of each text is detected. `settings` are those
    of `textparity.auditing.settings.SETTINGS`: method, layers, engine, seed, and others. Raises
    `textparity.errors.TextparityError` if a setting or a text cannot be used.
    """
    if isinstance(texts, str):
        raise InputError("texts is one string; give a list of texts, or give files to textparity.audit_files")
    chosen = AuditSettings.of(settings)
    if chosen.reading.text_unit != LINE:
        raise ConfigError("text_unit applies to text files; join the texts, or give files to textparity.audit_files")
    for name in ("group_by", "lang_field", "id_field"):
        if getattr(chosen.reading, name):
            raise ConfigError(f"{name} applies to records, which have fields; give files to textparity.audit_files")

    def numbered() -> Iterator[Document]:
        for number, text in enumerate(texts, start=1):
            if text is not None and not isinstance(text, str):
                raise InputError(f"text {number} is {type(text).__name__}, not a string")
            if text and chosen.reading.strip_html:
                text = strip_html(text, f"text {number}")
            yield Document(number, text)

    language = read_language(lang, chosen.counting.lexicon_folder) if lang else None
    with SourceCounter(chosen) as counter:
        counted = counter.count(PYTHON, portions(numbered()), language)
    # The texts come from memory, so no file was read.
    return replace(collect([(PYTHON, counted)], chosen, name=PYTHON), files=0)


def audit_files(
    files: Iterable[str | Path],
    lang: str | None = None,
    field: str | None = None,
    documents: Path | None = None,
    **settings: Any,
) -> AuditResult:
    """Audit files and folders, as `textparity audit` does. `field` is the field or column that contains the text.

    `documents` is a file that names the document of each line of a text file. All lines of one document form one text.
    """
    if isinstance(files, str | Path):
        files = [files]
    chosen = AuditSettings.of(settings, field)
    sources, ignored = choose_sources(
        [str(file) for file in files], [lang] if lang else [], lexicons=chosen.counting.lexicon_folder
    )
    if documents:
        chosen = chosen.by_document()
        sources = name_documents(sources, documents)
    return audit_sources(sources, chosen, ignored=ignored)


def audit_sources(
    sources: Sequence[InputFile],
    settings: AuditSettings,
    options: CountingRun = DEFAULT_OPTIONS,
    ignored: Mapping[str, int] | None = None,
    mentions: Path | None = None,
    records: Path | None = None,
    part: Path | None = None,
) -> AuditResult:
    """Audit sources one after the other. `ignored` is the number of files in folders that are not texts.

    With the method `persons`, each mention becomes a row of the Parquet file `mentions`, if it is given. Each text
    becomes a row of the Parquet file `records`. The counts are written to the file `part`, for `merge_parts`.
    """
    ignored = dict(ignored or {})
    settings = settings.changed(keep_mentions=mentions is not None, keep_records=records is not None)
    named = list(zip(short_names(sources), sources, strict=True))
    kept = {kind: path for kind, path in (("mentions", mentions), ("records", records)) if path}
    with ExitStack() as stack:
        files = {kind: stack.enter_context(atomic_path(path)) for kind, path in kept.items()}
        write = stack.enter_context(open_part(part, settings, ignored)) if part else lambda source, found: None
        options = replace(options, with_digests=part is not None)
        with ExitStack() as filled:
            writers = {
                kind: filled.enter_context(fill_batches(path, KEPT_SCHEMAS[kind])) for kind, path in files.items()
            }

            def written() -> Iterator[tuple[str, Counted]]:
                together = part is None and not kept and not settings.showing.per_file
                for name, source, found in count_sources(named, settings, options, writers, together):
                    write(source, found)
                    yield name, found

            unit = unit_of(sources, settings.reading.text_unit)
            result = replace(collect(written(), settings, unit), ignored=ignored)
            if records:
                # Only the complete result has the rows that a later audit is checked against.
                writers["records"].metadata = make_baseline(result)
        for path in files.values():
            # Only the complete result shows which languages are too rare to keep.
            keep_languages(path, {item.lang for item in result})
    return result


def merge_parts(
    paths: Sequence[Path],
    per_file: bool = False,
    top: int = DEFAULT_TOP,
    min_size: int = ShowingOptions.min_size,
    max_groups: int = ShowingOptions.max_groups,
) -> AuditResult:
    """Merge parts into the result of all their files, in the order of the parts and of the files within them.

    `per_file`, `top`, `min_size` and `max_groups` are as in `ShowingOptions`. All other settings come from the parts.
    Raises `InputError` if the parts were counted with different settings, or if two of them have read the same texts
    from the same path.
    """
    parts = Parts.of(paths)
    settings = parts.settings.changed(per_file=per_file, top=top, min_size=min_size, max_groups=max_groups)
    counted = zip(parts.names, parts.counted(), strict=True)
    unit = unit_of(parts.sources, settings.reading.text_unit)
    return replace(collect(counted, settings, unit), ignored=parts.ignored)


def collect(
    counted: Iterable[tuple[str, Counted]], settings: AuditSettings, unit: str = TEXT, name: str = ALL
) -> AuditResult:
    """Combine the counts of several sources, given with their names, into a result, in their order.

    `unit` names what one text is, and `name` all sources together; it does not depend on how many there are.
    """
    files = 0
    corpora: dict[str, dict[str, Tally]] = {}
    left_out: Counter[str] = Counter()
    failed, warnings = [], []
    for source, found in counted:
        if found.error:
            failed.append((source, found.error))
            continue
        files += 1
        left_out.update(found.left_out)
        check_codes(left_out, settings)
        if found.warning:
            warnings.append(f"{source}: {found.warning}")
        corpus = source if settings.showing.per_file else ALL
        together = corpora.setdefault(corpus, {})
        for lang, tally in found.tallies.items():
            add_tally(together, tally, settings, lang)
    leave_out_rare_languages(settings, corpora, left_out)
    shown = choose_groups(settings, corpora)
    # The parts of the signature are computed once per language rather than once per file.
    tools_of = cache(partial(counted_with, settings))
    languages = []
    for corpus, tallies in corpora.items():
        shown_corpus = corpus if settings.showing.per_file else name
        for lang, tally in sorted(tallies.items(), key=lambda item: (-item[1].totals["texts"], item[0])):
            tally.count_same_names()
            tools = tally.counted_with or tools_of(lang)
            languages.append(RowTally(shown_corpus, lang, "", tally, tools))
    groups = []
    for row in languages:
        for group, of_group in row.tally.groups.items():
            of_group.count_same_names(has_forms=False)
            groups.append(replace(row, group=group, tally=of_group))
    warnings += _warn_about_fields(settings, groups, shown.unread)
    return AuditResult(
        _audits(settings, languages, unit),
        settings,
        groups=_audits(settings, groups, unit, is_grouped=True),
        groups_together=shown.together,
        groups_in_time=shown.in_time,
        files=files,
        failed=tuple(failed),
        left_out=dict(sorted(left_out.items(), key=lambda item: (-item[1], item[0]))),
        warnings=tuple(warnings),
        empty=tuple(corpus for corpus, tallies in corpora.items() if settings.showing.per_file and not tallies),
    )


def _warn_about_fields(settings: AuditSettings, groups: Sequence[RowTally], unread: Sequence[str]) -> Iterator[str]:
    """Warn about fields to group by that no record has, or with dates of an unknown form, as in `unread`."""
    names = [row.group.split(SEPARATOR) for row in groups]
    values_of_fields = zip(*(values for values in names if values[0] != OTHER_GROUPS), strict=True)
    fields = split_names(settings.reading.group_by)
    for field, values, date in zip(fields, values_of_fields, unread, strict=False):
        if set(values) == {NO_GROUP}:
            yield f"no record has a value of {field}, the field to group by"
        if date:
            yield (
                f"the values of {field} look like dates, such as {date!r}; to group by year or month, name their form "
                "in the setting date_format, such as %d/%m/%Y"
            )


def _audits(
    settings: AuditSettings, rows: Sequence[RowTally], unit: str, is_grouped: bool = False
) -> tuple[LanguageAudit, ...]:
    """Make the rows of one table: one per corpus, language and group."""
    return tuple(
        _audit_of(settings, row, statistics)
        for row, statistics in zip(rows, _decide(settings, rows, unit, is_grouped), strict=True)
    )


def _decide(settings: AuditSettings, rows: Sequence[RowTally], unit: str, is_grouped: bool) -> list[RowStatistics]:
    """Compute the statistics of the rows of one table, with verdicts and differences that consider all of them."""
    # A row without a gendered comparison does not belong to the family of tests that Holm's method adjusts.
    are_compared = [_has_comparison(settings, row.lang) for row in rows]
    statistics = [row.tally.summary(settings, unit) for row in rows]
    decided = decide_rows(statistics, are_compared, settings.estimating.confidence_level)
    if not is_grouped:
        return decided
    compared = []
    for row, is_compared in zip(rows, are_compared, strict=True):
        compared.append(row if is_compared else replace(row, tally=Tally.empty(settings)))
    differences = compare_groups(compared, _minimum(settings), settings.estimating.confidence_level)
    return [replace(row, difference=difference) for row, difference in zip(decided, differences, strict=True)]


def _minimum(settings: AuditSettings) -> EvidenceThreshold:
    return EvidenceThreshold(settings.estimating.minimum_matches, settings.estimating.minimum_units)


def _has_comparison(settings: AuditSettings, lang: str) -> bool:
    return reliability.grade_of(settings.counting.measured, lang).name != reliability.KIN_NOUNS_ONLY


def _audit_of(settings: AuditSettings, row: RowTally, statistics: RowStatistics) -> LanguageAudit:
    lang, tally = row.lang, row.tally
    counting, estimating = settings.counting, settings.estimating
    grade = reliability.grade_of(counting.measured, lang)
    # Without a share there is no error to report.
    has_share = grade.name != reliability.KIN_NOUNS_ONLY
    error = reliability.method_error(counting.measured, lang, counting.pipeline) if has_share else None
    statistics = reliability.add_method_error(statistics, error, estimating.confidence_level)
    concentration = _warn_about_concentration(tally, statistics)
    needed = reliability.needed_evidence(_minimum(settings), counting.measured)
    reason = reliability.explain_verdict(statistics, grade, needed, estimating.confidence_level)
    reasons = (reason, *order_cautions(concentration))
    statistics = replace(statistics, verdict_reason="; ".join(filter(None, reasons)))
    first_group, _, second_group = row.group.partition(SEPARATOR)
    audited = LanguageAudit(
        corpus=row.corpus,
        lang=lang,
        group=first_group,
        second_group=second_group,
        name=language_row(lang).name,
        statistics=statistics,
        # Groups have no words.
        frequent_words=_frequent_words(tally, 0 if row.group else settings.showing.top),
        different_words=Counter(name for name, _ in tally.forms),
        examples={name: tuple(tally.samples[name].in_order()) for name in CLASSES},
        detected=tally.detected,
        mean_certainty=tally.certainty / tally.detected / MILLION if tally.detected else math.nan,
        layers=_matches_by_layer(tally, counting.layers_in(lang)),
        precision=reliability.lexicon_precision(counting.measured_lexicon, lang, estimating.confidence_level),
        method=counting.method,
        measured=reliability.measured_on(counting.measured, lang, counting.pipeline),
        grade=grade,
        error=error,
        counted_with=row.counted_with,
        lacking=reliability.describe_lacking(statistics, needed),
        people=() if row.group else _frequent_people(tally, settings.showing.top),
        warnings=_find_warnings(settings, row, statistics, concentration),
    )
    return replace(audited, signature=make_signature(settings, [audited]))


def _warn_about_concentration(tally: Tally, statistics: RowStatistics) -> tuple[Caution, ...]:
    """Warn about a single sentence or name that supplies many of the matches."""
    # In texts that are mostly copies, these supply the sentences, and another warning names them.
    has_copies = 2 * tally.distinct.number < statistics.texts - statistics.blank_texts
    repeated = () if has_copies else tally.contexts.warn(statistics.matches)
    return (*repeated, *reliability.warn_about_learned(tally.forms, tally.learned))


def _find_warnings(
    settings: AuditSettings, row: RowTally, statistics: RowStatistics, concentration: Iterable[Caution]
) -> tuple[str, ...]:
    counting, tally = settings.counting, row.tally
    words_per_text = statistics.words / max(statistics.texts, 1)
    texts_with_words = statistics.texts - statistics.blank_texts
    cautions = [
        *concentration,
        *reliability.find_warnings(
            counting.method,
            counting.lexicon,
            row.lang,
            tally.forms,
            words_per_text,
            tally.totals,
            counting.layers_off_in(row.lang),
            counting.count,
        ),
        *reliability.warn_about_copies(texts_with_words, tally.distinct, settings.counting.unique),
    ]
    return order_cautions(cautions)


def _frequent_words(tally: Tally, most: int) -> dict[str, tuple[WordCount, ...]]:
    """List the most frequent forms of each class."""
    words: dict[str, list[str]] = {name: [] for name in CLASSES}
    most_frequent_first = sorted(tally.forms, key=lambda form: (-tally.forms[form], form))
    for name, word in most_frequent_first:
        words[name].append(word)
    frequent = {}
    for name, words_of_class in words.items():
        most_frequent = words_of_class[:most]
        frequent[name] = tuple(_word_count(tally, name, word) for word in most_frequent)
    return frequent


def _frequent_people(tally: Tally, most: int) -> tuple[PersonCount, ...]:
    """List the people who are mentioned most by name."""
    people = people_by_name(tally.documents, tally.mentions)
    return most_mentioned(people.values(), most)


def _word_count(tally: Tally, name: str, word: str) -> WordCount:
    learned, source = tally.source_of(name, word)
    return WordCount(word, tally.forms[name, word], learned, source)


def _matches_by_layer(tally: Tally, layers: Iterable[str]) -> dict[str, dict[str, int]]:
    by_layer = {}
    for layer in layers:
        by_layer[layer] = {name: tally.layers[layer, name] for name in CLASSES}
    return by_layer
