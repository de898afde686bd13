"""Macros for LaTeX: names of letters alone, one for each number."""

import re

import pytest

from textparity.errors import TableError
from textparity.files import write_rows
from textparity_studies.report.latex import macro_name, write_numbers
from textparity_studies.report.ledger import LedgerRow, write_ledger
from textparity_studies.report.scorecard import count_verdicts


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("lexicon", "table", "4", "swe", "words"), "tpLexiconTableFourSweWords"),
        (("newsroom", "§5.3", "taz2024full, balanced"), "tpNewsroomSectionFivePointThreeTazTwoZeroTwoFourFullBalanced"),
        (("gemma3-270m", "f1"), "tpGemmaThreeTwoSevenZeroMFOne"),
        (("für Göring",), "tpFurGoring"),
        (("лікар",), "tpElByelorussianUkrainianIKaAEr"),
        (("< 5", "> 5"), "tpLessFiveGreaterFive"),
    ],
)
def test_a_name_spells_what_it_is_made_of(parts, name):
    assert macro_name(*parts) == name
    assert re.fullmatch("[A-Za-z]+", name)


@pytest.fixture
def written(tmp_path):
    def written(rows):
        write_ledger(
            [LedgerRow("lexicon", "4", *row, "0.1", "measured", "exact", "", "") for row in rows],
            tmp_path / "ledger.csv",
        )
        none = count_verdicts([])
        totals = [
            ["lexicon", *(none | {"exact": 3, "numbers": 5}).values()],
            ["newsroom", *(none | {"exact": 1, "numbers": 2}).values()],
        ]
        write_rows(tmp_path / "summary.csv", ["study", *none], totals)
        write_rows(tmp_path / "quoted.csv", ["macro", "value"], [["tpClaimOne", "[0.1"]])
        write_numbers(*(tmp_path / name for name in ("ledger.csv", "summary.csv", "quoted.csv", "numbers.tex")))
        return dict(re.findall(r"^\\newcommand\{\\(\w+)\}\{(.*)\}% ", (tmp_path / "numbers.tex").read_text(), re.M))

    return written


def test_numbers_of_the_ledger_are_rounded_as_the_paper_prints(written):
    found = written([("swe", "gap", "0.109", "0.10935", "-0.11523"), ("swe", "words", "42980", "42980", "")])
    assert {name: value for name, value in found.items() if "Table" in name} == {
        "tpLexiconTableFourSweGapPublished": "0.109",
        "tpLexiconTableFourSweGapOurs": "0.109",
        "tpLexiconTableFourSweGapCorrected": "\\ensuremath{-}0.115",
        "tpLexiconTableFourSweWordsPublished": "42980",
        "tpLexiconTableFourSweWordsOurs": "42980",
    }
    assert (found["tpLedgerLexiconExact"], found["tpLedgerAllExact"], found["tpLedgerAllNumbers"]) == ("3", "4", "7")
    assert found["tpClaimOne"] == "[0.1"


def test_what_is_exact_is_not_rounded_twice(written):
    assert written([("eng", "gap", "0.121", "0.12050", "")])["tpLexiconTableFourEngGapOurs"] == "0.121"


def test_two_numbers_never_share_a_macro(written):
    with pytest.raises(
        TableError,
        match=r"\\tpLexiconTableFourSweGapPublished would stand for ledger.csv.*row=swe;column=gap.* and for",
    ):
        written([("swe", "gap", "0.1", "", ""), ("Swe", "gap", "0.2", "", "")])
