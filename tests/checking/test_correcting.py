"""The corrected share in an audit: a third number in every output, of these texts and this method alone."""

import json

import pytest

import textparity
from textparity.command import main


@pytest.fixture
def checked(draw, read_all):
    return read_all(draw("--texts", "12"))


def test_every_output_has_the_corrected_share(corpus, checked, tmp_path, capsys):
    audit = ["audit", str(corpus), "--lang", "eng", "--checked", str(checked)]
    names = ("audit.json", "audit.csv", "audit.html", "audit.tex", "card.md", "audit.svg")
    files = [tmp_path / name for name in names]
    writes = [option for file in files for option in ("--write", f"{'card=' if 'card' in file.name else ''}{file}")]
    assert main([*audit, *writes, "--fail-if", "corrected_share > 99"]) == 0
    printed = capsys.readouterr()
    assert "passed: corrected_share > 99" in printed.err
    (row,) = json.loads(files[0].read_text())["rows"]
    assert row["texts_read"] == 12
    assert row["grade"] == "measured on these texts"
    share = f"{row['corrected_share']:.1f}"
    assert "corrected" in printed.out and share in printed.out
    assert f"Corrected by 12 texts read, it is {row['corrected_share']:.0f} % (" in printed.out.replace("\n", " ")
    assert str(row["corrected_share"]) in files[1].read_text()
    for file in files[2:5]:
        assert share in file.read_text(), file.name
    assert "grey: corrected" in files[5].read_text()


def test_the_raw_share_stays(corpus, checked):
    result = textparity.audit_files([corpus], "eng")
    corrected = textparity.correct_by_check(result, checked)
    assert corrected["eng"].women_share == result["eng"].women_share
    assert result["eng"].statistics.corrected is None
    assert corrected["eng"].statistics.corrected_share.value != result["eng"].women_share.value


def test_merged_parts_are_corrected_alike(corpus, checked, tmp_path, capsys):
    part = tmp_path / "part.parquet"
    audit = ["audit", str(corpus), "--lang", "eng"]
    assert main([*audit, "--write", f"part={part}", "--quiet"]) == 0
    assert main([*audit, "--checked", str(checked), "--write", "csv=-"]) == 0
    whole = capsys.readouterr().out
    assert main(["merge", str(part), "--checked", str(checked), "--write", "csv=-"]) == 0
    assert capsys.readouterr().out == whole


def test_groups_are_corrected_if_they_were_strata(corpus, checked, draw, read_all):
    grouped = textparity.audit_files([corpus], "eng", group_by="outlet")
    by_group = textparity.correct_by_check(grouped, read_all(draw("--group-by", "outlet", name="groups")))
    assert [item.statistics.texts_read for item in by_group.rows] == [20, 10, 10]
    whole = textparity.correct_by_check(grouped, checked)
    assert [item.statistics.texts_read for item in whole.rows] == [12, 0, 0]
    assert [item.grade.name for item in whole.groups] == [item.grade.name for item in grouped.groups]


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ("more", [], "was drawn from other texts: 50 with"),
        ("", ["--method", "nouns"], "was counted with method words, this audit with nouns; count both alike"),
        ("", ["--exclude-words", "queen"], "was counted with exclude none, this audit with queen"),
        ("", ["--method", "words,nouns"], "--checked is for one method"),
    ],
)
def test_a_check_of_something_else_is_refused(corpus, checked, capsys, changes, options, message):
    if changes:
        with corpus.open("a") as file:
            file.write('{"text": "A queen."}\n')
    if "--lang" not in options:
        options = ["--lang", "eng", *options]
    assert main(["audit", str(corpus), "--checked", str(checked), *options]) == 2
    assert message in capsys.readouterr().err


def test_a_condition_on_the_corrected_share_needs_a_check(corpus, capsys):
    assert main(["audit", str(corpus), "--lang", "eng", "--fail-if", "corrected_share < 30"]) == 2
    assert "there is no corrected_share; add --checked FOLDER" in capsys.readouterr().err
