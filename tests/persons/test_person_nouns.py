"""Nouns for persons from a tiny WordNet."""

import io
import tarfile

import pytest

from textparity.errors import InputError
from textparity.persons.person_nouns import list_person_nouns, read_person_nouns

DATA = """\
  1 This is the licence.
00000001 18 n 01 baker 0 000 | one who bakes
00000002 06 n 01 oven 0 000 | where it is baked
00000005 05 n 01 hen 0 000 | a bird
00000003 18 n 01 Shakespeare 0 001 @i 00000001 n 0000 | a poet
"""
INDEX = """\
baker n 2 1 @ 2 0 00000001 00000002
oven n 2 1 @ 2 0 00000002 00000001
master_baker n 1 0 1 0 00000001
shakespeare n 1 0 1 0 00000003
"""
TABS = """\
# A wordnet

00000001-n\tfra:lemma\tboulanger
00000001-n\tfra:lemma\tlarge
00000009-a\tfra:lemma\tlarge
00000010-r\tfra:lemma\tlarge
00000001-n\tfra:lemma\tGrâce
00000002-n\tfra:lemma\tgrâce
00000004-n\tfra:lemma\tgrâce
00000001-n\tfra:lemma\tcuisinier
00000002-n\tfra:lemma\tcuisinière
"""


def packed(path, members):
    with tarfile.open(path, "w:gz") as tar:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def archive(tmp_path):
    return packed(tmp_path / "wn.tar.gz", {"dict/data.noun": DATA, "dict/index.noun": INDEX})


def test_english_words_most_of_whose_senses_are_persons(archive, tmp_path):
    list_person_nouns(archive, tmp_path / "nouns.txt")
    assert read_person_nouns(tmp_path / "nouns.txt") == {"baker", "master baker"}


def test_words_of_another_language_with_their_feminine_forms(archive, tmp_path):
    tabs = tmp_path / "wn.tab"
    tabs.write_text(TABS, "utf-8")
    list_person_nouns(archive, tmp_path / "nouns.txt", [tabs], {"er": "ère", "r": "re"})
    # An oven is a cuisinière, too.
    assert read_person_nouns(tmp_path / "nouns.txt") == {"boulanger", "boulangère", "cuisinier"}


def test_animals_follow_after_a_hyphen_where_they_are_asked_for(archive, tmp_path):
    tabs = tmp_path / "wn.tab"
    tabs.write_text("00000001-n\tces:lemma\tpekař\n00000005-n\tces:lemma\tslepice\n", "utf-8")
    list_person_nouns(archive, tmp_path / "nouns.txt", [tabs])
    assert read_person_nouns(tmp_path / "nouns.txt") == {"pekař"}
    list_person_nouns(archive, tmp_path / "nouns.txt", [tabs], has_animals=True)
    assert read_person_nouns(tmp_path / "nouns.txt") == {"pekař", "-slepice"}


def test_another_archive_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"wn\.tar\.gz: is not an archive with dict/data\.noun"):
        list_person_nouns(packed(tmp_path / "wn.tar.gz", {"other": ""}), tmp_path / "nouns.txt")
