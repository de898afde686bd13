"""People instead of mentions: each person once per document, in every output that an audit has."""

import csv
import json

import pytest

import textparity
from textparity.auditing import languages
from textparity.auditing.settings import make_settings
from textparity.command import main
from textparity.errors import ConfigError
from textparity.persons.mentions import Measured, Mention
from textparity.persons.method_error import load_method_error

# One man, mentioned eight times, three women, once each, and a group.
TEXT = "Smith he he he he he he he Anna Maria Julia women"


class Finder:
    """Find the words of the texts above; he is the man before him."""

    def find(self, texts):
        for text in texts:
            mentions, start = [], 0
            for number, word in enumerate(text.split(" ")):
                end = start + len(word)
                kind = "pronoun" if word == "he" else "noun" if word == "women" else "name"
                gender = "masculine" if word in ("Smith", "he") else "feminine"
                entity = 99 if gender == "masculine" else number
                mentions.append(Mention(start, end, word, kind, gender, entity, is_group=word == "women"))
                start = end + 1
            yield mentions


@pytest.fixture(autouse=True)
def finder(monkeypatch):
    monkeypatch.setattr(languages, "load_finder", lambda *options: Finder())
    monkeypatch.setattr(languages, "why_no_pipeline", lambda *options: "")


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "texts.jsonl"
    lines = [json.dumps({"text": TEXT, "outlet": name}) for name in ("a", "b") for _ in range(20)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_a_person_counts_once_however_often_mentioned():
    mentions = textparity.audit([TEXT] * 40, "eng", method="persons", count="mentions")
    people = textparity.audit([TEXT] * 40, "eng", method="persons")
    assert mentions["eng"].women_share.value == pytest.approx(100 * 4 / 12)
    assert people["eng"].women_share.value == 75
    assert (people["eng"].matches["feminine"], people["eng"].matches["masculine"]) == (120, 40)
    assert people.to_text().startswith("Of the 160 women and men mentioned, 75 % (")
    assert " are women. They get 27 % of the mentions.\n" in people.to_text(width=200)
    assert mentions.to_text().startswith("Of the mentions of women and men, 33 % (")


def test_a_row_shows_who_stays_in_the_story():
    (row,) = textparity.audit([TEXT] * 40, "eng", method="persons", count="people").to_frame().to_dict("records")
    assert (row["mentions_per_woman"], row["mentions_per_man"], row["groups_mentioned"]) == (1, 8, 40)
    assert row["women_share_of_mentions"] == pytest.approx(100 * 3 / 11)
    assert row["mentions_per_man_low"] < 8 < row["mentions_per_man_high"]


def test_the_choice_is_signed_and_its_error_is_not_that_of_mentions():
    people = textparity.audit([TEXT] * 40, "eng", method="persons")
    assert " | count people | " in people.signature
    assert people["eng"].error == load_method_error(Measured("persons", "people"), "eng")
    assert "count" not in textparity.audit([TEXT] * 40, "eng", method="persons", count="mentions").signature


@pytest.mark.parametrize("method", ["words", "nouns", "published"])
def test_a_method_that_does_not_number_persons_counts_no_people(method):
    with pytest.raises(ConfigError, match="does not tell which mentions are the same person; add --method persons"):
        make_settings(method=method, count="people")


def test_merged_parts_and_groups_count_as_the_whole(corpus, tmp_path, capsys):
    counting = ["--lang", "eng", "--method", "persons", "--count", "people", "--group-by", "outlet"]
    parts = [tmp_path / "a.part", tmp_path / "b.part"]
    for half, part in enumerate(parts):
        own = tmp_path / f"{half}.jsonl"
        own.write_text("".join(corpus.read_text("utf-8").splitlines(True)[half::2]), "utf-8")
        assert main(["audit", str(own), *counting, "--write", f"part={part}", "--quiet"]) == 0
    assert main(["merge", *map(str, parts), "--write", str(tmp_path / "merged.csv"), "--quiet"]) == 0
    assert main(["audit", str(corpus), *counting, "--write", str(tmp_path / "whole.csv"), "--quiet"]) == 0
    merged, whole = (list(csv.DictReader((tmp_path / name).open("r"))) for name in ("merged.csv", "whole.csv"))
    assert merged == whole and len(whole) == 3
    assert {row["women_share"] for row in whole} == {"75.0"}
    assert {row["groups_mentioned"] for row in whole} == {"40", "20"}


def test_two_counts_are_never_compared(corpus, tmp_path, capsys):
    mentions = ["audit", str(corpus), "--lang", "eng", "--method", "persons", "--quiet"]
    assert main([*mentions, "--count", "mentions", "--write", f"json={tmp_path / 'before.json'}"]) == 0
    code = main([*mentions, "--count", "people", "--baseline", str(tmp_path / "before.json")])
    assert code != 0 and "with count mentions, this result with people" in capsys.readouterr().err


def test_two_corpora_are_compared_by_their_people(tmp_path, capsys):
    files = []
    for name, text in (("men", "Smith he he he Anna"), ("women", "Anna Maria Julia Smith he he he")):
        files.append(str(tmp_path / f"{name}.jsonl"))
        (tmp_path / f"{name}.jsonl").write_text(f"{json.dumps({'text': text})}\n" * 40, "utf-8")
    files += ["--lang", "eng", "--method", "persons", "--count", "people"]
    assert main(["compare", *files, "--write", str(tmp_path / "compared.csv"), "--quiet"]) == 0
    rows = list(csv.DictReader((tmp_path / "compared.csv").open("r")))
    assert [(row["feminine"], row["masculine"]) for row in rows] == [("40", "40"), ("120", "40")]
