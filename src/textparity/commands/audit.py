"""`textparity audit`: measure who is mentioned in one's own texts."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from textparity.auditing.settings import default_count, make_settings
from textparity.commands.messages import print_message
from textparity.commands.options import (
    add_checks,
    add_column,
    add_old_json,
    add_old_outputs,
    add_old_settings,
    add_old_skips,
    add_settings,
    add_settings_file,
    add_write,
    skips_failed,
    skips_invalid,
)
from textparity.commands.results import add_result_options, read_baseline, show_result
from textparity.commands.settings import ChosenSettings
from textparity.errors import ConfigError
from textparity.persons.mentions import PERSONS, PUBLISHED

if TYPE_CHECKING:
    from textparity.auditing.audit_result import AuditResult
    from textparity.auditing.counting import CountingRun
    from textparity.auditing.gates import Baseline, ComparedTexts
    from textparity.auditing.results import LanguageAudit
    from textparity.auditing.showing.outputs import Outputs
    from textparity.reading.sources import InputFile

# The number of messages about single files and lines that are printed. Further ones are only counted.
NOTES_SHOWN = 10
_DEFAULT_SPLITS = ("train",)


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="file, folder or -; FILE:LANG gives its language")
    # argparse takes `-:LANG` for an option, so it has to be defined as one.
    parser.add_argument("-:", dest="files_of_input", action="append", default=[], help=argparse.SUPPRESS)
    group = parser.add_argument_group("input")
    add_settings(group, "lang", "lang_field", "field", "format", "encoding", "delimiter", "text_unit", "documents")
    group.add_argument(
        "--dataset", action="append", default=[], metavar="NAME", help="dataset of the Hugging Face hub (extra: hub)"
    )
    add_settings(group, "group_by", "unique", "on_error")
    group = parser.add_argument_group("counting")
    add_settings(group, "method", "count", "exclude_words", "include_words", "lexicon_folder", "jobs")
    add_settings_file(group)
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
class _Inputs:
    """The inputs of an audit, and the number of files in folders that are not texts."""

    sources: Sequence["InputFile"]
    ignored: Mapping[str, int] | None = None


@dataclass(frozen=True)
class _Plan:
    """What an audit will count and write. All of it has been checked. `audits` count the sources, each by a method."""

    audits: Sequence[Callable[..., "AuditResult"]]
    outputs: "Outputs"
    baseline: "Baseline | None"
    settings_file: str

    @property
    def compares_texts(self) -> bool:
        """Whether the texts are compared with those of the baseline."""
        return self.baseline is not None and self.baseline.has_texts


@dataclass
class _Notes:
    """The messages about single files and lines. Only the first are printed, each once, and none with `is_quiet`."""

    is_quiet: bool
    messages: set[str] = field(default_factory=set)

    def add(self, message: str) -> None:
        """Add a message. Several methods read the same texts, and find the same in them."""
        if message in self.messages:
            return
        self.messages.add(message)
        if not self.is_quiet and len(self.messages) <= NOTES_SHOWN:
            print_message(message)

    def print_rest(self) -> None:
        """Print how many messages were not printed."""
        if not self.is_quiet and len(self.messages) > NOTES_SHOWN:
            print_message(f"… and {len(self.messages) - NOTES_SHOWN:,} more")


def run(options: argparse.Namespace) -> int:
    """Run the audit that the options describe, print and write the result, and return the exit code."""
    chosen = ChosenSettings.of(options)
    plan = _make_plan(options, chosen)
    notes = _Notes(options.quiet)
    counting = _make_run(options, chosen, notes)
    tables = plan.outputs.counted_files
    with ExitStack() as stack:
        if plan.compares_texts and "records" not in tables:
            folder = stack.enter_context(TemporaryDirectory())
            tables["records"] = Path(folder) / "records.parquet"
        result = _count(plan, counting, tables)
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
    _check_conditions(options.fail_if, first.procedure, settings[0].reading.group_fields, chosen.lexicons)
    inputs = _choose_inputs(options, chosen)
    outputs = AUDIT_OUTPUTS.read(options.write)
    if len(settings) > 1:
        _check_one_method(outputs, options.baseline, inputs.sources)
    sources = inputs.sources
    if chosen.files.documents:
        settings = [method_settings.by_document() for method_settings in settings]
        sources = name_documents(sources, chosen.files.documents)
    if not options.quiet:
        _explain_aliases(options, chosen)
    if outputs.has_kind("mentions") and first.method != PERSONS:
        raise ConfigError("mentions require the method persons; add --method persons")
    outputs.check(sources, _files_read(options, chosen))
    baseline = read_baseline(options.baseline)
    if baseline and baseline.has_texts and first.method == PUBLISHED:
        raise ConfigError(
            f"{baseline.path}: has records of texts, which the method published lacks; give a baseline written by "
            "--write json=FILE"
        )
    settings_file = ""
    if outputs.has_kind("settings"):
        settings_file = chosen.render(",".join(method_settings.counting.method for method_settings in settings))
    audits = [partial(audit_sources, sources, settings_of, ignored=inputs.ignored) for settings_of in settings]
    return _Plan(audits, outputs, baseline, settings_file)


def _files_read(options: argparse.Namespace, chosen: ChosenSettings) -> Iterable[Path | None]:
    """List what is read in addition to the sources, and must not be overwritten."""
    return [options.baseline, options.settings, chosen.lexicons, chosen.files.documents, *chosen.pipelines]


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
    conditions: Sequence[str], procedure: str, group_fields: Sequence[str], lexicons: Path | None
) -> None:
    """Check the conditions of `--fail-if` before anything is counted, so that a typing error costs no time."""
    if not conditions:
        return
    # Imported here so that --help stays fast.
    from textparity.auditing.fail_conditions import audit_columns, read_condition

    columns = audit_columns(procedure, group_fields, lexicons)
    for condition in conditions:
        read_condition(condition, columns)


def _given_files(options: argparse.Namespace) -> list[str]:
    """List the files that were named, also those of standard input with a language."""
    # Imported here so that --help stays fast.
    from textparity.reading.sources import STANDARD_INPUT

    return [*options.files, *(f"{STANDARD_INPUT}:{lang}" for lang in options.files_of_input)]


def _choose_inputs(options: argparse.Namespace, chosen: ChosenSettings) -> _Inputs:
    """Find the inputs that the options name: files and folders, or datasets."""
    # Imported here so that --help stays fast.
    from textparity.auditing.inputs import choose_sources, dataset_sources
    from textparity.reading.encodings import check_encoding
    from textparity.reading.hub import check_hub

    files = _given_files(options)
    langs = list(chosen.files.lang)
    if bool(files) == bool(options.dataset):
        raise ConfigError("name files (or - for standard input), or a --dataset; textparity audit --help has examples")
    if options.dataset:
        check_hub(options.dataset)
        splits = chosen.files.split or _DEFAULT_SPLITS
        return _Inputs(dataset_sources(options.dataset, chosen.files.subset, splits, langs, chosen.lexicons))
    if chosen.files.split or chosen.files.subset:
        raise ConfigError("split and subset apply only to a --dataset; remove them")
    sources, ignored = choose_sources(files, langs, chosen.files.format, chosen.lexicons)
    encoding = check_encoding(chosen.files.encoding) if chosen.files.encoding else ""
    delimiter = chosen.files.delimiter
    return _Inputs([replace(source, encoding=encoding, delimiter=delimiter) for source in sources], ignored)


def _explain_aliases(options: argparse.Namespace, chosen: ChosenSettings) -> None:
    """Print what the names of languages stand for that are not their codes."""
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import explain_alias

    langs_of_files = [name.rpartition(":")[2] for name in _given_files(options) if ":" in name]
    for code in dict.fromkeys([*chosen.files.lang, *langs_of_files]):
        if explanation := explain_alias(code):
            print_message(explanation)


def _check_one_method(outputs: "Outputs", baseline: Path | None, sources: Iterable["InputFile"]) -> None:
    """Raise `ConfigError` for what several methods cannot have."""
    # Imported here so that --help stays fast.
    from textparity.reading.sources import STANDARD_INPUT

    if baseline:
        raise ConfigError("--baseline is for one method; name one in --method, or remove --baseline")
    for kind, target in outputs.items:
        if outputs.kinds[kind].is_of_one_method:
            raise ConfigError(f"--write {kind}={target} is for one method; name one in --method, or remove it")
    for source in sources:
        path = Path(source.name)
        is_pipe = source.is_file and path.exists() and not path.is_file()
        if source.name == STANDARD_INPUT or is_pipe:
            raise ConfigError(
                f"{source.name}: each method reads the texts, but this can be read only once; name a file"
            )


def _make_run(options: argparse.Namespace, chosen: ChosenSettings, notes: _Notes) -> "CountingRun":
    """Decide what happens to inputs that cannot be read, and to messages about them."""
    # Imported here so that --help stays fast.
    from textparity.auditing.counting import CountingRun

    on_error = chosen.files.on_error
    return CountingRun(
        skip_failed=skips_failed(options, on_error),
        skip_invalid=skips_invalid(options, on_error),
        show_progress=not options.quiet,
        note=notes.add,
    )


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
