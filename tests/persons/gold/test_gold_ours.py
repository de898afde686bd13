"""Readers of what was annotated for this project, on tiny texts."""

import pytest

from textparity.errors import InputError


def test_titles_and_names_are_texts_of_their_own_with_the_annotated_gender(read):
    head = "entity\tlabel\tgender\theld_out\n"
    job, name = read("entities", "gold.tsv", head + "лікарка\tJOB\tfeminine\tyes\nШевченко\tPERS\tunknown\tno\n")
    assert [(one.genre, one.half, one.mentions[0].kind, one.mentions[0].gender) for one in (job, name)] == [
        ("title", "kept", "noun", "feminine"),
        ("name", "development", "name", "unspecified"),
    ]
    with pytest.raises(InputError, match=r"line 2: label 'ORG' is none of JOB, PERS"):
        read("entities", "gold.tsv", head + "Рада\tORG\tfeminine\tyes\n")
