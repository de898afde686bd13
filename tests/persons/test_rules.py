"""What the method `persons` knows of a language, and wrong rows."""

import pytest

from textparity.errors import TableError
from textparity.persons.rules import read_rules

PRONOUNS = "lang\tform\tgender\trole\neng\the\tmasculine\tpersonal\nfra\til\tmasculine\tpersonal\n"
WORDS = "lang\tkind\tword\tgender\nfra\tarticle\tla\tfeminine\nfra\tfeminine_ending\ter>ère\t\n"


@pytest.fixture
def read(tmp_path):
    def run(pronouns=PRONOUNS, words=WORDS, lang="fra"):
        (tmp_path / "pronouns.tsv").write_text(pronouns, "utf-8")
        (tmp_path / "words.tsv").write_text(words, "utf-8")
        return read_rules(tmp_path / "pronouns.tsv", tmp_path / "words.tsv", lang)

    return run


def test_rules_are_the_rows_of_one_language(read):
    rules = read()
    assert rules.pronouns == {"il": ("masculine", "personal")}
    assert rules.of_kind("article") == {"la": "feminine"}
    assert rules.of_kind("marker") == {}
    assert rules.feminine_endings == {"er": "ère"}


@pytest.mark.parametrize(
    "table",
    [
        {"pronouns": PRONOUNS + "eng\tshe\tfemale\tpersonal\n"},
        {"pronouns": PRONOUNS + "eng\tshe\tfeminine\tsubject\n"},
        {"words": WORDS + "fra\tarticles\tle\tmasculine\n"},
        {"words": WORDS + "fra\tfeminine_ending\teur\t\n"},
    ],
)
def test_a_wrong_row_is_named(read, table):
    with pytest.raises(TableError, match=r"(pronouns|words)\.tsv, line 4: "):
        read(**table)


@pytest.mark.parametrize("lang", ["eng", "fra", "spa"])
def test_the_shipped_rules_can_be_read(repository, lang):
    folder = repository / "resources" / "persons"
    assert read_rules(folder / "pronouns.tsv", folder / "words.tsv", lang).pronouns
