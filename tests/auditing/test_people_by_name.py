"""The people of a corpus by name: those mentioned most, and one person in several documents."""

import csv
import json

import pyarrow.parquet as pq
import pytest

import textparity
from textparity.auditing import languages
from textparity.auditing.audit import audit_sources
from textparity.auditing.settings import make_settings
from textparity.command import main
from textparity.errors import ConfigError
from textparity.persons import windows
from textparity.persons.mentions import Mention
from textparity.reading.sources import InputFile

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
        "1 woman and 0 men. Too few to state women's share: 1 line with a first mention, 10 are needed"
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


# Anna Berg in three documents, Kim Lee in two, and Berg, of no gender, in two.
CORPUS = [
    "Anna_Berg she spoke",
    "Anna_Berg king Kim_Lee he",
    "Berg spoke",
    "Mrs_Berg Anna_Berg",
    "Kim_Lee they Berg king",
]


def numbers(item):
    people = item.statistics.people
    return (*(item.matches[name] for name in ("feminine", "masculine", "unspecified")), people.per_woman.value)


def test_a_person_with_a_full_name_counts_once_in_a_corpus():
    once = audit(CORPUS, same_names="corpus")
    # Kim Lee is a man in one document, and a woman in another; the king has no name.
    assert numbers(audit(CORPUS)["eng"]) == (4, 3, 2, 7 / 4)
    assert numbers(once["eng"]) == (1, 2, 3, 5)
    assert once["eng"].coverage_percent == audit(CORPUS)["eng"].coverage_percent == 100
    assert once["eng"].people == audit(CORPUS)["eng"].people
    assert " | count people | names corpus | " in once.signature
    assert {word.word: word.count for word in once["eng"].frequent_words["feminine"]} == {"anna berg": 1}


def test_order_parts_and_copies_do_not_change_who_counts_where(tmp_path, capsys):
    texts = [f"{text} {number}" for number in range(12) for text in CORPUS]
    halves = {"whole": texts, "reversed": texts[::-1], "a": texts[::2], "b": texts[1::2], "copies": [*texts, *texts]}
    for name, lines in halves.items():
        rows = [json.dumps({"text": line}) for line in lines]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows), "utf-8")
    counting = ["--lang=eng", "--method=persons", "--count=people", "--same-names=corpus", "--quiet"]

    def run(command, *names, options=counting):
        table = tmp_path / "table.csv"
        files = [str(tmp_path / name) for name in names]
        assert main([command, *files, *options, f"--write={table}"]) == 0
        (row,) = csv.DictReader(table.open("r"))
        return row

    for name in ("a", "b"):
        run("audit", f"{name}.jsonl", options=[*counting, f"--write=part={tmp_path / name}.parquet"])
    whole = run("audit", "whole.jsonl")
    assert (whole["feminine"], whole["masculine"], whole["unspecified"]) == ("1", "24", "25")  # Kim Lee has no gender
    assert run("audit", "reversed.jsonl") == run("audit", "a.jsonl", "b.jsonl") == whole
    assert run("merge", "b.parquet", "a.parquet", options=["--quiet"]) == whole
    copies = run("audit", "copies.jsonl")
    assert (copies["feminine"], copies["masculine"], copies["unspecified"]) == ("1", "48", "49")


@pytest.mark.parametrize("same_names", ["document", "corpus"])
def test_a_full_name_is_one_person_in_all_windows_of_a_document(tmp_path, monkeypatch, same_names):
    monkeypatch.setattr(windows, "WINDOW_CHARACTERS", 30)
    path = tmp_path / "novel.txt"
    lines = [
        "Berg spoke",
        "Anna_Berg she spoke",
        "ANNA_BERG she Berg king spoke",
        "Kim_Lee Berg spoke",
        "Kim_Lee he spoke",
    ]
    path.write_text("\n".join(lines), "utf-8")
    item = textparity.audit_files([path], "eng", method="persons", same_names=same_names)["eng"]
    # Berg counts once in each of three windows; Kim Lee has the gender of the first.
    assert numbers(item) == (1, 1, 4, 4)
    assert listed({"eng": item}) == [
        ("Anna Berg", "feminine", "first name", 1, 4),
        ("Berg", "unspecified", "", 1, 3),
        ("Kim Lee", "unspecified", "", 1, 3),
    ]


def test_records_have_nobody_whom_an_earlier_window_has(tmp_path, monkeypatch):
    monkeypatch.setattr(windows, "WINDOW_CHARACTERS", 30)
    path = tmp_path / "novel.txt"
    path.write_text("Anna_Berg she spoke here\nAnna_Berg she king spoke\n", "utf-8")
    records = tmp_path / "records.parquet"
    sources = [InputFile(str(path), "text", "eng")]
    audit_sources(sources, make_settings(method="persons"), records=records)
    rows = pq.read_table(records).to_pylist()
    assert [(row["feminine"], row["masculine"]) for row in rows] == [(1, 0), (0, 1)]


def test_a_person_counts_once_in_each_group_and_once_in_the_whole(tmp_path):
    path = tmp_path / "texts.jsonl"
    rows = [{"text": text, "outlet": "ab"[number % 2]} for number, text in enumerate(CORPUS)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    settings = {"method": "persons", "count": "people", "same_names": "corpus", "group_by": "outlet"}
    result = textparity.audit_files([path], "eng", **settings)
    women = {item.group: item.matches["feminine"] for item in result.rows}
    assert women == {"": 1, "a": 2, "b": 1}


def test_the_documents_of_a_person_are_not_those_of_records_or_mentions(tmp_path, capsys):
    with pytest.raises(ConfigError, match="same_names applies to people"):
        textparity.audit(CORPUS, "eng", method="persons", count="mentions", same_names="corpus")
    path = tmp_path / "texts.txt"
    path.write_text("Anna_Berg spoke\n", "utf-8")
    counting = ["--lang=eng", "--method=persons", "--count=people", "--same-names=corpus"]
    assert main(["audit", str(path), *counting, f"--write=records={tmp_path / 'records.parquet'}"]) == 2
    assert "remove same_names (--same-names), or the records" in capsys.readouterr().err
    before = tmp_path / "before.json"
    assert main(["audit", str(path), *counting[:-1], f"--write={before}", "--quiet"]) == 0
    assert main(["audit", str(path), *counting, f"--baseline={before}"]) == 2
    assert "was counted with names document, this result with corpus" in capsys.readouterr().err
