"""`textparity serve`: mark the words of a text in the browser."""

import argparse

from textparity.auditing.settings import DEFAULT_METHOD, make_settings
from textparity.commands.messages import FINE
from textparity.commands.options import add_setting
from textparity.commands.settings import SETTINGS
from textparity.commands.values import number_from, read_method
from textparity.counting.terms import LAYERS
from textparity.errors import ConfigError, MissingResourceError
from textparity.persons.mentions import PERSONS, PUBLISHED


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    group = parser.add_argument_group("initial choices on the page")
    group.add_argument("--lang", default="", metavar="LANG", help="language; default: detected")
    method_text, _, _ = SETTINGS["method"].text.rpartition("; several")
    add_setting(group, "method", method_text, read=read_method, default="")
    add_setting(group, "layers", default=LAYERS)
    port_help = "port on 127.0.0.1 (default: any that is free)"
    parser.add_argument("--port", type=number_from(0), default=0, metavar="N", help=port_help)
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")


def run(options: argparse.Namespace) -> int:
    """Serve the page until the command is interrupted, and return the exit code."""
    # Imported here so that --help stays fast.
    from textparity.auditing.languages import read_language
    from textparity.serving.page import Choices, TextServer, missing_pipelines

    choices = Choices(
        lang=read_language(options.lang) if options.lang else "",
        layers=options.layers,
        method=options.method or DEFAULT_METHOD,
    )
    # An error should appear now, not after the first text.
    make_settings(**choices.settings())
    if choices.method == PUBLISHED:
        raise ConfigError("the page needs the positions of words, which the method published lacks; use another method")
    if options.method == PERSONS:
        missing = missing_pipelines().values()
        if all(missing):
            reasons = "; ".join(dict.fromkeys(missing))
            raise MissingResourceError(f"no language has a pipeline here: {reasons}")
    server = TextServer(choices, options.port)
    print(f"{server.url}\nFor this machine alone; texts are not kept. Stop with Ctrl+C.", flush=True)
    server.serve_user(not options.no_browser)
    return FINE
