"""The rules of the `propagation` study name each file with its base model, language and variant."""

import re

RULE = re.compile(r"^rule (\w+):\n(.*?)(?=^\S)", re.MULTILINE | re.DOTALL)


def test_units_are_those_of_the_files(repository):
    text = (repository / "rules/propagation/tables.smk").read_text("utf-8")
    found = {
        name: (re.findall(r"\b(\w+_UNITS),?\s*\)", body), re.findall(r"\bunits=(\w+)", body))
        for name, body in RULE.findall(text)
        if "units=" in body
    }
    assert len(found) == 5
    for name, (files, units) in found.items():
        assert files == units, name
