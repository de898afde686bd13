"""Texts that occur more than once: how many there are said to be, and an audit that counts each once."""

import json
import random

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing import copies
from textparity.auditing.copies import DistinctTexts
from textparity.command import main

TEXTS = [f"The woman number {number} met her {who}." for number in range(60) for who in ("mother", "father", "boss")]


def rates(result):
    item = result["eng"]
    return item.texts, item.words, item.women_share, item.verdict


@pytest.mark.parametrize("method", ["words", "nouns"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_with_unique_a_corpus_with_copies_gives_the_numbers_of_one_without(tmp_path, monkeypatch, method, jobs):
    monkeypatch.setattr("textparity.auditing.reading.PORTION_TEXTS", 50)
    copied = [*TEXTS, *random.Random(1).choices(TEXTS, k=400), "", ""]
    random.Random(2).shuffle(copied)
    for name, first in (("a.txt", 0), ("b.txt", 291)):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in copied[first : first + 291]), "utf-8")
    chosen = {"lang": "eng", "method": method, "lexicon_folder": NOUNS if method == "nouns" else None}
    once = textparity.audit([*TEXTS, "", ""], **chosen)
    found = textparity.audit_files([tmp_path], **chosen, unique=True, jobs=jobs)
    assert rates(found) == rates(once)
    assert found.left_out == {"copy of another text": 400}
    assert "unique True" in found.signature and not [one for one in found["eng"].warnings if "copies" in one]
    (warning,) = [one for one in textparity.audit_files([tmp_path], **chosen)["eng"].warnings if "copies" in one]
    assert warning.startswith("69% of the texts are copies")


def test_a_copy_in_another_group_counts_and_one_in_a_file_that_failed_does_not_hide_it(tmp_path):
    records = [{"text": "A woman.", "of": "a"}, {"text": " A woman.", "of": "b"}, {"text": "A woman.", "of": "a"}]
    for name, end in (("a.jsonl", "{\n"), ("b.jsonl", "")):
        (tmp_path / name).write_text("".join(f"{json.dumps(record)}\n" for record in records) + end, "utf-8")
    counted = ["--lang", "eng", *WITH_NOUNS, "--group-by", "of", "--unique", "--on-error", "skip"]
    code = main(["audit", str(tmp_path), *counted, "--write", str(tmp_path / "t.csv"), "--quiet"])
    assert code == 3
    rows = [line.split(",")[:3] for line in (tmp_path / "t.csv").read_text("utf-8").splitlines()[1:]]
    assert [row[2] for row in rows] == ["", "a", "b"]
    found = textparity.audit_files([tmp_path / "b.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of", unique=True)
    assert [row.texts for row in found.rows] == [2, 1, 1]


def test_a_group_is_that_of_the_domain(tmp_path):
    rows = [{"text": "A woman.", "url": f"https://a.com/{n}"} for n in range(30)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    chosen = {"lexicon_folder": NOUNS, "group_by": "url:domain", "unique": True}
    assert textparity.audit_files([tmp_path / "a.jsonl"], "eng", **chosen).texts == 1


def test_with_per_file_each_file_has_its_own_texts(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("A woman.\nA man.\nA woman.\n", "utf-8")
    found = textparity.audit_files([tmp_path], "eng", lexicon_folder=NOUNS, unique=True, per_file=True)
    assert [item.texts for item in found] == [2, 2]


def test_parts_cannot_be_unique(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("A woman.\n", "utf-8")
    part = tmp_path / "a.parquet"
    assert main(["audit", str(tmp_path / "a.txt"), "--lang", "eng", "--unique", "--write", f"part={part}"]) == 2
    assert "remove one of the two" in capsys.readouterr().err and not part.exists()


@pytest.mark.parametrize("kept", [64, 1 << 15])
def test_the_number_of_distinct_texts_does_not_depend_on_order_and_is_close(monkeypatch, kept):
    monkeypatch.setattr(copies, "KEYS_KEPT", kept)
    texts = [f"Text {number} is one of many." for number in range(5000)] + ["A copy."] * 5000
    found = set()
    for seed, step in enumerate((500, 1000, 2500)):
        random.Random(seed).shuffle(texts)
        together = DistinctTexts()
        for start in range(0, 10_000, step):
            together.merge(DistinctTexts.of(texts[start : start + step]))
        found.add((together.level, together.number))
    ((level, number),) = found
    assert number == 5001 if not level else abs(number / 5001 - 1) < 0.4
    assert bool(level) is (kept < 5001)
