"""`textparity audit`: measure who is mentioned in one's own texts."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from textparity.auditing.settings import check_people_counted, default_count, make_settings
from textparity.commands.inputs import (
    Notes,
    add_counting,
    add_files,
    add_inputs,
    check_read_again,
    choose_inputs,
    explain_aliases,
    make_run,
)
from textparity.commands.options import (
    add_checks,
    add_column,
    add_old_json,
    add_old_outputs,
    add_old_settings,
    add_old_skips,
    add_settings,
    add_write,
)
from textparity.commands.results import add_result_options, correct, read_baseline, read_check, show_result
from textparity.commands.settings import ChosenSettings
from textparity.errors import ConfigError
from textparity.persons.mentions import PERSONS, PUBLISHED

if TYPE_CHECKING:
    from textparity.auditing.audit_result import AuditResult
    from textparity.auditing.counting import CountingRun
    from textparity.auditing.gates import Baseline, ComparedTexts
    from textparity.auditing.results import LanguageAudit
    from textparity.auditing.showing.outputs import Outputs
    from textparity.checking.scoring import Check
    from textparity.reading.sources import InputFile


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_files(parser)
    add_inputs(parser)
    add_counting(parser)
    group = parser.add_argument_group("output")
    add_settings(group, "per_file", "top")
    add_write(group)
    add_checks(group, "women_share < 30 and matches > 200")
    add_result_options(group)
    _register_old_names(parser)


def _register_old_names(parser: argparse.ArgumentParser) -> None:
    add_column(parser)
    add_old_outputs(parser, "csv", "latex", "html", "card", "figure", "junit", "output", "mentions", "records", "part")
    add_old_json(parser)
    add_old_skips(parser, "skip_failed", "skip_invalid")
    add_old_settings(
        parser, "id_field", "strip_html", "subset", "split", "max_samples", "date_format", "minimum_certainty",
        "detect", "engine", "layers", "pipeline", "seed", "examples", "min_size", "max_groups",
    )  # fmt: skip


@dataclass(frozen=True)
class _Plan:
    """What an audit will count and write. All of it has been checked. `audits` count the sources, each by a method."""

    audits: Sequence[Callable[..., "AuditResult"]]
    outputs: "Outputs"
    baseline: "Baseline | None"
    check: "Check | None"
    settings_file: str

    @property
    def compares_texts(self) -> bool:
        """Whether the texts are compared with those of the baseline."""
        return self.baseline is not None and self.baseline.has_texts


def run(options: argparse.Namespace) -> int:
    """Run the audit that the options describe, print and write the result, and return the exit code."""
    chosen = ChosenSettings.of(options)
    plan = _make_plan(options, chosen)
    notes = Notes(options.quiet)
    counting = make_run(options, chosen, notes)
    tables = plan.outputs.counted_files
    with ExitStack() as stack:
        if plan.compares_texts and "records" not in tables:
            folder = stack.enter_context(TemporaryDirectory())
            tables["records"] = Path(folder) / "records.parquet"
        result = _count(plan, counting, tables)
        if plan.check:
            result = correct(result, plan.check)
        notes.print_rest()
        compare_texts = None
        if plan.baseline and plan.compares_texts:
            compare_texts = partial(_compare_texts, plan.baseline.path, tables["records"], result)
        return show_result(result, options, plan.outputs, plan.baseline, compare_texts, plan.settings_file)


def _make_plan(options: argparse.Namespace, chosen: ChosenSettings) -> _Plan:
    """Decide what is counted and written. Raises an error for wrong use, before anything is counted."""
    # Imported here so that --help stays fast.
    from textparity.auditing.audit import audit_sources
    from textparity.auditing.inputs import name_documents
    from textparity.auditing.showing.outputs import AUDIT_OUTPUTS

    settings = [make_settings(chosen.files.field, **values) for values in _values_by_method(chosen)]
    first = settings[0].counting
    _check_conditions(options, first.procedure, settings[0].reading.group_fields, chosen.lexicons)
    inputs = choose_inputs(options, chosen)
    outputs = AUDIT_OUTPUTS.read(options.write)
    if len(settings) > 1:
        _check_one_method(outputs, options, inputs.sources)
    sources = inputs.sources
    if chosen.files.documents:
        settings = [method_settings.by_document() for method_settings in settings]
        sources = name_documents(sources, chosen.files.documents)
    if not options.quiet:
        explain_aliases(options, chosen)
    if outputs.has_kind("mentions") and first.method != PERSONS:
        raise ConfigError("mentions require the method persons; add --method persons")
    if "people" in options.show or outputs.has_kind("people"):
        check_people_counted(settings[0])
    outputs.check(sources, _files_read(options, chosen))
    baseline = read_baseline(options.baseline)
    check = read_check(options.checked)
    if baseline and baseline.has_texts and first.method == PUBLISHED:
        raise ConfigError(
            f"{baseline.path}: has records of texts, which the method published lacks; give a baseline written by "
            "--write json=FILE"
        )
    settings_file = ""
    if outputs.has_kind("settings"):
        settings_file = chosen.render(",".join(method_settings.counting.method for method_settings in settings))
    audits = [partial(audit_sources, sources, settings_of, ignored=inputs.ignored) for settings_of in settings]
    return _Plan(audits, outputs, baseline, check, settings_file)


def _files_read(options: argparse.Namespace, chosen: ChosenSettings) -> Iterable[Path | None]:
    """List what is read in addition to the sources, and must not be overwritten."""
    return [
        options.baseline,
        options.checked,
        options.settings,
        chosen.lexicons,
        chosen.files.documents,
        *chosen.pipelines,
    ]


def _values_by_method(chosen: ChosenSettings) -> list[dict[str, Any]]:
    """Collect the settings of each method that was chosen."""
    methods = chosen.counting.get("method", "").split(",")
    settings = []
    for method in methods:
        values = {"count": default_count(",".join(methods)), **chosen.counting, "method": method}
        if len(methods) > 1 and method != PERSONS:
            # Only one of the methods can use it.
            values["pipeline"] = ""
        settings.append(values)
    if chosen.counting.get("pipeline") and PERSONS not in methods:
        raise ConfigError("a pipeline requires the method persons; add --method persons")
    return settings


def _check_conditions(
    options: argparse.Namespace, procedure: str, group_fields: Sequence[str], lexicons: Path | None
) -> None:
    """Check the conditions of `--fail-if` before anything is counted, so that a typing error costs no time."""
    if not options.fail_if:
        return
    # Imported here so that --help stays fast.
    from textparity.auditing.fail_conditions import audit_columns, read_condition

    columns = audit_columns(procedure, group_fields, lexicons, is_checked=options.checked is not None)
    for condition in options.fail_if:
        read_condition(condition, columns)


def _check_one_method(outputs: "Outputs", options: argparse.Namespace, sources: Iterable["InputFile"]) -> None:
    """Raise `ConfigError` for what several methods cannot have."""
    for name in ("baseline", "checked"):
        if getattr(options, name):
            raise ConfigError(f"--{name} is for one method; name one in --method, or remove --{name}")
    for kind, target in outputs.items:
        if outputs.kinds[kind].is_of_one_method:
            raise ConfigError(f"--write {kind}={target} is for one method; name one in --method, or remove it")
    check_read_again(sources, "each method reads the texts")


def _count(plan: _Plan, counting: "CountingRun", tables: Mapping[str, Path]) -> "AuditResult":
    """Count the texts by each method. `tables` are the files that are written meanwhile, by their kind."""
    # Imported here so that --help stays fast.
    from textparity.auditing.methods import combine_methods

    results = [audit(options=counting, **tables) for audit in plan.audits]
    return combine_methods(results) if len(results) > 1 else results[0]


def _compare_texts(baseline: Path, records: Path, result: "AuditResult", item: "LanguageAudit") -> "ComparedTexts":
    """Compare the texts of a row of the result with those of its baseline, as corpora are compared."""
    # Imported here so that --help stays fast.
    from textparity.comparing.comparison import compare_records

    corpus = item.corpus if result.settings.showing.per_file else ""
    return compare_records(baseline, records, item.lang, corpus, result)
