"""`textparity translate-check`: score whether translations keep women and men."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.commands.messages import FINE
from textparity.commands.options import add_old_outputs, add_quiet, add_write
from textparity.commands.settings import default_of
from textparity.commands.values import read_path
from textparity.errors import ConfigError

if TYPE_CHECKING:
    from textparity.auditing.showing.outputs import Outputs

_HEBREW = ("heb", "he", "hebrew")


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("outputs", nargs="*", type=read_path, metavar="OUTPUT", help="translations of one system")
    parser.add_argument("--lang", metavar="LANG", help="language of the translations")
    parser.add_argument(
        "--sentences", type=read_path, metavar="FILE",
        help="the sentences, in the form of WinoMT (default: WinoMT's, downloaded once)",
    )  # fmt: skip
    parser.add_argument(
        "--write-sentences", metavar="FILE", help="write the English sentences to translate, one a line; - prints them"
    )
    parser.add_argument(
        "--pipeline", default="", metavar="NAME",
        help="spaCy pipeline of Spanish, French or Italian (package or folder)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", default=default_of("seed"), type=int, metavar="N", help="seed of intervals (default: %(default)s)"
    )
    add_write(parser)
    add_quiet(parser, "print only errors")
    add_old_outputs(parser, "csv", "html")


def run(options: argparse.Namespace) -> int:
    """Check the translations that the options name, print and write the result, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.auditing.showing.outputs import STANDARD_OUTPUT, Report, print_text
    from textparity.translating.check import check_translations
    from textparity.translating.outputs import TRANSLATION_OUTPUTS

    outputs = TRANSLATION_OUTPUTS.read(options.write)
    _check_outputs(options, outputs)
    if options.write_sentences:
        _write_sentences(options.write_sentences, options.sentences)
    elif not options.outputs:
        raise ConfigError("name the file with the translations, or --write-sentences to get the sentences to translate")
    if not options.outputs:
        if outputs.items:
            raise ConfigError("name the file with the translations that --write is about")
        return FINE
    lang = _read_lang(options.lang)
    result = check_translations(options.outputs, lang, options.sentences, options.pipeline, options.seed)
    outputs.write(Report(result))
    is_printed = outputs.is_printed or options.write_sentences == STANDARD_OUTPUT
    if not options.quiet and not is_printed:
        print_text(result.to_text() + "\n", errors="replace")
    return FINE


def _check_outputs(options: argparse.Namespace, outputs: "Outputs") -> None:
    """Raise an error if an output cannot be written, would overwrite an input, or two would be printed."""
    # Imported here so that --help stays fast.
    from textparity.auditing.inputs import InputFile
    from textparity.auditing.showing.outputs import STANDARD_OUTPUT, check_outputs

    sentences = options.write_sentences
    files = outputs.files
    if sentences == STANDARD_OUTPUT and outputs.is_printed:
        raise ConfigError("two tables would be printed to standard output; write one to a file")
    if sentences and sentences != STANDARD_OUTPUT:
        files.append(Path(sentences))
    sources = [InputFile(str(path), "text") for path in options.outputs]
    pipeline = Path(options.pipeline) if options.pipeline else None
    check_outputs(files, sources, [options.sentences, pipeline])


def _read_lang(lang: str | None) -> str:
    """Read the language of the translations."""
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import read_language

    if not lang:
        raise ConfigError("name the language of the translations: --lang deu")
    # Hebrew has a rule, and is not in the table of languages, which have lexicons.
    return "heb" if lang.lower() in _HEBREW else read_language(lang)


def _write_sentences(target: str, source: Path | None) -> None:
    """Write or print the sentences to translate, those of WinoMT by default."""
    # Imported here so that --help stays fast.
    from textparity.auditing.showing.outputs import STANDARD_OUTPUT, print_text
    from textparity.files import write_text
    from textparity.translating.check import find_sentences
    from textparity.translating.winomt import read_sentences

    sentences = read_sentences(source or find_sentences()[0])
    text = "".join(f"{sentence.text}\n" for sentence in sentences)
    if target == STANDARD_OUTPUT:
        print_text(text, encoding="utf-8")
    else:
        write_text(Path(target), text)
