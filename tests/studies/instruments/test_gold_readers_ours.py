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
    with pytest.raises(InputError, match=r"line 2: label 'ORG'"):
        read("entities", "gold.tsv", head + "Рада\tORG\tfeminine\tyes\n")


def test_readings_are_documents_with_marked_words(read):
    (one, other) = read("readings", "ntrex_eng.txt", "# a\nThe [woman|noun f] met\n[Bo|name m].\n# b\nNobody.\n")
    assert one.text == "The woman met\nBo." and one.held_out and other.mentions == ()
    assert [(m.start, m.text, m.kind, m.gender) for m in one.mentions] == [
        (4, "woman", "noun", "feminine"),
        (14, "Bo", "name", "masculine"),
    ]
    with pytest.raises(InputError, match=r"document a: '\[Bo\|name x\]' is no mark"):
        read("readings", "ntrex_eng.txt", "# a\n[Bo|name x]\n")
    with pytest.raises(InputError, match="begin it with"):
        read("readings", "ntrex_eng.txt", "[Bo|name m]\n")
