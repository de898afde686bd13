"""The gate against an earlier result: what it lets pass, what it refuses, and its report for CI."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.gates import Baseline
from textparity.command import main


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
    code, out, _ = audit(write(tmp_path / "a.txt", 0.35), "--json")
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
        rows = {("all", "eng", "", ""): before.table().rounded()[0]}
        failed += bool(Baseline(tmp_path, rows).check(now)[0])
    assert failed <= 6


def test_rows_that_only_one_result_has_are_named(tmp_path, audit, baseline):
    path = write(tmp_path / "d.txt", 0.35)
    code, _, said = audit(path, "--baseline", str(baseline), "--per-file", "--quiet")
    assert code == 0
    assert "has no row d.txt, eng; it was not compared" in said and "has a row all, eng, the result has none" in said


def test_a_language_that_is_new_is_named_and_the_others_are_compared(tmp_path, audit, baseline):
    (tmp_path / "s.txt").write_text("Una mujer.\nUn hombre.\n" * 20, "utf-8")
    write(tmp_path / "b.txt", 0.1, seed=2)
    arguments = [f"{tmp_path / 'b.txt'}:eng", f"{tmp_path / 's.txt'}:spa", *WITH_NOUNS, "--quiet"]
    assert main(["audit", *arguments, "--baseline", str(baseline), "--junit", str(tmp_path / "j.xml")]) == 4
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "nouns", "--exclude-words", "man"], "was counted with exclude none, this result with man"),
        (["--seed", "3"], "was counted with seed none, this result with 3"),
    ],
)
def test_results_that_were_counted_otherwise_are_not_compared(tmp_path, audit, baseline, options, said):
    code, _, error = audit(str(tmp_path / "a.txt"), *options, "--baseline", str(baseline), "--quiet")
    assert code == 2 and said in error


@pytest.mark.parametrize("content", ["", "[]", '{"row": []}', '{"rows": [1]}', '{"rows": [{"lang": "eng"}]}'])
def test_a_file_that_is_no_result_is_refused_before_anything_is_counted(tmp_path, audit, content):
    (tmp_path / "bad.json").write_text(content, "utf-8")
    code, out, error = audit(write(tmp_path / "a.txt", 0.3), "--baseline", str(tmp_path / "bad.json"))
    assert (code, out) == (2, "") and "write it with textparity audit --json" in error


def test_the_report_has_a_case_for_each_check_and_row(tmp_path, audit, baseline):
    rows = [{"text": f"The man & the <boss> {n}.", "of": f"{n % 2}<&"} for n in range(40)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    checks = ["--fail-if", "women_share < 30", "--fail-if", "group == '1<&' and matches > 10"]
    code, _, _ = audit(
        str(tmp_path / "a.jsonl"), "--group-by", "of", *checks, "--junit", str(tmp_path / "j.xml"), "--quiet"
    )
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert code == 4 and (suite.get("tests"), suite.get("failures")) == ("6", "4")
    failed = [(case.get("classname"), case.get("name")) for case in suite if case.find("failure") is not None]
    assert failed[-1] == (checks[-1], "all, eng, 1<&") and len(failed) == 4
