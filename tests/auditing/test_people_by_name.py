"""The people of a corpus by name: those mentioned most, and one person in several documents."""

import csv
import json

import pytest

import textparity
from textparity.auditing import languages
from textparity.command import main
from textparity.errors import ConfigError
from textparity.persons.mentions import Mention

# What a word mentions: kind, gender, evidence and person. A name is written with `_` for its spaces.
WORDS = {
    "Anna_Berg": ("name", "feminine", "first name", "anna"),
    "Mrs_Berg": ("name", "feminine", "title", "anna"),
    "she": ("pronoun", "feminine", "pronoun", "anna"),
    "ANNA_BERG": ("name", "feminine", "first name", "anna"),
    "Kim_Lee": ("name", "unspecified", "", "kim"),
    "he": ("pronoun", "masculine", "pronoun", "kim"),
    "they": ("pronoun", "feminine", "pronouns", "kim"),
    "Berg": ("name", "unspecified", "", "berg"),
    "king": ("noun", "masculine", "lexicon", "king"),
}


class Finder:
    """Find the words of the table above."""

    def find(self, texts):
        for text in texts:
            mentions, start = [], 0
            for word in text.split(" "):
                end = start + len(word)
                if word in WORDS:
                    kind, gender, evidence, person = WORDS[word]
                    name = word.replace("_", " ")
                    untitled = name.removeprefix("Mrs ") if kind == "name" else ""
                    entity = list(WORDS).index(next(one for one in WORDS if WORDS[one][3] == person))
                    mentions.append(Mention(start, end, name, kind, gender, entity, evidence, untitled=untitled))
                start = end + 1
            yield mentions


@pytest.fixture(autouse=True)
def finder(monkeypatch):
    monkeypatch.setattr(languages, "load_finder", lambda *options: Finder())
    monkeypatch.setattr(languages, "why_no_pipeline", lambda *options: "")


def audit(texts, **settings):
    return textparity.audit(texts, "eng", method="persons", count="people", **settings)


def listed(result):
    return [(one.name, one.gender, one.evidence, one.documents, one.mentions) for one in result["eng"].people]


def test_the_people_mentioned_most_have_the_evidence_of_most_mentions():
    texts = ["Anna_Berg she she spoke", "Mrs_Berg Anna_Berg spoke", "Berg and king spoke", "Anna_Berg spoke"]
    people = audit(texts)
    assert listed(people) == [("Anna Berg", "feminine", "first name", 3, 6), ("Berg", "unspecified", "", 1, 1)]
    assert listed(audit(texts, top=1)) == listed(people)[:1]


def test_a_person_has_the_gender_of_most_documents_and_the_spelling_of_most():
    texts = ["Kim_Lee he he he he", "Kim_Lee they", "Kim_Lee they", "ANNA_BERG", "Anna_Berg", "Anna_Berg"]
    assert listed(audit(texts)) == [
        ("Kim Lee", "feminine", "pronouns", 3, 9),
        ("Anna Berg", "feminine", "first name", 3, 3),
    ]


def test_people_are_shown_in_each_output(tmp_path, capsys):
    path = tmp_path / "texts.txt"
    path.write_text("Anna_Berg she spoke\nKim_Lee spoke\n", "utf-8")
    counting = ["audit", str(path), "--lang", "eng", "--method", "persons", "--count", "people"]
    table, page, data = (tmp_path / name for name in ("people.csv", "page.html", "audit.json"))
    assert main([*counting, "--show", "people", f"--write=people={table}", f"--write={page}", f"--write={data}"]) == 0
    shown = capsys.readouterr().out
    assert "  Anna Berg     feminine     first name          1         2\n" in shown
    assert shown.startswith(
        "1 woman and 0 men. Too few to state women's share: 1 line that mentions one, 10 are needed"
    )
    rows = list(csv.DictReader(table.open("r")))
    assert [(row["rank"], row["name"], row["mentions"]) for row in rows] == [
        ("1", "Anna Berg", "2"),
        ("2", "Kim Lee", "1"),
    ]
    assert '<th scope="row">Anna Berg</th><td>feminine</td><td>first name</td>' in page.read_text("utf-8")
    assert [row["name"] for row in json.loads(data.read_text("utf-8"))["people"]] == ["Anna Berg", "Kim Lee"]


@pytest.mark.parametrize("option", ["--show=people", "--write=people=-"])
def test_mentions_have_no_list_of_people(tmp_path, capsys, option):
    path = tmp_path / "texts.txt"
    path.write_text("Anna_Berg spoke\n", "utf-8")
    counting = ["audit", str(path), "--lang", "eng", "--method", "persons", "--count", "mentions"]
    assert main([*counting, option]) == 2
    assert "add --method persons --count people" in capsys.readouterr().err
    part = tmp_path / "a.part"
    assert main([*counting, "--write", f"part={part}", "--quiet"]) == 0
    assert main(["merge", str(part), option]) == 2
    assert "add --method persons --count people" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="--count people"):
        textparity.audit(["Anna_Berg"], "eng", method="persons", count="mentions").people_frame()
