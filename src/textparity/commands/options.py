"""The options that commands share, and their old names."""

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from textparity.commands.settings import SETTINGS, SKIP, toml_value
from textparity.commands.values import read_name, read_path

ArgumentGroup = argparse._ActionsContainer


def add_settings(group: ArgumentGroup, *names: str) -> None:
    """Add the options for settings."""
    for name in names:
        add_setting(group, name)


def add_setting(
    group: ArgumentGroup,
    name: str,
    text: str = "",
    read: Callable[[str], Any] | None = None,
    default: Any = argparse.SUPPRESS,
) -> None:
    """Add the option for a setting. `text` and `read` replace those of the setting.

    By default, a setting that is not given is missing: it comes from the settings file, or from `default_of`.
    """
    setting = SETTINGS[name]
    details = setting.option_details()
    if read:
        details["type"] = read
    help_text = (text or setting.text).replace("%", "%%")
    group.add_argument(_option_of(name), default=default, help=help_text, **details)


def add_settings_file(group: ArgumentGroup) -> None:
    """Add the option for a settings file."""
    group.add_argument(
        "--settings", type=read_path, metavar="FILE",
        help="TOML file of settings, also those without an option; options win. --write settings= writes it",
    )  # fmt: skip


def add_write(group: ArgumentGroup) -> None:
    """Add the option for outputs. The end of the command's --help lists its kinds."""
    group.add_argument(
        "--write", action="append", default=[], type=read_name, metavar="[KIND=]FILE",
        help="write FILE, whose ending, or else KIND, decides what (below); a FOLDER gets tables and page; KIND=- "
        "prints; repeatable",
    )  # fmt: skip


def add_checks(group: ArgumentGroup, example: str) -> None:
    """Add the option for conditions. `example` is a condition that the help shows."""
    group.add_argument(
        "--fail-if", action="append", default=[], metavar="CONDITION",
        help=f"exit code 4 if a row meets the condition, such as '{example}'; it must hold for the whole interval of "
        "a share, rate or ratio; repeatable",
    )  # fmt: skip


def add_quiet(group: ArgumentGroup, text: str) -> None:
    """Add the option for printing less."""
    group.add_argument("--quiet", action="store_true", help=text)


def add_old_outputs(parser: ArgumentGroup, *names: str) -> None:
    """Add the old names of `--write`, one for each kind of output."""
    for name in names:
        _add_old(parser, f"--{name}", _OldOutput, dest="write", type=read_name)


def add_old_json(parser: ArgumentGroup) -> None:
    """Add the old name of `--write json=-`."""
    _add_old(parser, "--json", _OldOutput, dest="write", nargs=0, const="-")


def add_old_settings(parser: ArgumentGroup, *names: str) -> None:
    """Add the old options of settings that now stand in a settings file."""
    for name in names:
        setting = SETTINGS[name]
        details = {"nargs": 0, "const": True} if setting.type is bool else setting.option_details()
        details.pop("action", None)
        _add_old(parser, _option_of(name), _OldSetting, **details)


def add_old_skips(parser: ArgumentGroup, *names: str) -> None:
    """Add the old names of `--on-error skip`. Each still skips only what it did: files, or lines and records."""
    parser.set_defaults(skip_failed=False, skip_invalid=False)
    for name in names:
        _add_old(parser, _option_of(name), _OldSkip, nargs=0, const=True)


def add_column(parser: ArgumentGroup) -> None:
    """Add `--column`, the old name of `--field` for tables."""
    _add_old(parser, "--column", _OldColumn, dest="field")


def skips_failed(options: argparse.Namespace, on_error: str) -> bool:
    """Decide whether files that cannot be read are skipped."""
    return on_error == SKIP or options.skip_failed


def skips_invalid(options: argparse.Namespace, on_error: str) -> bool:
    """Decide whether invalid lines and records are skipped."""
    return on_error == SKIP or options.skip_invalid


def describe_old_names(renamed: Iterable[tuple[str, str]]) -> str:
    """Describe in a sentence what replaces each old option."""
    changes = ", ".join(f"{old} is now {new}" for old, new in dict.fromkeys(renamed))
    return f"{changes}; the old options end with the next version"


def _add_old(parser: ArgumentGroup, option: str, action: "type[_OldName]", **details: Any) -> None:
    parser.add_argument(option, action=action, default=argparse.SUPPRESS, help=argparse.SUPPRESS, **details)


def _option_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"


class _OldName(argparse.Action):
    """An old option. It notes its name and what replaces it in `renamed`."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        value = self.const if self.nargs == 0 else values
        replacement = self.replace(namespace, value, option or "")
        renamed = [*getattr(namespace, "renamed", ()), (option, replacement)]
        namespace.renamed = renamed

    def replace(self, namespace: argparse.Namespace, value: Any, option: str) -> str:
        """Set what the option stands for, and name its replacement."""
        raise NotImplementedError


class _OldOutput(_OldName):
    def replace(self, namespace: argparse.Namespace, value: Any, option: str) -> str:
        kind = "folder" if option == "--output" else option.removeprefix("--")
        output = f"{kind}={value}"
        namespace.write = [*namespace.write, output]
        return f"--write {output}"


class _OldSetting(_OldName):
    def replace(self, namespace: argparse.Namespace, value: Any, option: str) -> str:
        setting = SETTINGS[self.dest]
        if setting.action == "extend":
            value = (*getattr(namespace, self.dest, ()), *value)
        elif setting.action != "store" and self.dest in namespace:
            # Repeated pipelines are concatenated.
            value = f"{getattr(namespace, self.dest)},{value}"
        setattr(namespace, self.dest, value)
        return f"{self.dest} = {toml_value(value)} in a file for --settings"


class _OldColumn(_OldName):
    def replace(self, namespace: argparse.Namespace, value: Any, option: str) -> str:
        namespace.field = value
        return f"--field {value}"


class _OldSkip(_OldName):
    def replace(self, namespace: argparse.Namespace, value: Any, option: str) -> str:
        setattr(namespace, self.dest, True)
        return "--on-error skip"
