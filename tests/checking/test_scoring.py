"""The score of a check: precision, recall, errors, agreement, and what it says of the corrected share."""

import csv
import json
import math
import shutil

import pytest

from textparity.checking.scoring import Check, compare_readers
from textparity.command import main
from textparity.errors import InputError

LEVEL = 0.95


def test_precision_recall_and_the_kinds_of_error(draw, read_all):
    check = Check.read(read_all(draw("--texts", "30")))
    score = check.score(LEVEL)
    women, men = score.genders
    texts = [text.drawn.text for text in check.read_texts]
    # Everything wrong about women is the bride, and everything missed the chair.
    assert women.found - women.right == sum("bride" in text for text in texts)
    assert women.missed == sum("the chair" in text for text in texts)
    assert (men.found, men.missed) == (men.right, 0)
    assert {(error.found, error.said, error.kind) for error in score.errors} == {
        ("feminine", "wrong", "nouns"),
        ("", "feminine", "missed"),
    }
    assert any("The [bride] of science" in error.examples[0] for error in score.errors)
    # All texts of a kind are alike, so the share of all is known.
    truth = (10 * 2 + 10 * 2) / (10 * 3 + 10 * 4 + 10 * 1 + 10 * 3)
    assert score.share.corrected.low < truth < score.share.corrected.high
    assert abs(score.share.corrected.value - truth) < abs(score.raw_share - truth) + 0.01


def test_an_unfinished_sample_counts_as_its_first_draws(draw, read_all):
    sample = draw("--texts", "20")
    folder = read_all(sample)
    lines = (folder / "judgements.jsonl").read_text().splitlines()
    third = sample.texts[2].number
    kept = [line for line in lines if json.loads(line)["text"] != third]
    (folder / "judgements.jsonl").write_text("".join(f"{line}\n" for line in kept))
    score = Check.read(folder).score(LEVEL)
    assert score.draws == min(sample.texts[2].draws) - 1
    assert (score.wanted, score.texts) == (20, 2)
    assert math.isnan(score.share.corrected.value)


def test_no_text_that_is_read_is_an_error_with_the_next_step(draw, capsys):
    folder = draw().folder
    assert main(["check", "score", str(folder)]) == 2
    assert f"no text is read yet; read some with textparity check mark {folder}" in capsys.readouterr().err


def test_two_readers_are_compared(draw, read_all, tmp_path):
    sample = draw()
    other = tmp_path / "other"
    shutil.copytree(sample.folder, other)
    first = Check.read(read_all(sample))
    second = Check.read(other)
    for text in second.texts:
        text.is_read = True
    agreement = compare_readers(first, second)
    units = sum(len(text.drawn.found) + len(text.missed) for text in first.texts)
    differing = sum(len(text.judgements) + len(text.missed) for text in first.texts)
    assert agreement.units == units
    assert agreement.percent == pytest.approx(100 * (1 - differing / units))
    with pytest.raises(InputError, match="is another sample than"):
        compare_readers(first, Check.read(draw("--texts", "5", name="third").folder))


def test_single_matches_have_a_precision_alone(draw, read_all, capsys):
    folder = read_all(draw("--matches", "40"))
    lines = [json.loads(line) for line in (folder / "judgements.jsonl").read_text().splitlines()]
    kept = [line for line in lines if "missed" not in line]
    (folder / "judgements.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in kept))
    check = Check.read(folder)
    women, men = check.score(LEVEL).genders
    wrong = sum(text.drawn.found[0].words == "bride" for text in check.texts)
    assert women.precision.value == pytest.approx((women.found - wrong) / women.found, abs=0.05)
    assert men.precision.value > 0.95
    assert main(["check", "score", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "draw texts for that" in printed and "recall" not in printed and "missed  " not in printed


def test_the_score_is_printed_and_written(draw, read_all, tmp_path, capsys):
    folder = read_all(draw("--texts", "30"))
    written, places = tmp_path / "score.json", tmp_path / "positions.csv"
    assert main(["check", "score", str(folder), "--json", str(written), "--positions", str(places)]) == 0
    printed = capsys.readouterr().out
    assert "Corrected by your reading: " in printed and "For the methods section" in printed
    assert "30 of the 30 texts drawn are read" in printed
    score = json.loads(written.read_text())
    assert f"{100 * score['corrected_share']:.1f} (" in printed
    rows = list(csv.DictReader(places.open()))
    assert {row["judgement"] for row in rows} == {"feminine", "masculine", "wrong"}
    # It can be published: no word of a text is in it.
    assert "queen" not in places.read_text()


def test_few_texts_and_no_gain_are_said(draw, read_all, capsys):
    folder = read_all(draw("--texts", "5"))
    assert main(["check", "score", str(folder)]) == 0
    assert "5 texts read are too few" in capsys.readouterr().out
