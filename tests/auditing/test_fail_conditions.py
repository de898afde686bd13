"""Conditions on a result: what they say, when they fail a build, and that chance does not."""

import json
import math
from xml.etree import ElementTree

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.checks import Outcome
from textparity.auditing.fail_conditions import (
    audit_columns,
    audit_rows,
    check_rows,
    columns_of,
    find_unmet,
    read_condition,
)
from textparity.command import main
from textparity.errors import ConfigError


def speaking_of(**words):
    """Return texts of different lengths, so many of each word."""
    return [f"A {word} came." + " Well." * (place % 5) for word, number in words.items() for place in range(number)]


def fails(texts, condition, **settings):
    result = textparity.audit(texts, "eng", lexicon_folder=NOUNS, **settings)
    conditions = [read_condition(condition, columns_of(result))]
    return any(row.outcome == Outcome.FAILED for row in check_rows(audit_rows(result), conditions))


# 4.0 with an interval from 2.7 to 6.4.
MANY = speaking_of(man=120, woman=30)
FEW = speaking_of(man=4, woman=1)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("masculine_per_feminine > 2", True),
        ("masculine_per_feminine > 3.9", False),
        ("masculine_per_feminine < 4.1", False),
        ("masculine_per_feminine < 20", True),
        ("masculine_per_feminine > 2 and matches > 200", False),
        ("masculine_per_feminine > 2 and matches == 150", True),
        ("texts >= 150 and masculine_per_feminine > 3.9", False),
        ("2 < masculine_per_feminine < 20", True),
        ("texts >= 9 and words > 9 and masculine_per_feminine >= 2", True),
        ("masculine_percent > feminine_percent", True),
        ("feminine_percent != masculine_percent", True),
        ("feminine_percent == masculine_percent", False),
        ("masculine_per_feminine_low > 2", True),
        ("coverage_percent > 95", True),
        ("gap > 1", True),
        ("gap > 1000", False),
        ("verdict == 'masculine' and lang == 'English'", True),
        ("verdict != 'masculine'", False),
        ("women_share < 35", True),
        ("women_share < 21", False),
        ("women_share_high < 35", True),
        ("gap > -1", True),
        ("corpus != '#'", True),
    ],
)
def test_a_condition_holds_where_the_whole_interval_does(condition, expected):
    assert fails(MANY, condition) is expected


@pytest.mark.parametrize(
    "condition",
    ["masculine_per_feminine > 0.01", "masculine_per_feminine < 99", "masculine_per_feminine <= 99",
     "masculine_percent > feminine_percent", "verdict == 'masculine'", "gap > 9", "feminine_percent < 0.1"],
)  # fmt: skip
def test_few_matches_fail_by_no_chance(condition):
    assert not fails(FEW, condition)


def test_a_gender_that_is_missing_is_no_excuse():
    # Its rate has no interval, and its ratio has one without an upper end.
    none, rare = speaking_of(man=300), speaking_of(man=300, woman=2)
    assert textparity.audit(none, "eng", lexicon_folder=NOUNS)["eng"].masculine_per_feminine.high == math.inf
    for texts in (none, rare):
        assert fails(texts, "masculine_per_feminine > 3 and matches > 200")
        assert not fails(texts, "masculine_per_feminine > 300")
    assert fails(speaking_of(woman=300), "masculine_per_feminine < 0.5")
    assert fails(none, "feminine_percent < 1")
    assert not fails(none, "feminine_percent < 0.01")
    # A single text with many words for men is one observation.
    assert not fails(["A man. " * 300, *speaking_of(man=9, woman=1)], "masculine_per_feminine > 3")


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("masculine_per_feminin > 3", "masculine_per_feminin is not a column; did you mean masculine_per_feminine?"),
        ("x > 3", "x is not a column; columns are corpus, lang, women_share"),
        ("women_share < 0.3", "women_share is in percent: 30?"),
        ("0.25 > women_share_high", "women_share_high is in percent: 25?"),
        ("group == 'bbc'", "there are no groups; add --group-by FIELD"),
        ("masculine > feminine", "masculine and feminine differ by chance; compare two rates"),
        ("masculine / feminine > 3", "masculine / feminine is neither a column, a number nor a text"),
        ("__import__('os').system('true') > 0", "( is not allowed here"),
        ("texts", "texts is not a comparison; a condition consists of names of columns"),
        ("1 < 2", "neither of which is a column"),
        ("verdict > 'feminine'", "verdict is a text; texts are compared by == and !="),
        ("verdict == 3", "compare it with a text in quotation marks"),
        ("texts > '3'", "texts is a number; compare it with a number without quotation marks"),
        ("verdict == masculine", "verdict is a text; write 'masculine' in quotation marks"),
        ("lang == eng", "lang is a text; write 'eng' in quotation marks"),
        (
            "verdict == 'male'",
            "'male' is not a verdict; verdicts are masculine, feminine, no clear difference, too few",
        ),
        ("verdict == 'balanced'", "'balanced' is not a verdict"),
        ("texts > 3 and lang == 'english language'", "language 'english language' is not in the table"),
        ("lang in ('eng', 'spa')", "in is not allowed here; write == with one text, and a separate --fail-if for each"),
        ("lang is 'eng'", "is is not allowed here; write == with one text"),
        ("texts > 3 or words > 3", "or is not allowed here; write each part as a separate --fail-if"),
        ("texts > 3 and (words > 3 or gap > 1)", "or is not allowed here; write each part as a separate --fail-if"),
        ("not texts > 3", "not is not allowed here; write the comparison the other way round, such as >= for <"),
        ("verdict == 'or' and not lang == 'eng'", "not is not allowed here"),
        ("lang not in ('eng', 'spa')", "not is not allowed here; write the comparison the other way round"),
        ("(texts > 3)", "( is not allowed here; write comparisons without parentheses, joined by and"),
        ("texts > 3 and (words > 3 and gap > 1)", "( is not allowed here; write comparisons without parentheses"),
        ("texts > 3 or (words > 3", "or is not allowed here"),
        ("verdict = 'masculine'", "= is not allowed here; write =="),
        ("texts > 3 && words > 3", "&& is not allowed here; write and"),
        ("texts > 3 || words > 3", "|| is not allowed here; write each part as a separate --fail-if"),
        ("texts > 3 OR words > 3", "OR is not allowed here; write each part as a separate --fail-if"),
        ("! texts > 3", "! is not allowed here; write the comparison the other way round"),
        ("texts > 3 AND words > 3", "AND is not allowed here; write and"),
        ("masculine_percent => 3", "=> is not allowed here; write >="),
        ("verdict == ’a & b’", "write straight quotation marks"),
        ("words > 10,000", "write numbers without commas"),
        ("texts > True", "is neither a column"),
        ("texts > 3 words", "cannot be read from 'words' on; a condition consists of"),
        ("texts >", "cannot be read; a condition consists of"),
        ("(" * 500 + "texts > 1" + ")" * 500, "( is not allowed here"),
        ("not " * 50_000 + "texts > 1", "not is not allowed here"),
        ("-" * 50_000 + "texts > 1", "a condition consists of"),
        (" ", "is empty; write names of columns"),
        ("texts > 1 # and words > 3", "# starts a comment"),
        ("corpus == '#' #", "# starts a comment"),
        ("women_share < 1e400", "is larger than any value of a column"),
        ("words > -" + "9" * 400, "is larger than any value of a column"),
        ("words < nan", "nan is not a column"),
    ],
)
def test_what_is_no_condition_is_said(condition, message):
    with pytest.raises(ConfigError) as raised:
        read_condition(condition, audit_columns("corrected", (), None))
    assert message in str(raised.value)


def test_a_text_that_no_row_has_is_said():
    result = textparity.audit(MANY, "eng", lexicon_folder=NOUNS)
    for condition, note in (
        ("lang == 'en' and corpus == 'texts' and verdict == 'feminine'", []),
        ("lang == 'Spanish' and texts > 0", ["no row has lang 'spa'; rows have eng"]),
        ("corpus != 'text'", ["no row has corpus 'text'; did you mean texts?"]),
    ):
        found = find_unmet(audit_rows(result), [read_condition(condition, columns_of(result))])
        assert [one.partition(": ")[2] for one in found] == note


def test_the_command_says_why_and_ends_with_4(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("\n".join(MANY))
    (tmp_path / "b.txt").write_text("\n".join(FEW))
    part = str(tmp_path / "parts.parquet")
    options = [str(tmp_path), "--lang", "eng", *WITH_NOUNS, "--per-file", "--write", f"part={part}"]
    assert (
        main(
            [
                "audit",
                *options,
                "--fail-if",
                "masculine_per_feminine > 2",
                "--fail-if",
                "words > 9999",
                "--write",
                "json=-",
            ]
        )
        == 4
    )
    captured = capsys.readouterr()
    assert captured.err.startswith(
        "textparity: failed: masculine_per_feminine > 2; eng, a.txt: masculine_per_feminine 4.0"
    )
    found = json.loads(captured.out)
    assert [(row["corpus"], row["texts"], row["verdict"]) for row in found["rows"]] == [
        ("a.txt", 150, "masculine"), ("b.txt", 5, "too few"),
    ]  # fmt: skip
    assert found["rows"][1]["verdict_reason"] == (
        "5 lines with a gendered word, 10 are needed; 5 gendered words, 20 are needed"
    )
    assert found["signature"].endswith("| n 155")
    assert [(one["condition"], one["corpus"]) for one in found["failures"]] == [("masculine_per_feminine > 2", "a.txt")]
    merge = ["merge", str(tmp_path / "parts.parquet"), "--per-file", "--write", "json=-", "--fail-if"]
    assert main([*merge, "masculine_per_feminine > 2"]) == 4
    assert json.loads(capsys.readouterr().out)["rows"] == found["rows"]
    assert main([*merge, "masculine_per_feminine > 9"]) == 0
    # A check that cannot be read loses no counts.
    assert main([*merge, "x > 1", "--write", str(tmp_path / "merged.csv")]) == 2
    assert len((tmp_path / "merged.csv").read_text("utf-8").splitlines()) == 3
    assert main(["audit", str(tmp_path / "no.txt"), "--fail-if", "x > 1"]) == 2
    assert main(["audit", *options, "--write", "json=-", "--write", "csv=-"]) == 2
    assert "json and csv" in capsys.readouterr().err


def test_a_check_that_passes_says_what_it_compared(tmp_path, capsys):
    for number in range(7):
        (tmp_path / f"{number}.txt").write_text("\n".join(MANY), "utf-8")
    (tmp_path / "few.txt").write_text("\n".join(FEW), "utf-8")
    options = ["--lang", "eng", *WITH_NOUNS, "--per-file", "--quiet", "--fail-if", "women_share > 50"]
    assert main(["audit", str(tmp_path), *options, "--write", "json=-"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert captured.err.startswith("textparity: passed: women_share > 50; 0.txt, eng: women_share 20.000 (1")
    assert captured.err.endswith("; 2 more passed; 1 not compared\n")
    assert len(found["passed"]) == 7 and found["passed"][0]["values"].startswith("women_share 20.000 (1")
    assert [row["values"] for row in found["not_compared"]] == ["women_share 20.000 (no interval)"]
    # Without an interval, a check compares nothing, and does not say that it passed.
    junit = ["--write", str(tmp_path / "j.xml")]
    assert main(["audit", str(tmp_path / "few.txt"), *options, *junit]) == 0
    assert capsys.readouterr().err == "textparity: careful: women_share > 50: nothing was compared\n"
    (case,) = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert case.find("skipped").get("message") == "women_share 20.000 (no interval)"
