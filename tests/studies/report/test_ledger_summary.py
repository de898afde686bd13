import pytest

from textparity_studies.report.cells import read_cells
from textparity_studies.report.ledger import OTHER_SETUP, LedgerRow, Reason, write_ledger
from textparity_studies.report.scorecard import (
    WHAT_IT_TAKES,
    count_by_evidence,
    count_by_table,
    describe_ledgers,
    list_reasons,
    shorten_reason,
    sum_up_ledgers,
)


def row(verdict, reason="", study="lexicon", setup="", difference="0", table="4", evidence="measured"):
    return LedgerRow(study, table, "swe", "words", "20", "1", "1", difference, evidence, verdict, reason, setup)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    rows = [
        row("differs", "a stand-in", table="10"),
        row("exact", "never listed"),
        row("differs", "a stand-in; in the first row"),
        row("differs", "a stand-in"),
        row("differs", "a stand-in"),
        row("within tolerance", "tolerance 0.10; a stand-in"),
        row("differs"),
        row("other setup", "tokens", setup="Stanza a one (stand-in model, stanza 1.1)", difference="1"),
        row("other setup", "tokens", setup="Stanza b two (stand-in model, stanza 1.1)", difference="3"),
        row(
            "contradicted by the authors' data", "by a report", study="newsroom", table="§5", evidence="authors' report"
        ),
        row("not run", "gated: a licence form", study="newsroom", table="§5", evidence=""),
    ]
    folder = tmp_path_factory.mktemp("ledgers")
    write_ledger(rows, folder / "part.csv")
    made = [folder / f"{name}.csv" for name in ("ledger", "counts", "summary", "scorecard")]
    sum_up_ledgers([folder / "part.csv"], *made)
    return folder


def test_verdicts_are_counted_per_study(made):
    assert (made / "summary.csv").read_text().splitlines() == [
        "study,exact,within_tolerance,differs,contradicted_by_the_authors_data,other_setup,not_run,not_run_published_not_here,not_run_gated,"
        "not_run_withdrawn,not_run_unpublished,not_run_not_asked_for,not_run_not_computed,not_run_unreadable,numbers,median_distance_percent",
        "lexicon,1,1,5,0,2,0,0,0,0,0,0,0,0,9,10.0",
        "newsroom,0,0,0,1,0,1,0,1,0,0,0,0,0,2,",
    ]


def test_the_scorecard_counts_verdicts_and_reasons_per_table(made):
    rows = read_cells(made / "scorecard.csv")
    assert [list(found.values()) for found in rows] == [
        ["lexicon", "4", "measured", "exact", "", "1", ""],
        ["lexicon", "4", "measured", "within tolerance", "a stand-in", "1", "tolerance 0.10; a stand-in"],
        ["lexicon", "4", "measured", "differs", "a stand-in", "3", "a stand-in"],
        ["lexicon", "4", "measured", "differs", "no reason given", "1", ""],
        [
            "lexicon", "4", "measured", "other setup", "Stanza, stand-in model", "2",
            "Stanza a one (stand-in model, stanza 1.1)",
        ],
        ["lexicon", "10", "measured", "differs", "a stand-in", "1", "a stand-in"],
        ["newsroom", "§5", "authors' report", "contradicted by the authors' data", "by a report", "1", "by a report"],
        ["newsroom", "§5", "", "not run", "gated: a licence form", "1", "gated: a licence form"],
    ]  # fmt: skip
    assert count_by_evidence(rows) == {
        "measured": {"exact": 1, "within tolerance": 1, "differs": 5, "other setup": 2},
        "counted": {},
        "rescored": {},
        "authors' report": {"contradicted by the authors' data": 1},
        "arithmetic": {},
    }
    assert count_by_table(rows)["lexicon"] == {
        "4": {"exact": 1, "within tolerance": 1, "differs": 4, "other setup": 2},
        "10": {"differs": 1},
    }
    reasons = list_reasons(rows)
    shown = [(found["verdict"], found["reason"], found["tables"], found["numbers"]) for found in reasons["lexicon"]]
    assert shown == [
        ("within tolerance", "a stand-in", "4", "1"),
        ("differs", "a stand-in", "4, 10", "4"),
        ("differs", "no reason given", "4", "1"),
        ("other setup", "Stanza, stand-in model", "4", "2"),
    ]
    # What is not run in the paper's setup says what would run it.
    assert [bool(found["takes"]) for found in reasons["lexicon"]] == [False, False, False, True]
    assert reasons["newsroom"][1]["takes"].startswith("accept the licence")


def test_another_setup_and_every_kind_of_not_run_say_what_they_take():
    assert WHAT_IT_TAKES.keys() == {*Reason, OTHER_SETUP}


def test_ledgers_are_one_line_and_none_without_any(made, tmp_path):
    parts = [made / "part.csv", tmp_path / "absent.csv"]
    said = (
        "11 published numbers: 1 exact, 1 within tolerance, 5 different, 1 contradicted by the authors' data, "
        "2 in another setup, 1 not run"
    )
    assert describe_ledgers(parts) == said
    assert describe_ledgers(parts[1:]) == ""


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
        ("unpublished: a list (its address; where it goes); more", "unpublished: a list (its address)"),
        ("tolerance 1; the authors' own count prints 1,283", "the authors' own count prints another number"),
        (
            "published, not here: only 3 of the 9 languages were run",
            "published, not here: only some of the languages were run",
        ),
    ],
)
def test_a_reason_is_its_cause_without_the_details_of_one_number(reason, short):
    assert shorten_reason(reason) == short
