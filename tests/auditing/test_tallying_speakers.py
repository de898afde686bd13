"""Speakers instead of mentions: who is quoted, and their share of the words, in every output that an audit has."""

import csv
import json

import pytest

import textparity
from textparity.auditing import languages
from textparity.auditing.settings import make_settings
from textparity.command import main
from textparity.errors import ConfigError, MissingResourceError
from textparity.persons.mentions import Measured
from textparity.persons.method_error import load_method_error
from textparity.persons.speaker_finder import SpeakerMention

# One man, who says nine words, three women, who say one each, and a group.
TEXT = "Smith he Anna Maria Julia women"
WORDS_OF = {"Smith": 9, "Anna": 1, "Maria": 1, "Julia": 1, "women": 4}
OPTIONS = ["--lang", "eng", "--method", "persons", "--count", "speakers"]


class Finder:
    """Find the words of the texts above; he is the man before him."""

    def find(self, texts):
        for text in texts:
            mentions, start = [], 0
            for number, word in enumerate(text.split(" ")):
                end = start + len(word)
                kind = "pronoun" if word == "he" else "name"
                gender = "masculine" if word in ("Smith", "he") else "feminine"
                entity = 99 if gender == "masculine" else number
                words, is_group = WORDS_OF.get(word, 0), word == "women"
                found = SpeakerMention(start, end, word, kind, gender, entity, is_group=is_group, quoted_words=words)
                mentions.append(found)
                start = end + 1
            yield mentions


@pytest.fixture
def finder(monkeypatch):
    monkeypatch.setattr(languages, "load_finder", lambda *options: Finder())
    monkeypatch.setattr(languages, "why_no_pipeline", lambda *options: "")


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "texts.jsonl"
    lines = [json.dumps({"text": TEXT, "outlet": name}) for name in ("a", "b") for _ in range(20)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_each_speaker_counts_once_with_the_words_that_they_say(finder):
    speakers = textparity.audit([TEXT] * 40, "eng", method="persons", count="speakers")
    assert speakers.to_text(width=200).startswith("Of the 160 women and men quoted, 75 % (")
    assert " are women. They speak 25 % of the quoted words.\n" in speakers.to_text(width=200)
    (row,) = speakers.to_frame().to_dict("records")
    assert (row["women_share"], row["women_share_of_quoted_words"], row["groups_quoted"]) == (75, 25, 40)
    assert (row["quoted_words_per_woman"], row["quoted_words_per_man"]) == (1, 9)
    assert row["quoted_words_per_man_low"] < 9 < row["quoted_words_per_man_high"]
    assert "mentions_per_woman" not in row
    assert "<h1>Who is quoted?</h1>" in speakers.to_html()


def test_the_choice_is_signed_and_its_error_is_not_that_of_mentions(finder):
    speakers = textparity.audit([TEXT] * 40, "eng", method="persons", count="speakers")
    assert " | count speakers | " in speakers.signature
    assert speakers["eng"].error == load_method_error(Measured("persons", "speakers"), "eng")


def test_a_method_that_does_not_number_persons_counts_no_speakers():
    with pytest.raises(ConfigError, match="count speakers: the method words does not tell"):
        make_settings(count="speakers")


def test_a_given_language_without_rules_for_quotes_is_an_error_that_names_those_with_them():
    with pytest.raises(MissingResourceError, match=r"Spanish \(spa\) has no rules for quotes \(eng, fra, deu have"):
        textparity.audit(["Anna habla."], "spa", method="persons", count="speakers")


def test_texts_of_a_detected_language_without_rules_are_left_out():
    texts = ["Las mujeres y los hombres de la ciudad hablan cada día de la lluvia."] * 12
    result = textparity.audit(texts, method="persons", count="speakers")
    assert result.left_out == {"no rules for quotes in Spanish (spa)": 12}


def test_merged_parts_and_groups_count_as_the_whole(finder, corpus, tmp_path, capsys):
    counting = [*OPTIONS, "--group-by", "outlet"]
    parts = [tmp_path / "a.part", tmp_path / "b.part"]
    for half, part in enumerate(parts):
        own = tmp_path / f"{half}.jsonl"
        own.write_text("".join(corpus.read_text("utf-8").splitlines(True)[half::2]), "utf-8")
        assert main(["audit", str(own), *counting, "--write", f"part={part}", "--quiet"]) == 0
    assert main(["merge", *map(str, parts), "--write", str(tmp_path / "merged.csv"), "--quiet"]) == 0
    assert main(["audit", str(corpus), *counting, "--write", str(tmp_path / "whole.csv"), "--quiet"]) == 0
    merged, whole = (list(csv.DictReader((tmp_path / name).open("r"))) for name in ("merged.csv", "whole.csv"))
    assert merged == whole and len(whole) == 3
    assert {row["women_share_of_quoted_words"] for row in whole} == {"25.0"}
    assert {row["groups_quoted"] for row in whole} == {"40", "20"}


def test_speakers_are_never_compared_with_people(finder, corpus, tmp_path, capsys):
    persons = ["audit", str(corpus), "--lang", "eng", "--method", "persons", "--quiet"]
    assert main([*persons, "--count", "people", "--write", f"json={tmp_path / 'before.json'}"]) == 0
    code = main([*persons, "--count", "speakers", "--baseline", str(tmp_path / "before.json")])
    assert code != 0 and "with count people, this result with speakers" in capsys.readouterr().err
