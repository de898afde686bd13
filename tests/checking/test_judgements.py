"""Judgements: from the page's lines or a spreadsheet, whole after a kill, and refused if they do not belong."""

import csv
import io

import pytest

from textparity.checking.judgements import JudgementLog, ReadText, read_judgements
from textparity.checking.samples import TextSample
from textparity.errors import InputError


def judged(folder):
    """What a reader has said in all, in a form that can be compared."""
    texts = read_judgements(TextSample.read(folder))
    return [(text.is_read, text.judgements, text.same_as, text.missed, text.marked()) for text in texts]


def fill_table(sample, delimiter=",", encoding="utf-8"):
    """Fill in the table as `read_all` judges the texts."""
    path = sample.folder / "sample.csv"
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    filled = []
    for row in rows:
        if row["number"] == "text":
            row["judgement"] = "read"
        elif row["words"] == "bride":
            row["judgement"] = "Wrong"
        filled.append(row)
        if row["number"] == "text" and "the chair" in row["context"]:
            filled.append({"text": row["text"], "number": "missed", "words": "the chair", "judgement": "feminine"})
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, restval="")
        writer.writeheader()
        writer.writerows(filled)
    return sample.folder


@pytest.mark.parametrize(("delimiter", "encoding"), [(",", "utf-8"), (";", "utf-8-sig"), ("\t", "utf-8")])
def test_the_table_and_the_page_lead_to_the_same(draw, read_all, delimiter, encoding):
    by_page = read_all(draw("--texts", "25", name="page"))
    by_table = fill_table(draw("--texts", "25", name="table"), delimiter, encoding)
    assert judged(by_page) == judged(by_table)
    assert any(missed for _, _, _, missed, _ in judged(by_table))


def test_what_has_no_judgement_is_as_found(draw):
    sample = draw("--texts", "25")
    text = next(text for text in sample.texts if "queen" in text.text)
    read = ReadText(text, is_read=True)
    assert read.marked() == (2, 1)
    read.apply({"found": 1, "judgement": "neither"})
    assert read.marked() == (1, 1)
    read.apply({"found": 2, "judgement": None, "same_as": 1})
    assert read.marked() == (1, 0)
    read.apply({"found": 1, "judgement": None})
    read.apply({"found": 2, "judgement": None})
    assert read.marked() == (2, 1)


def test_a_line_that_was_being_written_is_dropped(draw, read_all):
    folder = read_all(draw("--texts", "25"))
    path = folder / "judgements.jsonl"
    before = judged(folder)
    with path.open("a") as file:
        file.write('{"text": 1, "found": 1, "judgem')
    assert judged(folder) == before
    sample = TextSample.read(folder)
    JudgementLog(folder, read_judgements(sample)).add({"text": 1, "read": False})
    assert judged(folder)[0][0] is False
    assert judged(folder)[1:] == before[1:]


@pytest.mark.parametrize(
    "line",
    [
        '{"text": 99, "read": true}',
        '{"text": 1, "found": 99, "judgement": "wrong"}',
        '{"text": 1, "missed": 1, "judgement": "feminine", "start": 5, "end": 5000}',
        '{"text": 1, "missed": 1, "judgement": "wrong", "start": 0, "end": 3}',
        '{"text": 1}',
        "nonsense",
    ],
)
def test_a_damaged_line_is_named(draw, line):
    sample = draw("--texts", "25")
    (sample.folder / "judgements.jsonl").write_text(f"{line}\n")
    with pytest.raises(InputError, match=r"judgements\.jsonl:1: is no judgement of this sample"):
        read_judgements(sample)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace(",read,", ",reed,", 1),
            r"sample\.csv:2: the judgement of a text is",
        ),
        (
            lambda text: text.replace("feminine,bride", "masculine,bride", 1),
            r"sample\.csv:\d+: the row is of 'bride'",
        ),
        (lambda text: text.replace(",Wrong,", ",mistake,", 1), r"sample\.csv:\d+: 'mistake' is none of feminine"),
        (lambda text: text.replace("the chair,feminine", "a chair,feminine", 1), "does not have the words 'a chair'"),
        (lambda text: text[: text.rindex("\n", 0, -1)] + "\n", "instead of"),
        (lambda text: text.replace("judgement", "verdict", 1), "has no column judgement"),
    ],
)
def test_a_damaged_table_is_named(draw, change, message):
    path = fill_table(draw("--texts", "25")) / "sample.csv"
    path.write_text(change(path.read_text()))
    with pytest.raises(InputError, match=message):
        read_judgements(TextSample.read(path.parent))


def test_two_ways_at_once_are_refused(draw, read_all):
    sample = draw("--texts", "25")
    fill_table(sample)
    read_all(sample)
    with pytest.raises(InputError, match="both have judgements"):
        read_judgements(sample)


def test_a_changed_sample_is_named(draw):
    folder = draw("--texts", "25").folder
    path = folder / "sample.jsonl"
    path.write_text(path.read_text().replace("queen", "woman", 1))
    with pytest.raises(InputError, match=r"sample\.jsonl:\d+: was changed since it was drawn"):
        TextSample.read(folder)
    path.unlink()
    with pytest.raises(InputError, match=r"sample\.jsonl: cannot be read"):
        TextSample.read(folder)
    (folder / "drawn.json").write_text("{}")
    with pytest.raises(InputError, match="is not the record of a sample; draw a sample"):
        TextSample.read(folder)
