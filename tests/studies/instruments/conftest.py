"""Fixtures of tests of readers: words that show a gender, and reading tiny files."""

import pytest

from textparity_studies.instruments.annotated_texts import GoldWords
from textparity_studies.instruments.gold_readers import READERS

WORDS = """\
lang\tword\tshows
eng\the\tmasculine_pronoun
eng\this\tmasculine_pronoun
eng\tshe\tfeminine_pronoun
eng\ther\tfeminine_pronoun
eng\tyou\tno_mention
eng\tmen\tmasculine_noun
eng\twomen\tfeminine_noun
eng\tuncle\tmasculine_noun
deu\ter\tmasculine_pronoun
deu\tsie\tfeminine_pronoun
deu\tihr\tfeminine_pronoun
deu\tich\tno_mention
deu\twir\tno_mention
kor\t그녀\tfeminine_pronoun
kor\t그들\tgroup
kor\t나\tno_mention
kor\t어머니\tfeminine_noun
kor\t아들\tmasculine_noun
kor\t는\tparticle
kor\t은\tparticle
kor\t의\tparticle
kor\t에게\tparticle
ita\tmadre\tfeminine_noun
ita\tconte\tmasculine_noun
ita\tguida\tno_gender
ita\tla\tfeminine_article
ita\til\tmasculine_article
ita\tnello\tmasculine_article
lvs\tzvaigzne\tno_gender
"""


@pytest.fixture
def words(tmp_path):
    """Words of a language that show a gender."""
    (tmp_path / "words.tsv").write_text(WORDS, "utf-8")
    return lambda lang="eng": GoldWords(tmp_path / "words.tsv", lang)


@pytest.fixture
def read(tmp_path, words):
    """Read a file by a format, beside others; in their names, `__` stands for a dot."""

    def run(kind, name, text, lang="eng", **others):
        for other, content in {name: text, **others}.items():
            path = tmp_path / other.replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        return list(READERS[kind](tmp_path / name, words(lang)))

    return run


@pytest.fixture
def shown():
    """List the mentions of a text."""
    return lambda text: [(one.text, one.kind, one.gender) for one in text.mentions]
