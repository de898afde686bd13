"""The budget of options: how many a command may have, and that its help and the pages name what there is."""

import argparse
import re

import pytest

from textparity.auditing.showing.outputs import AUDIT_OUTPUTS, FOLDER, MERGE_OUTPUTS
from textparity.command import COMMANDS, main
from textparity.commands.settings import SETTINGS
from textparity.comparing.outputs import COMPARE_OUTPUTS
from textparity.translating.outputs import TRANSLATION_OUTPUTS

# The number of long options in --help, without --help itself.
MOST_OPTIONS = {"audit": 30, "check": 32, "merge": 12, "compare": 20, "serve": 8, "translate-check": 8}
OUTPUTS = {
    "audit": AUDIT_OUTPUTS,
    "merge": MERGE_OUTPUTS,
    "compare": COMPARE_OUTPUTS,
    "translate-check": TRANSLATION_OUTPUTS,
}


def options_of(command):
    """Return the long options that the help of a command lists."""
    parser = argparse.ArgumentParser(add_help=False)
    COMMANDS[command].register(parser)
    actions = list(parser._actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            actions += [inner for step in action.choices.values() for inner in step._actions]
    shown = [action for action in actions if action.help != argparse.SUPPRESS and "--help" not in action.option_strings]
    return [option for action in shown for option in action.option_strings if option.startswith("--")]


def help_of(command, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_few_options(command):
    options = options_of(command)
    assert options and len(options) <= MOST_OPTIONS[command], options


def test_the_help_of_an_audit_fits_two_screens(monkeypatch, capsys):
    assert len(help_of("audit", monkeypatch, capsys).splitlines()) <= 110


@pytest.mark.parametrize("command", OUTPUTS)
def test_the_help_lists_every_kind_of_output_with_its_endings(command, monkeypatch, capsys):
    shown = help_of(command, monkeypatch, capsys)
    section = shown.partition("outputs of --write")[2].partition("exit codes:")[0]
    # A line has names and endings, then two spaces before the description.
    heads = " ".join(re.findall(r"^  (\S.*?)  ", section, re.MULTILINE))
    kinds = OUTPUTS[command].kinds
    assert set(re.findall(r"(?<![.\w])[a-z_]+", heads)) == set(kinds)
    assert set(re.findall(r"\.[a-z]+", heads)) == {ending for kind in kinds.values() for ending in kind.endings}


def test_the_page_names_every_setting_and_kind_of_output(repository):
    page = (repository / "docs" / "audit.md").read_text("utf-8")
    options = set(options_of("audit"))
    for name in SETTINGS:
        option = f"--{name.replace('_', '-')}"
        assert (option if option in options else f"`{name}`") in page, name
    for kind in AUDIT_OUTPUTS.kinds:
        assert kind in page
    assert FOLDER in page.lower()
