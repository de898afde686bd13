"""The third column: what unspecified matches show of the persons, in counts and in every output that has them."""

import csv
import json

import pyarrow.parquet as pq
import pytest

import textparity
from textparity.auditing import languages
from textparity.command import main
from textparity.counting import SPLIT, SPLIT_COLUMNS
from textparity.persons.mentions import Mention

TEXTS = {
    "swe": "Sedan gick hen hem. Personer kom, en person gick, en kvinna och en man.",
    "deu": "Die Leser*innen und die Eltern kamen. Die Person ist nicht-binär. Eine Frau las.",
    "eng": "The people saw a child. I think xe said so to the woman and the man.",
}
# A student who is called they, a form for all genders, a group, and one of whom nothing is known.
MENTIONS = [
    Mention(0, 4, "Kim", "name", "unspecified", 0, is_neither=True),
    Mention(4, 8, "they", "pronoun", "unspecified", 0, is_neither=True),
    Mention(8, 12, "he", "pronoun", "masculine", 0, is_neither=True),
    Mention(12, 16, "s/he", "noun", "inclusive", 1, "inclusive"),
    Mention(16, 20, "students", "noun", "unspecified", 2, is_group=True),
    Mention(20, 24, "person", "noun", "unspecified", 3),
]


class Finder:
    """Find the mentions above in every text."""

    def find(self, texts):
        return iter([list(MENTIONS) for _ in texts])


@pytest.fixture
def finder(monkeypatch):
    monkeypatch.setattr(languages, "load_finder", lambda *options: Finder())
    monkeypatch.setattr(languages, "why_no_pipeline", lambda *options: "")


def split_of(lang, method, **settings):
    row = textparity.audit([TEXTS[lang]] * 3, lang, method=method, **settings)[lang]
    assert sum(row.statistics.split.values()) == row.matches["unspecified"]
    return tuple(row.statistics.split[name] // 3 for name in SPLIT)


@pytest.mark.parametrize(
    ("lang", "method", "split"),
    [
        # hen; personer; person
        ("swe", "words", (1, 0, 1, 1)),
        ("swe", "nouns", (0, 0, 1, 1)),
        # nicht-binär; Leser*innen, of which nouns alone count Leser; Eltern; Person
        ("deu", "words", (1, 1, 1, 1)),
        ("deu", "nouns", (0, 0, 1, 2)),
        # xe; people; child
        ("eng", "words", (1, 0, 1, 1)),
    ],
)
def test_words_are_split_by_their_forms(lang, method, split):
    assert split_of(lang, method) == split


def test_mentions_are_split_by_what_the_text_calls_the_person(finder):
    assert split_of("eng", "persons", count="mentions") == (2, 1, 1, 1)
    # A group is no person. He is one man, whom the text also calls they.
    assert split_of("eng", "persons", count="people") == (0, 1, 0, 1)


def test_each_output_with_unspecified_matches_has_their_parts(finder, tmp_path, capsys):
    lines = [json.dumps({"text": TEXTS["eng"]})] * 3
    (tmp_path / "a.jsonl").write_text("\n".join(lines), "utf-8")
    kinds = ("csv", "json", "mentions", "records")
    ends = {"csv": "csv", "json": "json", "mentions": "parquet", "records": "parquet"}
    files = {kind: tmp_path / f"{kind}.{ends[kind]}" for kind in kinds}
    options = ["--lang", "eng", "--method", "persons", "--count", "mentions"]
    options += [f"--write={kind}={path}" for kind, path in files.items()]
    assert main(["audit", str(tmp_path / "a.jsonl"), *options]) == 0
    assert "Unspecified: 15 (neither 6, inclusive 3, groups 3, unknown 3)\n" in capsys.readouterr().out
    (row,) = csv.DictReader(files["csv"].read_text().splitlines())
    numbers = dict(zip(SPLIT_COLUMNS.values(), ["6", "3", "3", "3"], strict=True))
    assert {name: row[name] for name in numbers} == numbers
    names = list(row)
    assert names[names.index("unspecified") + 1 :][:4] == list(numbers)
    assert json.loads(files["json"].read_text())["rows"][0]["unspecified_neither"] == 6
    parts = ["neither", "neither", None, "inclusive", "groups", "unknown"]
    assert pq.read_table(files["mentions"])["unspecified_as"].to_pylist() == parts * 3
    matches = pq.read_table(files["records"])["matches"].to_pylist()
    assert [[match["unspecified_as"] for match in of_text] for of_text in matches] == [parts] * 3


def test_merged_parts_have_the_sums_of_the_parts(tmp_path):
    for name, text in TEXTS.items():
        lines = [json.dumps({"text": text, "outlet": outlet}) for outlet in "aab"]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    files = [str(tmp_path / f"{name}.jsonl") for name in TEXTS]
    options = ["--group-by", "outlet"]
    assert main(["audit", *files, *options, f"--write=csv={tmp_path / 'whole.csv'}"]) == 0
    parts = [f"{file}.parquet" for file in files]
    for file, part in zip(files, parts, strict=True):
        assert main(["audit", file, *options, f"--write=part={part}"]) == 0
    assert main(["merge", *parts, f"--write=csv={tmp_path / 'merged.csv'}"]) == 0
    merged = (tmp_path / "merged.csv").read_text()
    assert merged == (tmp_path / "whole.csv").read_text()
    rows = list(csv.DictReader(merged.splitlines()))
    assert any(row["group"] for row in rows)
    for row in rows:
        assert int(row["unspecified"]) == sum(int(row[name]) for name in SPLIT_COLUMNS.values()) > 0
