import csv

import pytest

from textparity.ledger import LedgerRow, write_ledger
from textparity.report.ledger_summary import shorten_reason, summarise_ledger


def row(verdict, reason="", study="lexicon"):
    return LedgerRow(study, "4", "swe", "words", "1", "1", "1", "0", verdict, reason)


def test_verdicts_and_reasons_are_counted_per_study(tmp_path):
    rows = [
        row("exact", "never listed"),
        row("differs", "a stand-in; in the first row"),
        row("differs", "a stand-in"),
        row("differs", "a stand-in"),
        row("within tolerance", "tolerance 0.10; a stand-in"),
        row("differs"),
        row("not run", "no key", study="newsroom"),
    ]
    write_ledger(rows, tmp_path / "ledger.csv")
    summary, reasons = tmp_path / "summary.csv", tmp_path / "reasons.csv"
    summarise_ledger(tmp_path / "ledger.csv", summary, reasons)
    assert summary.read_text().splitlines() == [
        "study,exact,within_tolerance,differs,not_run,numbers",
        "lexicon,1,1,4,0,6",
        "newsroom,0,0,0,1,1",
    ]
    assert [list(found.values()) for found in csv.DictReader(reasons.open())] == [
        ["lexicon", "within tolerance", "a stand-in", "1", "tolerance 0.10; a stand-in"],
        ["lexicon", "differs", "a stand-in", "3", "a stand-in"],
        ["lexicon", "differs", "no reason given", "1", ""],
        ["newsroom", "not run", "no key", "1", "no key"],
    ]


@pytest.mark.parametrize(
    ("reason", "short"),
    [
        ("tolerance 0.0078; NLTK (nltk 3.9); more", "NLTK (nltk 3.9)"),
        ("tolerance 0.195", "no reason given"),
        ("Stanza ar pud_standin (stand-in model, stanza 1.15.0)", "Stanza, stand-in model"),
        ("set/dev/lit_Latn.dev is not in the mirror's copy of set.tar.gz", "a file is not in the mirror"),
        ("https://example.org/a.txt is not in the mirror", "a file is not in the mirror"),
        ("the published cell cannot be read: 0.069/0.234", "the published cell cannot be read"),
    ],
)
def test_a_reason_is_its_cause_without_the_details_of_one_number(reason, short):
    assert shorten_reason(reason) == short
