"""Values that are called as our own groups are called stay groups of their own."""

import json

from hypothesis import given
from hypothesis import strategies as st
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


PARTS = ['"', "\\", "\x1b", "\\x1b", "\\n", "\n", " ", "\u2028", "\\u2028", "\udce9", "a", "2019-05", "x22"]
TEXTS = st.lists(st.sampled_from([*OURS, *PARTS]), max_size=5).map("".join)


@given(TEXTS, TEXTS, st.booleans())
def test_different_values_have_different_names(one, other, has_dates):
    names = [value_name(text, date_format="" if has_dates else "%d/%m/%Y") for text in (one, other)]
    blank = [not text.strip() for text in (one, other)]
    is_period = [text.strip() == "2019-05" and has_dates for text in (one, other)]
    assert (names[0] == names[1]) is (one == other or all(blank) or all(is_period))
    assert [name in OURS for name in names] == blank
