"""Drawing a sample: the chances, the strata, and where the texts come from."""

import json
from collections import Counter

import pytest

from textparity.checking.samples import TextSample
from textparity.command import main


def test_chances_follow_what_was_found(draw):
    sample = draw("--texts", "100")
    found = {text.text: sum(text.found_by_gender()) for text in sample.texts}
    (stratum,) = sample.design.strata
    assert (stratum.texts, stratum.draws) == (50, 100)
    size = stratum.women + stratum.men + 50
    for text in sample.texts:
        assert text.chance == pytest.approx((found[text.text] + 1) / size)
    # Articles in which nothing was found can be drawn, too.
    assert 0 in found.values()
    draws = sorted(number for text in sample.texts for number in text.draws)
    assert draws == list(range(1, 101))
    assert len({text.place for text in sample.texts}) == len(sample.texts)


def test_texts_are_drawn_as_often_as_their_chances_say(draw):
    sample = draw("--texts", "20000")
    drawn = Counter()
    expected = Counter()
    for text in sample.texts:
        drawn[text.text] += len(text.draws)
        expected[text.text] += 20000 * text.chance
    assert len(sample.texts) == 50
    for text, number in expected.items():
        assert drawn[text] == pytest.approx(number, rel=0.05)


def test_the_same_seed_draws_the_same_texts(draw, tmp_path):
    first = draw(name="first")
    settings = tmp_path / "settings.toml"
    settings.write_text("seed = 5\n")
    other = draw("--settings", str(settings), name="other")
    assert draw(name="second").texts == first.texts
    assert [text.place for text in other.texts] != [text.place for text in first.texts]


def test_every_group_is_a_stratum(draw):
    sample = draw("--texts", "6", "--group-by", "outlet")
    assert {(stratum.group, stratum.texts, stratum.draws) for stratum in sample.design.strata} == {
        ("north", 30, 6),
        ("south", 20, 6),
    }
    for text in sample.texts:
        assert (text.place <= 30) == (sample.design.strata[text.stratum].group == "north")
    # The first draws of all strata are read first.
    assert {text.stratum for text in sample.texts[:2]} == {0, 1}


def test_found_words_stand_where_they_are_said_to(tmp_path, capsys):
    path = tmp_path / "fields.jsonl"
    record = {"title": "😀 The queen", "body": "Her brother e\u0301tait là."}
    path.write_text(f"{json.dumps(record)}\n")
    folder = tmp_path / "check"
    assert main(["check", "draw", str(path), "--lang", "eng", "--field", "title,body", "--output", str(folder)]) == 0
    (text,) = TextSample.read(folder).texts
    shown = [text.text[start:end] for found in text.found for start, end in found.spans]
    assert shown == [found.words for found in text.found] == ["queen", "Her", "brother"]


def test_single_matches_are_drawn_alike(draw):
    sample = draw("--matches", "30")
    assert all(len(text.found) == 1 and len(text.draws) == 1 for text in sample.texts)
    assert {text.found[0].gender for text in sample.texts} == {"feminine", "masculine"}
    assert len(sample.texts) == 30


def test_records_of_an_audit_are_drawn_from_without_counting_again(corpus, draw, tmp_path, monkeypatch, capsys):
    records = tmp_path / "records.parquet"
    audit = ["audit", str(corpus), "--lang", "eng", "--group-by", "outlet", "--quiet", "--write", f"records={records}"]
    assert main(audit) == 0
    counted = draw("--group-by", "outlet", name="counted")
    monkeypatch.setattr("textparity.auditing.audit.audit_sources", None)
    recorded = draw("--records", str(records), name="recorded")
    assert (recorded.design, recorded.texts) == (counted.design, counted.texts)
    corpus.write_text(corpus.read_text().replace("queen", "woman"))
    assert main(["check", "draw", str(corpus), "--records", str(records), "--output", str(tmp_path / "other")]) == 2
    assert "is another one than the one counted; count again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        (["--texts", "3", "--matches", "3"], "exclude each other"),
        (["--method", "published"], "records need the positions"),
        (["--method", "persons", "--text-unit", "line"], "a single line cannot be checked"),
        (["--output", "."], "exists and is not an empty folder"),
    ],
)
def test_a_sample_that_cannot_be_drawn_says_why(tmp_path, monkeypatch, capsys, options, fix):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "texts.txt"
    path.write_text("The queen met a man.\n")
    if "--output" not in options:
        options = [*options, "--output", "check"]
    assert main(["check", "draw", "texts.txt", "--lang", "eng", *options]) == 2
    assert fix in capsys.readouterr().err
    assert not (tmp_path / "check").exists()


def test_standard_input_cannot_be_read_twice(tmp_path, capsys):
    assert main(["check", "draw", "-", "--output", str(tmp_path / "check")]) == 2
    assert "can be read only once; name a file" in capsys.readouterr().err


def test_texts_without_words_are_nothing_to_draw_from(tmp_path, capsys):
    path = tmp_path / "blank.txt"
    path.write_text("\n\n")
    assert main(["check", "draw", str(path), "--lang", "eng", "--output", str(tmp_path / "check")]) == 2
    assert "nothing to draw from" in capsys.readouterr().err
