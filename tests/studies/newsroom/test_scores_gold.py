"""Annotated passages: their markup is read, and whatever is malformed is named with its line."""

import pytest

from textparity.errors import InputError
from textparity_studies.measures.passages import GoldMention, GoldQuote
from textparity_studies.newsroom.scores import read_gold_passages

HEAD = "== 1 Politik\n! inclusive\n@ a feminine named Anna Berger\n@ m masculine generic Männer\n"
TEXT = "[a S|Anna Berger] lobt [m O|Männer]. <d a|„Ja“>, sagt [a S|sie]. <i -|Die Firma sage, [a -|ihr] sei es recht.>"


@pytest.fixture
def read(tmp_path):
    def read(content):
        (tmp_path / "gold.txt").write_text(content, encoding="utf-8")
        return read_gold_passages(tmp_path / "gold.txt")

    return read


def test_a_passage_is_read(read):
    (passage,) = read(f"# A comment\n\n{HEAD}{TEXT}\n")
    assert (passage.id, passage.topic) == ("1", "Politik")
    assert passage.text == "Anna Berger lobt Männer. „Ja“, sagt sie. Die Firma sage, ihr sei es recht."
    actor = passage.actors["a"]
    assert (actor.key, actor.gender, actor.kind, actor.name) == ("a", "feminine", "named", "Anna Berger")
    assert [
        (passage.text[one.start : one.end], one.actor, one.role, one.kind) for one in passage.mentions
    ] == [
        ("Anna Berger", "a", "subject", "named"),
        ("Männer", "m", "object", "generic"),
        ("sie", "a", "subject", "pronoun"),
        ("ihr", "a", "", "pronoun"),
    ]  # fmt: skip
    assert passage.mentions[0] == GoldMention(0, 11, "a", "subject", "named")
    assert [(passage.text[one.start : one.end], one.speaker, one.is_direct) for one in passage.quotes] == [
        ("„Ja“", "a", True),
        ("Die Firma sage, ihr sei es recht.", "", False),
    ]
    assert passage.quotes[0] == GoldQuote(25, 29, "a", True)
    assert (passage.inclusive, passage.generic_masculine, passage.held_out) == (True, False, False)


@pytest.mark.parametrize("word", ["er", "Ihm", "ihren", "sein", "Seines"])
def test_pronouns_are_told_from_names_by_their_form(read, word):
    (passage,) = read(f"== 1 X\n@ a undetermined named Seiler\n[a -|{word}] [a -|Seiler]\n")
    assert [mention.kind for mention in passage.mentions] == ["pronoun", "named"]


def test_passages_follow_each_other_with_their_own_actors(read):
    first, second = read("== 1 X\n@ a feminine named Anna\n[a S|Anna]\n\n== 2 Y\n! held_out\nNiemand.\n")
    assert (list(first.actors), list(second.actors)) == (["a"], [])
    assert (first.held_out, second.held_out) == (False, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no passages"),
        ("# only a comment\n", "has no passages"),
        ("Text\n", "line 1: text outside of a passage"),
        ("== 1\nText\n", "line 1: a passage begins with"),
        ("== 1 X\nText\n== 1 Y\nText\n", "line 3: a passage begins with .* each number once"),
        ("== 1 X\n== 2 Y\n", "line 2: passage 1 has no text"),
        ("== 1 X\n@ a feminine named Anna\n", "passage 1 has no text"),
        ("== 1 X\n! inklusiv\n", "line 2: 'inklusiv'"),
        ("== 1 X\n@ a female named Anna\n", "line 2: an actor is `@ key gender kind name`"),
        ("== 1 X\n@ a feminine pronoun sie\n", "line 2: an actor is"),
        ("== 1 X\n@ a feminine named\n", "line 2: an actor is"),
        ("== 1 X\n@ a feminine named A\n@ a feminine named B\n", "line 3: actor a is a duplicate"),
        (f"{HEAD}[b S|Anna]", "line 5: actor 'b' is not in the list above the text"),
        (f"{HEAD}[- S|Anna]", "actor '-' is not in the list"),
        (f"{HEAD}[a X|Anna]", "line 5: role 'X'"),
        (f"{HEAD}[a S|Anna", "line 5: .* is never closed"),
        (f"{HEAD}Anna]", r"line 5: '\]' at character 5 closes nothing"),
        (f"{HEAD}<d a|[a S|Anna>]", "line 5: '>' at character 15 closes nothing"),
        (f"{HEAD}[a S|Anna] [m S|Männer] [a Anna]", "line 5: '.' at character 32 closes nothing"),
        (f"{HEAD}[a S|Anna] [m S|Männer] <a", "line 5: markup that cannot be read"),
        (f"{HEAD}[a S|Anna ]", r"line 5: the markup that ends at character 11 is empty or has a space at its edge"),
        (f"{HEAD}[a S|]", r"line 5: the markup that ends at character 6 is empty"),
        (f"{HEAD}[a S|Anna]", "line 5: actor m is never mentioned"),
    ],
)
def test_whatever_is_malformed_is_named_with_its_line(read, content, said):
    with pytest.raises(InputError, match=rf"gold\.txt.*{said}"):
        read(content)


def test_a_file_of_another_encoding_is_named(tmp_path):
    (tmp_path / "gold.txt").write_bytes("== 1 Bücher\n".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_gold_passages(tmp_path / "gold.txt")


def test_the_shipped_passages_have_both_genders_and_a_half_that_is_held_out(repository):
    passages = read_gold_passages(repository / "resources" / "newsroom" / "gold" / "newsroom_deu.txt")
    genders = [actor.gender for passage in passages for actor in passage.actors.values()]
    assert min(genders.count("feminine"), genders.count("masculine")) > 0.4 * len(genders)
    assert 0.4 < sum(passage.held_out for passage in passages) / len(passages) < 0.6
