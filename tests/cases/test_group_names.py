"""Values that are called as our own groups are called stay groups of their own."""

import json

from lexicons import NOUNS

from textparity.auditing.audit import audit_files
from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS, value_name

OURS = (NO_GROUP, OTHER_GROUPS, NO_DATE)


def test_values_called_as_our_groups_are_groups_of_their_own(tmp_path):
    values = [*["(none)"] * 6, *["(other)"] * 5, *["a"] * 4, "b", "c", None, None]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"text": "A man.", "g": value}) + "\n" for value in values), "utf-8")
    result = audit_files([path], "eng", lexicon_folder=NOUNS, group_by="g", max_groups=3)
    assert {item.group: item.texts for item in result.groups} == {
        '"(none)"': 6, '"(other)"': 5, "a": 4, OTHER_GROUPS: 2, NO_GROUP: 2,
    }  # fmt: skip
    assert not result.warnings


def test_different_values_have_different_names():
    values = [quotes + name + quotes for name in OURS for quotes in ("", '"', '""')]
    names = {value_name(value) for value in values}
    assert len(names) == len(values) and not names & {*OURS}
