import csv

import pytest

from textparity.report.ledger import LedgerRow, write_ledger
from textparity.report.ledger_summary import shorten_reason, sum_up_ledgers


def row(verdict, reason="", study="lexicon", setup="", difference="0"):
    return LedgerRow(study, "4", "swe", "words", "20", "1", "1", difference, verdict, reason, setup)


def test_verdicts_and_reasons_are_counted_per_study(tmp_path):
    rows = [
        row("exact", "never listed"),
        row("differs", "a stand-in; in the first row"),
        row("differs", "a stand-in"),
        row("differs", "a stand-in"),
        row("within tolerance", "tolerance 0.10; a stand-in"),
        row("differs"),
        row("other setup", "tokens", setup="Stanza a one (stand-in model, stanza 1.1)", difference="1"),
        row("other setup", "tokens", setup="Stanza b two (stand-in model, stanza 1.1)", difference="3"),
        row("not run", "gated: a licence form", study="newsroom"),
    ]
    write_ledger(rows, tmp_path / "part.csv")
    summary, reasons = tmp_path / "summary.csv", tmp_path / "reasons.csv"
    made = [tmp_path / name for name in ("ledger.csv", "counts.csv")]
    sum_up_ledgers([tmp_path / "part.csv"], *made, summary, reasons)
    assert summary.read_text().splitlines() == [
        "study,exact,within_tolerance,differs,other_setup,not_run,not_run_published_not_here,not_run_gated,"
        "not_run_withdrawn,not_run_unpublished,not_run_not_asked_for,not_run_unreadable,numbers,median_distance_percent",
        "lexicon,1,1,4,2,0,0,0,0,0,0,0,8,10.0",
        "newsroom,0,0,0,0,1,0,1,0,0,0,0,1,",
    ]
    assert [list(found.values()) for found in csv.DictReader(reasons.open())] == [
        ["lexicon", "within tolerance", "a stand-in", "1", "tolerance 0.10; a stand-in"],
        ["lexicon", "differs", "a stand-in", "3", "a stand-in"],
        ["lexicon", "differs", "no reason given", "1", ""],
        ["lexicon", "other setup", "Stanza, stand-in model", "2", "Stanza a one (stand-in model, stanza 1.1)"],
        ["newsroom", "not run", "gated: a licence form", "1", "gated: a licence form"],
    ]


@pytest.mark.parametrize(
    ("reason", "short"),
    [
        ("tolerance 0.0078; NLTK (nltk 3.9); more", "NLTK (nltk 3.9)"),
        ("tolerance 0.195", "no reason given"),
        ("Stanza ar pud_standin (stand-in model, stanza 1.15.0)", "Stanza, stand-in model"),
        ("set/dev/lit_Latn.dev is not in the mirror's copy of set.tar.gz", "a file is not in the mirror"),
        (
            "published, not here: https://example.org/a.txt is not in the mirror",
            "published, not here: a file is not in the mirror",
        ),
        ("unreadable: 0.069/0.234", "unreadable"),
        (
            "published, not here: only 3 of the 9 languages were run",
            "published, not here: only some of the languages were run",
        ),
    ],
)
def test_a_reason_is_its_cause_without_the_details_of_one_number(reason, short):
    assert shorten_reason(reason) == short
