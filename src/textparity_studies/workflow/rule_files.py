"""Find the rules that rule files declare, without running Snakemake."""

import re
from collections.abc import Iterable
from pathlib import Path

from textparity.errors import ConfigError

_RULE = re.compile(r"^ *(?:rule|checkpoint|use rule \w+ as) (\w+)\b", re.MULTILINE)


def declared_rules(file: Path) -> list[str]:
    """List the names of the rules that a file declares, also under a condition."""
    return _RULE.findall(file.read_text("utf-8"))


def check_rule_names(files: Iterable[Path]) -> None:
    """Raise `ConfigError` if two files declare a rule of the same name, because Snakemake names only one of them."""
    declared: dict[str, Path] = {}
    for file in files:
        for rule in declared_rules(file):
            first = declared.setdefault(rule, file)
            if first != file:
                raise ConfigError(f"{first} and {file} both have a rule {rule}; rename one of them")
