"""The texts that the commands audit and check count: their options, sources, and messages about them."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.commands.messages import print_message
from textparity.commands.options import add_settings, add_settings_file, skips_failed, skips_invalid
from textparity.commands.settings import ChosenSettings
from textparity.errors import ConfigError

if TYPE_CHECKING:
    from textparity.auditing.counting import CountingRun
    from textparity.reading.sources import InputFile

# The number of messages about single files and lines that are printed. Further ones are only counted.
NOTES_SHOWN = 10
_DEFAULT_SPLITS = ("train",)


@dataclass(frozen=True)
class Inputs:
    """The inputs of an audit, and the number of files in folders that are not texts."""

    sources: Sequence["InputFile"]
    ignored: Mapping[str, int] | None = None


@dataclass
class Notes:
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


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the files of texts."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="file, folder or -; FILE:LANG gives its language")
    # argparse takes `-:LANG` for an option, so it has to be defined as one.
    parser.add_argument("-:", dest="files_of_input", action="append", default=[], help=argparse.SUPPRESS)


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how texts are read."""
    group = parser.add_argument_group("input")
    add_settings(group, "lang", "lang_field", "field", "format", "encoding", "delimiter", "text_unit", "documents")
    group.add_argument(
        "--dataset", action="append", default=[], metavar="NAME", help="dataset of the Hugging Face hub (extra: hub)"
    )
    add_settings(group, "group_by", "unique", "on_error")


def add_counting(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is counted."""
    group = parser.add_argument_group("counting")
    add_settings(group, "method", "count", "same_names", "exclude_words", "include_words", "lexicon_folder", "jobs")
    add_settings_file(group)


def given_files(options: argparse.Namespace) -> list[str]:
    """List the files that were named, also those of standard input with a language."""
    # Imported here so that --help stays fast.
    from textparity.reading.sources import STANDARD_INPUT

    return [*options.files, *(f"{STANDARD_INPUT}:{lang}" for lang in options.files_of_input)]


def choose_inputs(options: argparse.Namespace, chosen: ChosenSettings) -> Inputs:
    """Find the inputs that the options name: files and folders, or datasets."""
    # Imported here so that --help stays fast.
    from textparity.auditing.inputs import choose_sources, dataset_sources
    from textparity.reading.encodings import check_encoding
    from textparity.reading.hub import check_hub

    files = given_files(options)
    langs = list(chosen.files.lang)
    if bool(files) == bool(options.dataset):
        raise ConfigError("name files (or - for standard input), or a --dataset; textparity audit --help has examples")
    if options.dataset:
        check_hub(options.dataset)
        splits = chosen.files.split or _DEFAULT_SPLITS
        return Inputs(dataset_sources(options.dataset, chosen.files.subset, splits, langs, chosen.lexicons))
    if chosen.files.split or chosen.files.subset:
        raise ConfigError("split and subset apply only to a --dataset; remove them")
    sources, ignored = choose_sources(files, langs, chosen.files.format, chosen.lexicons)
    encoding = check_encoding(chosen.files.encoding) if chosen.files.encoding else ""
    delimiter = chosen.files.delimiter
    return Inputs([replace(source, encoding=encoding, delimiter=delimiter) for source in sources], ignored)


def explain_aliases(options: argparse.Namespace, chosen: ChosenSettings) -> None:
    """Print what the names of languages stand for that are not their codes."""
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import explain_alias

    langs_of_files = [name.rpartition(":")[2] for name in given_files(options) if ":" in name]
    for code in dict.fromkeys([*chosen.files.lang, *langs_of_files]):
        if explanation := explain_alias(code):
            print_message(explanation)


def make_run(options: argparse.Namespace, chosen: ChosenSettings, notes: Notes) -> "CountingRun":
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


def check_read_again(sources: Iterable["InputFile"], reason: str) -> None:
    """Raise `ConfigError` for a source that can be read only once. `reason` says why it is read more often."""
    # Imported here so that --help stays fast.
    from textparity.reading.sources import STANDARD_INPUT

    for source in sources:
        path = Path(source.name)
        is_pipe = source.is_file and path.exists() and not path.is_file()
        if source.name == STANDARD_INPUT or is_pipe:
            raise ConfigError(f"{source.name}: {reason}, but this can be read only once; name a file")
