"""`textparity serve`: the command line of the page."""

import argparse

from textparity.auditing.command import FINE, add_counting, number_from, run_and_report_errors
from textparity.errors import ConfigError, MissingResourceError

_DESCRIPTION = """\
Open a page in the browser that takes a text, marks the words in it that textparity audit counts, and shows rates with
intervals, verdict and warnings. The page is served on this machine's loopback address alone, behind a random token;
texts are neither written to disk nor logged, and nothing is sent elsewhere.
"""
_EPILOG = """\
examples:
  textparity serve
  textparity serve --lang spa
  textparity serve --method persons
"""


def add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand to the parser's commands."""
    parser = commands.add_parser(
        "serve", help="mark the words of a text in the browser", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.set_defaults(run=run_serve)
    add = parser.add_argument_group("what is chosen on the page at first").add_argument
    add("--lang", default="", metavar="LANG", help="language; default: found out")
    add_counting(add)
    parser.add_argument(
        "--port", type=number_from(0), default=0, metavar="N", help="port on 127.0.0.1 (default: any that is free)"
    )
    parser.add_argument("--no-browser", action="store_true", help="say the address only")


def run_serve(options: argparse.Namespace) -> int:
    """Serve the page until the command is interrupted, and return the exit code."""
    return run_and_report_errors(_serve, options)


def _serve(options: argparse.Namespace) -> int:
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import read_language
    from textparity.auditing.settings import DEFAULT_METHOD
    from textparity.persons.mentions import PERSONS, PUBLISHED
    from textparity.serving.page import Choices, TextServer, missing_pipelines

    choices = Choices(
        lang=read_language(options.lang) if options.lang else "",
        layers=options.layers,
        method=options.method or DEFAULT_METHOD,
    )
    # An error should appear now, not after the first text.
    choices.settings()
    if choices.method == PUBLISHED:
        raise ConfigError("the page marks words where they stand, which the method published does not say; use another")
    if options.method == PERSONS and all(missing := missing_pipelines().values()):
        raise MissingResourceError(f"no language has a pipeline here: {'; '.join(dict.fromkeys(missing))}")
    try:
        server = TextServer(choices, options.port)
    except (OSError, OverflowError) as error:
        raise ConfigError(f"port {options.port} cannot be served on ({error}); choose another --port") from None
    print(f"{server.url}\nFor this machine alone; texts are not kept. Stop with Ctrl+C.", flush=True)
    server.serve_user(not options.no_browser)
    return FINE
