"""The summary quotes its numbers by macros that are there."""

import re

import pytest

from textparity.errors import MissingResourceError
from textparity.files import write_rows, write_text
from textparity_studies.report.claims import COLUMNS
from textparity_studies.report.summary import render_summary, write_summary
from textparity_studies.workflow.plans import find_latex

NAMES = {"lexicon": "Lexicon & more", "newsroom": "Newsroom"}
MACROS = [
    f"tpLedger{study}{verdict}"
    for study in ("All", "Lexicon")
    for verdict in ("Exact", "WithinTolerance", "Differs", "OtherSetup", "NotRun", "Numbers")
] + ["tpClaimLexiconAValueOne"]


@pytest.fixture
def parts(tmp_path):
    write_rows(tmp_path / "summary.csv", ["study", "exact", "numbers"], [["lexicon", 1, 2]])
    rows = [
        {
            "study": "lexicon",
            "id": "lexicon-a",
            "says_latex": "It is \\tpClaimLexiconAValueOne{} \\% “high” (ب اوک): −1.",
        },
        {"study": "newsroom", "id": "newsroom-a", "reason": "there is no file a_b/*_50%.json"},
    ]
    cells = [dict.fromkeys(COLUMNS, "") | {"kind": "our measurement"} | row for row in rows]
    write_rows(tmp_path / "claims.csv", COLUMNS, ([row[name] for name in COLUMNS] for row in cells))
    write_text(tmp_path / "numbers.tex", "".join(f"\\newcommand{{\\{name}}}{{5}}\n" for name in MACROS))
    return [tmp_path / name for name in ("summary.csv", "claims.csv", "numbers.tex")]


def test_every_number_is_a_macro_and_text_is_escaped(parts):
    text = render_summary(*parts[:2], "numbers.tex", NAMES)
    assert set(re.findall(r"\\(tp[A-Za-z]+)", text)) == set(MACROS)
    assert "\\textbf{Lexicon \\& more.} It is \\tpClaimLexiconAValueOne{} \\% “high” (…): −1." in text
    assert "newsroom-a: there is no file a\\_b/*\\_50\\%.json." in text


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
