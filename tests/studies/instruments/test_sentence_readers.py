"""Readers of sentences and snippets, on tiny texts."""

import pytest

from textparity.errors import InputError

GAP = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"


def test_marked_words_are_mentions_of_the_version(read):
    one, two = read("marked", "feminine.en", "<F>She</F> saw [<F>her</F>] friend.\nNobody came.\n")
    assert one.text == "She saw [her] friend."
    assert [(mention.start, mention.text, mention.gender) for mention in one.mentions] == [
        (0, "She", "feminine"), (9, "her", "feminine"),
    ]  # fmt: skip
    assert (one.unit, two.unit, two.mentions) == ("1", "2", ())


def test_tagged_words_are_mentions_and_neighbours_are_one(read, shown):
    block = '"Señor Presidente, la persona y la mesa." "Señor - P, M\nPresidente - P, M\npersona - P, F\nmesa - N, F"\n'
    (text,) = read("tagged", "gold.txt", block)
    assert shown(text) == [("Señor Presidente", "noun", "masculine"), ("persona", "noun", "feminine")]


def test_gap_knows_the_gender_of_the_pronoun_and_of_the_name_that_is_of_its_person(read, shown):
    row = "development-1\tKim met Lou, and she left.\tshe\t17\tKim\t0\tTRUE\tLou\t8\tFALSE\tx\n"
    (text,) = read("gap", "gap.tsv", GAP + row)
    assert shown(text) == [("Kim", "name", "feminine"), ("Lou", "name", "unspecified"), ("she", "pronoun", "feminine")]
    with pytest.raises(InputError, match=r"gap\.tsv: .*Pronoun$"):
        read("gap", "gap.tsv", GAP.replace("Pronoun\t", "") + row)


def test_brackets_are_a_person_and_a_pronoun_of_one_gender(read, shown):
    (text,) = read("brackets", "anti_stereotyped_type1.txt.dev", "4 [The nurse] called because [he] was late.\n")
    assert (text.unit, text.text) == ("type1.txt.dev/4", "The nurse called because he was late.")
    assert shown(text) == [("The nurse", "noun", "masculine"), ("he", "pronoun", "masculine")]


def test_schemas_are_read_for_women_and_men_alone(read, shown):
    rows = [f"a.b.1.{name}.txt\tThe guide said {word} slept." for name, word in (
        ("male", "he"), ("female", "she"), ("neutral", "they"),
    )]  # fmt: skip
    masculine, feminine = read("schemas", "all.tsv", "\n".join(["sentid\tsentence", *rows]))
    assert masculine.unit == feminine.unit == "a.b.1"
    assert shown(masculine) + shown(feminine) == [("he", "pronoun", "masculine"), ("she", "pronoun", "feminine")]
