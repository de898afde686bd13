"""`textparity translate-check`: the command line of the check of translations."""

import argparse
from pathlib import Path

from textparity.auditing import command as audit_command
from textparity.errors import ConfigError

_HEBREW = ("heb", "he", "hebrew")


def add_translate_check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    parser = audit_command.add_command(commands, run_translate_check, "translate-check", Path(__file__).parent)
    add = parser.add_argument
    add("outputs", nargs="*", type=audit_command.file_path, metavar="OUTPUT", help="translations of one system")
    add("--lang", metavar="LANG", help="language of the translations")
    add(
        "--sentences", type=audit_command.file_path, metavar="FILE",
        help="the sentences, in the form of WinoMT (default: WinoMT's, downloaded once)",
    )  # fmt: skip
    add("--write-sentences", metavar="FILE", help="write the English sentences to translate, one a line")
    add(
        "--pipeline", default="", metavar="NAME",
        help="spaCy pipeline of Spanish, French or Italian (package or folder)",
    )  # fmt: skip
    audit_command.add_setting(add, "--seed", "seed of intervals (default: %(default)s)", type=int, metavar="N")
    add("--csv", metavar="FILE", help="write a row for each system and procedure; - prints it")
    add("--html", metavar="FILE", help="write a page with a chart and the table; - prints it")
    add("--quiet", action="store_true", help="print only errors")


def run_translate_check(options: argparse.Namespace) -> int:
    """Check the translations that the options name, print and write the result, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import read_language
    from textparity.auditing.showing.outputs import check_outputs, print_text, write_or_print
    from textparity.reading.sources import InputFile
    from textparity.translating.check import check_translations, find_sentences
    from textparity.translating.winomt import read_sentences

    targets = [options.csv, options.html, options.write_sentences]
    if targets.count(audit_command.STANDARD_OUTPUT) > 1:
        raise ConfigError("two tables would be printed to standard output; write one to a file")
    sources = [InputFile(str(path), "text") for path in options.outputs]
    pipeline = Path(options.pipeline) if options.pipeline else None
    check_outputs(targets, None, sources, options.sentences, pipeline)
    if options.write_sentences:
        source = options.sentences or find_sentences()[0]
        texts = "".join(f"{one.text}\n" for one in read_sentences(source))
        write_or_print([(options.write_sentences, lambda: texts)])
    elif not options.outputs:
        raise ConfigError("name the file with the translations, or --write-sentences to get the sentences to translate")
    if not options.outputs:
        if options.csv or options.html:
            raise ConfigError("name the file with the translations that --csv and --html are about")
        return audit_command.FINE
    if not options.lang:
        raise ConfigError("name the language of the translations: --lang deu")
    # Hebrew has a rule, and is not in the table of languages, which have lexicons.
    lang = "heb" if options.lang.lower() in _HEBREW else read_language(options.lang)
    result = check_translations(options.outputs, lang, options.sentences, options.pipeline, options.seed)
    write_or_print([(options.csv, result.to_csv), (options.html, result.to_html)])
    if not options.quiet and audit_command.STANDARD_OUTPUT not in targets:
        print_text(result.to_text() + "\n", errors="replace")
    return audit_command.FINE
