"""Readers of annotated texts, on tiny texts."""

import pytest

from textparity.errors import InputError
from textparity.persons.gold import READERS
from textparity.persons.gold.texts import GoldWords

WORDS = """\
lang\tword\tshows
eng\the\tmasculine_pronoun
eng\tshe\tfeminine_pronoun
eng\tyou\tno_mention
eng\tmen\tmasculine_noun
eng\twomen\tfeminine_noun
eng\tuncle\tmasculine_noun
"""


@pytest.fixture
def words(tmp_path):
    (tmp_path / "words.tsv").write_text(WORDS, "utf-8")
    return GoldWords(tmp_path / "words.tsv", "eng")


@pytest.fixture
def read(tmp_path, words):
    def run(kind, name, text, **others):
        for other, content in {name: text, **others}.items():
            path = tmp_path / other.replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        return list(READERS[kind](tmp_path / name, words))

    return run


def shown(text):
    return [(one.text, one.kind, one.gender) for one in text.mentions]


def conllu(*rows):
    lines = ["# newdoc id = one", "# meta::genre = news"]
    for number, (form, tag, misc) in enumerate(rows, start=1):
        lines.append("\t".join([str(number), form, "_", tag, "_", "_", "0", "_", "_", misc]))
    return "\n".join(lines) + "\n"


def test_gum_gives_a_chain_the_gender_of_its_pronouns(read):
    rows = [
        ("Kim", "PROPN", "Entity=(1-person-new-1)"), ("saw", "VERB", "_"), ("the", "DET", "Entity=(2-place-new-2"),
        ("town", "NOUN", "Entity=2)"), ("he", "PRON", "Entity=(1-person-giv-1)"),
        ("you", "PRON", "Entity=(3-person-new-1)|SpaceAfter=No"), (".", "PUNCT", "_"),
    ]  # fmt: skip
    (text,) = read("gum", "one.conllu", conllu(*rows))
    assert (text.id, text.genre, text.text) == ("one", "news", "Kim saw the town he you. ")
    assert shown(text) == [("Kim", "name", "masculine"), ("he", "pronoun", "masculine")]


def test_brat_splits_a_chain_that_shows_both_genders(read):
    text = "Kim came. He saw Lou. She left."
    places = {"T1": (0, 3), "T2": (10, 12), "T3": (17, 20), "T4": (22, 25)}
    lines = [f"{key}\tPER {start} {end}\t{text[start:end]}" for key, (start, end) in places.items()]
    lines += [f"R{number}\tCoreference Arg1:{one} Arg2:{other}" for number, (one, other) in enumerate(
        [("T1", "T2"), ("T2", "T3"), ("T3", "T4")], start=1)]  # fmt: skip
    (found,) = read("brat", "one.ann", "\n".join(lines), one__txt=text)
    assert [gender for _, _, gender in shown(found)] == ["masculine", "masculine", "unspecified", "feminine"]
    with pytest.raises(InputError, match=r"one\.ann, line 1: T1 ends after the text"):
        read("brat", "one.ann", lines[0], one__txt="Ki")


def test_openboek_has_the_gender_of_its_features(read):
    coref = "\n".join(["#begin document (one);", "one\t0\t0\tJan\tSPEC[deeleigen]\t(1)", "one\t0\t1\tlacht\tWW\t-", ""])
    features = "filename\tsentno\tbegin\tend\tgender\tcategory\none\t0\t0\t1\tm\tname\n"
    (text,) = read("openboek", "coref/one.conll", coref, **{"features/one__tsv": features})
    assert shown(text) == [("Jan", "name", "masculine")]


def test_marked_words_are_mentions_of_the_version(read):
    one, two = read("marked", "feminine.en", "<F>She</F> saw [<F>her</F>] friend.\nNobody came.\n")
    assert one.text == "She saw [her] friend."
    assert [(mention.start, mention.text, mention.gender) for mention in one.mentions] == [
        (0, "She", "feminine"), (9, "her", "feminine"),
    ]  # fmt: skip
    assert (one.unit, two.unit, two.mentions) == ("1", "2", ())
    for line in ("<F>She left.", "She</F> left."):
        with pytest.raises(InputError, match=r"feminine\.en, line 1: "):
            read("marked", "feminine.en", line)


def test_tagged_words_are_mentions_and_neighbours_are_one(read):
    block = '"Señor Presidente, la persona y la mesa." "Señor - P, M\nPresidente - P, M\npersona - P, F\nmesa - N, F"\n'
    (text,) = read("tagged", "gold.txt", block)
    assert shown(text) == [("Señor Presidente", "noun", "masculine"), ("persona", "noun", "feminine")]
    with pytest.raises(InputError, match=r"gold\.txt, block 1: 'persona' must be word"):
        read("tagged", "gold.txt", '"La persona." "persona"')


def test_a_mention_shows_each_gender_once(words):
    assert words.shown(["men and women, and other men"]) == {"masculine": 1, "feminine": 1}
    assert words.shown(["the old-uncle"]) == {"masculine": 1}


def test_both_versions_of_a_sentence_are_in_one_half(read):
    line = "\n".join("She" for _ in range(40))
    feminine, masculine = read("marked", "feminine.en", line), read("marked", "masculine.en", line)
    assert [text.half for text in feminine] == [text.half for text in masculine]
    assert {text.half for text in feminine} == {"development", "kept"}


def test_titles_and_names_are_texts_of_their_own_with_the_annotated_gender(read):
    head = "entity\tlabel\tgender\theld_out\n"
    job, name = read("entities", "gold.tsv", head + "лікарка\tJOB\tfeminine\tyes\nШевченко\tPERS\tunknown\tno\n")
    assert [(one.genre, one.half, one.mentions[0].kind, one.mentions[0].gender) for one in (job, name)] == [
        ("title", "kept", "noun", "feminine"),
        ("name", "development", "name", "unspecified"),
    ]
    with pytest.raises(InputError, match=r"line 2: label 'ORG' is none of JOB, PERS"):
        read("entities", "gold.tsv", head + "Рада\tORG\tfeminine\tyes\n")
