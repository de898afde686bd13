"""Run an audit: from texts to a result."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, partial
from itertools import compress
from pathlib import Path
from typing import Any

from textparity.auditing.counting import Counted, SourceCounter, count_sources, keep_languages
from textparity.auditing.grades import KIN_NOUNS_ONLY
from textparity.auditing.groups import NO_GROUP, choose_groups
from textparity.auditing.html_text import strip_html
from textparity.auditing.inputs import TEXT, InputFile, choose_sources, of_documents, short_names, unit_of
from textparity.auditing.languages import language_row, read_language
from textparity.auditing.persons import error_of, grade_of, measured_on
from textparity.auditing.rare_languages import leave_out_strays
from textparity.auditing.reading import Place, Texts, portions
from textparity.auditing.reliability import find_warnings, lexicon_precision
from textparity.auditing.results import AuditResult, LanguageAudit, WordCount
from textparity.auditing.settings import AuditSettings
from textparity.auditing.shards import Parts, open_part
from textparity.auditing.share import error_columns, explain_verdict
from textparity.auditing.signature import counted_with, make_signature
from textparity.auditing.tallying import ALL, Tally, add_tally, check_codes
from textparity.corpora.identifier import MILLION
from textparity.counting.summary import decide_family
from textparity.counting.terms import CLASSES
from textparity.errors import ConfigError, InputError
from textparity.files import atomic_path

# The name under which texts passed from Python appear in the result.
PYTHON = "texts"


def audit(texts: Iterable[str], lang: str | None = None, **settings: Any) -> AuditResult:
    """Count who is mentioned in `texts` (sentences or documents).

    `lang` is a language's code or English name. Without it, the language of each text is detected. `settings` are the
    fields of `textparity.auditing.settings.AuditSettings`: method, layers, engine, seed, and others. Raises
    `textparity.errors.TextparityError` if a setting or a text cannot be used.
    """
    if isinstance(texts, str):
        raise InputError("texts is one string; give a list of texts, or files to textparity.audit_files")
    chosen = AuditSettings.of(settings)
    if chosen.text_unit != AuditSettings.text_unit:
        raise ConfigError("text_unit is of text files; join the texts, or give files to textparity.audit_files")
    for name in ("group_by", "lang_field"):
        if getattr(chosen, name):
            raise ConfigError(f"{name} is of records, which have fields; give files to textparity.audit_files")
    numbered = ((number, _as_text(text, number, chosen.strip_html)) for number, text in enumerate(texts, start=1))
    with SourceCounter(chosen) as counter:
        counted = counter.count(PYTHON, portions(numbered), read_language(lang) if lang else None)
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
    sources, ignored = choose_sources([str(file) for file in files], [lang] if lang else [])
    sources, chosen = of_documents(sources, documents, AuditSettings.of(settings))
    return audit_sources(sources, chosen, field, ignored=ignored)


def audit_sources(
    sources: Sequence[InputFile],
    settings: AuditSettings,
    field: str | None = None,
    skip_failed: bool = False,
    skip_invalid: bool = False,
    ignored: Mapping[str, int] | None = None,
    show_progress: bool = False,
    note: Callable[[str], None] = lambda message: None,
    mentions: Path | None = None,
    part: Path | None = None,
    records: Path | None = None,
    on_batch: Callable[[str, Texts], None] | None = None,
    seen_record: Callable[[str, Place], None] = lambda name, place: None,
) -> AuditResult:
    """Audit sources one after the other.

    With the method `persons`, each mention becomes a row of the Parquet file `mentions`, if it is given. The counts are
    written to the file `part`, for `merge_parts`. Each text becomes a row of the Parquet file `records`. `on_batch`
    gets the name of a source and each portion of its texts. `seen_record` gets the name of the source and the place of
    each record, even if the record has no text.

    With `skip_failed`, a file that cannot be read is left out completely and listed in the result. `skip_invalid` does
    the same for single lines and records. `note` gets a message for each of them.
    """
    settings = replace(settings, keep_mentions=mentions is not None, keep_records=records is not None)
    named = list(zip(short_names(sources), sources, strict=True))
    kept = {kind: path for kind, path in (("mentions", mentions), ("records", records)) if path}
    with ExitStack() as stack:
        files = {kind: stack.enter_context(atomic_path(path)) for kind, path in kept.items()}
        counted = count_sources(
            named,
            settings,
            field,
            skip_failed,
            skip_invalid,
            show_progress,
            note,
            on_batch=on_batch,
            seen_record=seen_record,
            **files,
        )
        write = stack.enter_context(open_part(part, settings, ignored or {})) if part else lambda source, found: None

        def written() -> Iterator[tuple[str, Counted]]:
            for name, source, found in counted:
                write(source, found)
                yield name, found

        result = replace(collect(written(), settings, unit_of(sources, settings)), ignored=dict(ignored or {}))
        for path in files.values():
            # Only the complete result shows which languages are too rare to keep.
            keep_languages(path, {item.lang for item in result})
    return result


def merge_parts(
    paths: Sequence[Path],
    per_file: bool = False,
    top: int = AuditSettings.top,
    min_size: int = AuditSettings.min_size,
    max_groups: int = AuditSettings.max_groups,
) -> AuditResult:
    """Merge parts into the result of all their files, in the order of the parts and of the files within them.

    `per_file`, `top`, `min_size` and `max_groups` are as in `AuditSettings`. All other settings come from the parts.
    Raises `InputError` if the parts were counted with different settings, or if two of them contain the same file.
    """
    parts = Parts.of(paths)
    names = short_names(parts.sources)
    settings = replace(parts.settings, per_file=per_file, top=top, min_size=min_size, max_groups=max_groups)
    counted = zip(names, parts.counted(names), strict=True)
    return replace(collect(counted, settings, unit_of(parts.sources, settings)), ignored=parts.ignored)


def collect(
    counted: Iterable[tuple[str, Counted]], settings: AuditSettings, unit: str = TEXT, name: str = ALL
) -> AuditResult:
    """Combine the counts of several sources into a result, in the order of the sources.

    `counted` has the name and the counts of each source. `unit` names what one text is. `name` is the name of all
    sources together; it does not depend on how many there are.
    """
    names: list[str] = []
    corpora: dict[str, dict[str, Tally]] = {}
    left_out: Counter[str] = Counter()
    failed, warnings, empty = [], [], []
    for source, found in counted:
        names.append(source)
        if found.error:
            failed.append((source, found.error))
            continue
        left_out.update(found.left_out)
        check_codes(left_out, settings)
        if found.doubt:
            warnings.append(f"{source}: {found.doubt}")
        if settings.per_file and not found.tallies:
            empty.append(source)
        corpus = source if settings.per_file else ALL
        together = corpora.setdefault(corpus, {})
        for lang, tally in found.tallies.items():
            add_tally(together, tally, settings, lang, corpus)
    leave_out_strays(settings, corpora, left_out)
    groups_together, in_time = choose_groups(settings, corpora)
    if settings.per_file:
        empty = [source for source in names if source in empty or (source in corpora and not corpora[source])]
    # The parts of the signature are computed once per language rather than once per file.
    tools_of = cache(partial(counted_with, settings))
    languages = [
        (corpus if settings.per_file else name, lang, "", tally, tally.counted_with or tools_of(lang))
        for corpus, tallies in corpora.items()
        for lang, tally in sorted(tallies.items(), key=lambda item: (-item[1].totals["texts"], item[0]))
    ]
    groups = [
        (corpus, lang, group, of_group, tools)
        for corpus, lang, _, tally, tools in languages
        for group, of_group in tally.groups.items()
    ]
    if groups and all(group == NO_GROUP for _, _, group, _, _ in groups):
        warnings.append(f"no record has a value of {settings.group_by}, the field to group by")
    return AuditResult(
        _audits(settings, languages, unit),
        settings,
        groups=_audits(settings, groups, unit),
        groups_together=groups_together,
        groups_in_time=in_time,
        files=len(names) - len(failed),
        failed=tuple(failed),
        left_out=dict(sorted(left_out.items(), key=lambda item: (-item[1], item[0]))),
        warnings=tuple(warnings),
        empty=tuple(empty),
    )


def _audits(
    settings: AuditSettings, items: Sequence[tuple[str, str, str, Tally, str]], unit: str
) -> tuple[LanguageAudit, ...]:
    """Make the rows of one table: one per corpus, language and group, with its tally and the tools that counted it."""
    rows = [tally.summary(settings, unit) for _, _, _, tally, _ in items]
    without_verdict = [grade_of(settings, lang).name == KIN_NOUNS_ONLY for _, lang, *_ in items]
    for row in compress(rows, without_verdict):
        # This row has no gendered comparison, so it does not belong to the family of tests that Holm's method adjusts.
        row["p_value"] = math.nan
    decide_family(rows, settings.confidence_level)
    for row in compress(rows, without_verdict):
        row["verdict"] = row["verdict_unadjusted"] = ""
    return tuple(_audit_of(settings, unit, *item, row) for item, row in zip(items, rows, strict=True))


def _audit_of(
    settings: AuditSettings,
    unit: str,
    corpus: str,
    lang: str,
    group: str,
    tally: Tally,
    tools: str,
    row: dict[str, Any],
) -> LanguageAudit:
    grade = grade_of(settings, lang)
    # Without a share there is no error to report.
    error = None if grade.name == KIN_NOUNS_ONLY else error_of(settings, lang)
    row |= error_columns(row, error, settings.confidence_level)
    row["verdict_reason"] = explain_verdict(row, unit, grade, settings)
    frequent: dict[str, list[WordCount]] = {name: [] for name in CLASSES}
    for (name, word), number in sorted(tally.forms.items(), key=lambda item: (-item[1], item[0])):
        if len(frequent[name]) < settings.top and not group:
            frequent[name].append(WordCount(word, number))
    found = LanguageAudit(
        corpus=corpus,
        lang=lang,
        group=group,
        name=language_row(lang).name,
        row=row,
        frequent_words={name: tuple(words) for name, words in frequent.items()},
        different_words=Counter(name for name, _ in tally.forms),
        examples={name: tuple(tally.samples[name].in_order()) for name in CLASSES},
        detected=tally.detected,
        mean_certainty=tally.certainty / tally.detected / MILLION if tally.detected else float("nan"),
        layers={layer: {name: tally.layers[layer, name] for name in CLASSES} for layer in settings.layers_in(lang)},
        precision=lexicon_precision(settings, lang),
        method=settings.method,
        measured=measured_on(settings, lang),
        grade=grade,
        error=error,
        counted_with=tools,
        warnings=tuple(find_warnings(settings, lang, tally.forms, row["words"] / max(row["texts"], 1), tally.totals)),
    )
    return replace(found, signature=make_signature(settings, [found]))


def _as_text(text: Any, number: int, is_html: bool) -> str | None:
    if text is None or isinstance(text, str):
        return strip_html(text, f"text {number}") if text and is_html else text
    raise InputError(f"text {number} is {type(text).__name__}, no string")
