"""The summary of two pages quotes its numbers by macros that are there."""

import re

import pytest

from textparity.errors import MissingResourceError
from textparity.files import write_rows, write_text
from textparity.report.latex import find_latex
from textparity.report.statements import COLUMNS
from textparity.report.summary import render_summary, write_summary

NAMES = {"lexicon": "Lexicon & more", "newsroom": "Newsroom"}
MACROS = [
    f"tpLedger{study}{verdict}"
    for study in ("All", "Lexicon")
    for verdict in ("Exact", "WithinTolerance", "Differs", "NotRun", "Numbers")
] + ["tpFindingLexiconOneValueOne"]


@pytest.fixture
def parts(tmp_path):
    write_rows(tmp_path / "summary.csv", ["study", "exact", "numbers"], [["lexicon", 1, 2]])
    rows = [
        ["lexicon", "finding", 1, "", "It is 5 %.", "", "", "", "It is \\tpFindingLexiconOneValueOne{} \\% “high”."],
        ["newsroom", "finding", 1, "", "", "there is no file a_b/*_50%.json", "", "", ""],
    ]
    write_rows(tmp_path / "statements.csv", COLUMNS, rows)
    write_text(tmp_path / "numbers.tex", "".join(f"\\newcommand{{\\{name}}}{{5}}\n" for name in MACROS))
    return [tmp_path / name for name in ("summary.csv", "statements.csv", "numbers.tex")]


def test_every_number_is_a_macro_and_text_is_escaped(parts):
    text = render_summary(*parts[:2], "numbers.tex", NAMES)
    assert set(re.findall(r"\\(tp[A-Za-z]+)", text)) == set(MACROS)
    assert "\\textbf{Lexicon \\& more.} It is \\tpFindingLexiconOneValueOne{} \\% “high”." in text
    assert "Newsroom, finding 1: there is no file a\\_b/*\\_50\\%.json." in text


@pytest.mark.skipif(not find_latex(), reason="there is no LaTeX here")
def test_two_runs_make_the_same_pdf_and_a_missing_macro_stops(parts, tmp_path):
    made = []
    for run in ("one", "two"):
        out = tmp_path / run / "summary.tex", tmp_path / run / "summary.pdf"
        write_summary(*parts, find_latex(), NAMES, *out)
        made.append(out[1].read_bytes())
    assert made[0] == made[1] and made[0].startswith(b"%PDF")
    write_text(parts[2], "")
    with pytest.raises(MissingResourceError, match=r"three/summary\.pdf of .*Undefined control sequence"):
        write_summary(
            *parts, find_latex(), NAMES, *(tmp_path / "three" / name for name in ("summary.tex", "summary.pdf"))
        )
    assert not (tmp_path / "three" / "summary.pdf").exists()
