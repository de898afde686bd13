"""The gate against an earlier result: what it lets pass, what it refuses, and its report for CI."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.checks import Outcome
from textparity.auditing.gates import Baseline
from textparity.auditing.results import RowName
from textparity.command import main
from textparity.estimating.estimates import Estimate


def write(path, women, texts=200, seed=1):
    generator = np.random.default_rng(seed)
    kinds = generator.choice(["The woman said {}.", "The man said {}."], texts, p=[women, 1 - women])
    path.write_text("".join(f"{kind.format(number)}\n" for number, kind in enumerate(kinds)), "utf-8")
    return str(path)


@pytest.fixture
def audit(tmp_path, capsys):
    def run(path, *options, language="eng"):
        code = main(["audit", path, "--lang", language, *WITH_NOUNS, *options])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def baseline(tmp_path, audit):
    code, out, _ = audit(write(tmp_path / "a.txt", 0.35), "--write", "json=-")
    assert code == 0
    (tmp_path / "last.json").write_text(out, "utf-8")
    return tmp_path / "last.json"


@pytest.mark.parametrize(
    ("women", "code"), [(0.35, 0), (0.2, 4), (0.5, 0), (0.62, 0), (0.9, 4)],
)  # fmt: skip
def test_only_what_is_farther_from_half_by_more_than_chance_fails(tmp_path, audit, baseline, women, code):
    found, _, said = audit(write(tmp_path / "b.txt", women, seed=2), "--baseline", str(baseline), "--quiet")
    assert found == code
    assert (f"failed: women_share against {baseline}; eng, all" in said) is (code == 4)


def test_the_gate_fails_as_often_as_it_says(tmp_path):
    # The same text, drawn anew: one row fails in one of twenty.
    results = [
        textparity.audit_files([write(tmp_path / "c.txt", 0.3, 150, seed)], "eng", lexicon_folder=NOUNS, resamples=200)
        for seed in range(80)
    ]
    failed = 0
    for before, now in zip(results[::2], results[1::2], strict=True):
        rows = {RowName("all", "eng"): before.table().rounded()[0]}
        checked, _ = Baseline(tmp_path, rows).check(now)
        failed += checked[0].outcome == Outcome.FAILED
    assert failed <= 6


def test_rows_that_only_one_result_has_are_named(tmp_path, audit, baseline):
    path = write(tmp_path / "d.txt", 0.35)
    code, _, said = audit(path, "--baseline", str(baseline), "--per-file", "--quiet")
    assert code == 0
    assert "has no row d.txt, eng; it was not compared" in said and "has a row all, eng, the result has none" in said


def test_the_loss_of_a_whole_language_fails(tmp_path, audit, capsys):
    english = write(tmp_path / "e.txt", 0.35)
    (tmp_path / "s.txt").write_text("Una mujer.\nUn hombre.\n" * 20, "utf-8")
    assert (
        main(["audit", f"{english}:eng", f"{tmp_path / 's.txt'}:spa", *WITH_NOUNS, "--write", "json=-", "--quiet"]) == 0
    )
    (tmp_path / "both.json").write_text(capsys.readouterr().out, "utf-8")
    code, _, said = audit(english, "--baseline", str(tmp_path / "both.json"), "--quiet")
    assert code == 4 and "the result has no such row" in said


def test_a_language_that_is_new_is_named_and_the_others_are_compared(tmp_path, audit, baseline):
    (tmp_path / "s.txt").write_text("Una mujer.\nUn hombre.\n" * 20, "utf-8")
    write(tmp_path / "b.txt", 0.1, seed=2)
    arguments = [f"{tmp_path / 'b.txt'}:eng", f"{tmp_path / 's.txt'}:spa", *WITH_NOUNS, "--quiet"]
    assert main(["audit", *arguments, "--baseline", str(baseline), "--write", str(tmp_path / "j.xml")]) == 4
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert [suite.get(name) for name in ("tests", "failures", "skipped")] == ["2", "1", "1"]


LINES = [
    f"The {'woman' if number % 4 == 0 else 'man'} said {number} {'of it' if number % 12 == 0 else ''}"
    for number in range(600)
]


@pytest.fixture
def records(tmp_path, audit):
    (tmp_path / "all.txt").write_text("\n".join(LINES), "utf-8")
    path = str(tmp_path / "last.parquet")
    assert audit(str(tmp_path / "all.txt"), "--write", f"records={path}", "--quiet")[0] == 0
    return path


@pytest.mark.parametrize(
    ("kept", "code", "said"),
    [
        # A filter removed a third of the women, so that their share falls from 25 to 18 %.
        ([line for line in LINES if "of it" not in line], 4, "in 550 of the 600 texts; p = 0.0001"),
        ([line for number, line in enumerate(LINES) if number % 7], 0, "in 514 of the 600 texts"),
        (LINES[::-1], 0, "+0.0 points (0.0–0.0), in the same 600 texts; p = 1"),
        ([*LINES, *(f"A man came {number}." for number in range(150))], 4, "in the 600 texts and 150 more; p = 0.0001"),
        ([*LINES, *(f"{line} again" for line in LINES)], 0, "in the 600 texts and 600 more"),
        # One changed text: neither is a part of the other.
        (["A man.", *LINES[1:]], 0, "in 599 of the 600 texts and 1 other; p = 0.47; a loss of less than"),
        ([f"Now {line}" for line in LINES], 0, "in 0 of the 600 texts and 600 others"),
    ],
)
def test_texts_that_are_a_part_are_compared_as_a_part(tmp_path, audit, records, kept, code, said):
    # As another file, in another format and order.
    rows = [json.dumps({"text": f" {line} "}) for line in kept[::-1]]
    (tmp_path / "kept.jsonl").write_text("\n".join(rows), "utf-8")
    found, _, messages = audit(str(tmp_path / "kept.jsonl"), "--baseline", records, "--quiet")
    assert (found, said in messages) == (code, True), messages
    assert (" points would pass" in messages) is ("other" in said)


def test_a_result_without_texts_says_what_it_cannot_see(tmp_path, audit, baseline):
    lines = (tmp_path / "a.txt").read_text("utf-8").splitlines()
    kept = [line for line in lines if "woman" not in line or "2" not in line.split()[-1]]
    (tmp_path / "kept.txt").write_text("\n".join(kept), "utf-8")
    code, _, said = audit(str(tmp_path / "kept.txt"), "--baseline", str(baseline), "--quiet")
    assert code == 0 and re.search(r"a loss of less than [\d.]+ points would pass", said)
    assert "a baseline of records shows smaller losses" in said
    for path, options in (
        (tmp_path / "a.txt", ["--write", str(tmp_path / "r.parquet")]),
        (tmp_path / "kept.txt", []),
    ):
        code, _, said = audit(str(path), *options, "--baseline", str(baseline), "--quiet")
    assert audit(str(tmp_path / "kept.txt"), "--baseline", str(tmp_path / "r.parquet"), "--quiet")[0] == 4


def test_records_are_compared_by_language_and_file_and_have_no_groups(tmp_path, audit):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        rows = [
            json.dumps({"text": f"{line} in {name}", "of": f"g{number // 300}"}) for number, line in enumerate(LINES)
        ]
        (folder / name).write_text("\n".join(rows), "utf-8")
    options = ["--group-by", "of", "--per-file", "--quiet"]
    path = str(tmp_path / "last.parquet")
    audit(str(folder), *options, "--write", f"records={path}")
    kept = [row for row in rows if "of it" not in row]
    (folder / "b.jsonl").write_text("\n".join(kept), "utf-8")
    code, _, said = audit(str(folder), *options, "--baseline", path, "--write", str(tmp_path / "j.xml"))
    outcomes = {case.get("name"): case for case in ElementTree.parse(tmp_path / "j.xml").getroot()}
    assert code == 4 and said.count("failed: ") == 1 and "eng, b.jsonl: " in said
    assert "in the same 600 texts" in outcomes["a.jsonl, eng"].find("system-out").text
    assert "points would pass" in outcomes["b.jsonl, eng, g0"].find("system-out").text


def test_parts_are_compared_by_their_shares(tmp_path, records, capsys):
    part = str(tmp_path / "part.parquet")
    assert (
        main(["audit", str(tmp_path / "all.txt"), "--lang", "eng", *WITH_NOUNS, "--write", f"part={part}", "--quiet"])
        == 0
    )
    assert main(["merge", part, "--baseline", records, "--quiet"]) == 0
    assert " points would pass\n" in capsys.readouterr().err


def test_records_are_no_baseline_of_the_method_published(audit, records, tmp_path, capsys):
    arguments = ["audit", str(tmp_path / "all.txt"), "--lang", "eng", "--method", "published", "--baseline", records]
    assert main(arguments) == 2
    assert "give a baseline written by --write json=FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_bytes(b"PAR1" + bytes(99)), "cannot be read as Parquet"),
        (lambda path: pq.write_table(pa.table({"text": ["A man."]}), path), "is Parquet without digests of texts"),
        (lambda path: pq.write_table(pa.table({"digest": [1]}), path), "is Parquet without digests of texts"),
        (lambda path: path.mkdir(), "write it with textparity audit --write records=FILE or json=FILE"),
    ],
)
def test_parquet_that_has_no_records_is_refused_before_anything_is_counted(tmp_path, audit, make, said):
    make(tmp_path / "bad.parquet")
    code, out, error = audit(write(tmp_path / "a.txt", 0.3), "--baseline", str(tmp_path / "bad.parquet"))
    assert (code, out) == (2, "") and said in error and "bad.parquet" in error


@pytest.mark.parametrize("before", [30.0, 48.0, 54.0])
def test_the_loss_that_would_pass_is_the_largest_that_does(tmp_path, before):
    result = textparity.audit_files([write(tmp_path / "a.txt", 0.3, 400)], "eng", lexicon_folder=NOUNS)
    (item,) = result

    def columns(share):
        return Estimate(share, share - 3, share + 3).columns("women_share")

    def check(share):
        statistics = replace(item.statistics, women_share=Estimate(share, share - 3, share + 3))
        now = replace(result, languages=(replace(item, statistics=statistics),))
        rows = {RowName("all", "eng"): result.table().rounded()[0] | columns(before)}
        (checked,), _ = Baseline(tmp_path, rows).check(now)
        return checked

    loss = float(re.search(r"a loss of less than ([\d.]+) points would pass", check(before).values)[1])
    assert check(before - loss + 0.1).outcome == Outcome.PASSED
    assert check(before - loss - 0.1).outcome == Outcome.FAILED


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "nouns", "--exclude-words", "man"], "was counted with exclude none, this result with man"),
        (["--seed", "3"], "was counted with seed none, this result with 3"),
    ],
)
def test_results_that_were_counted_otherwise_are_not_compared(tmp_path, audit, baseline, records, options, said):
    for path in (str(baseline), records):
        code, _, error = audit(str(tmp_path / "a.txt"), *options, "--baseline", path, "--quiet")
        assert code == 2 and said in error


@pytest.mark.parametrize("content", ["", "[]", '{"row": []}', '{"rows": [1]}', '{"rows": [{"lang": "eng"}]}'])
def test_a_file_that_is_no_result_is_refused_before_anything_is_counted(tmp_path, audit, content):
    (tmp_path / "bad.json").write_text(content, "utf-8")
    code, out, error = audit(write(tmp_path / "a.txt", 0.3), "--baseline", str(tmp_path / "bad.json"))
    assert (code, out) == (2, "") and "write it with textparity audit --write json=FILE" in error


def test_the_report_has_a_case_for_each_check_and_row(tmp_path, audit, baseline):
    rows = [{"text": f"The man & the <boss> {n}.", "of": f"{n % 2}<&"} for n in range(40)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    checks = ["--fail-if", "women_share < 30", "--fail-if", "group == '1<&' and matches > 10"]
    code, _, _ = audit(
        str(tmp_path / "a.jsonl"), "--group-by", "of", *checks, "--write", str(tmp_path / "j.xml"), "--quiet"
    )
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert code == 4 and (suite.get("tests"), suite.get("failures")) == ("6", "4")
    failed = [(case.get("classname"), case.get("name")) for case in suite if case.find("failure") is not None]
    assert failed[-1] == (checks[-1], "all, eng, 1<&") and len(failed) == 4
