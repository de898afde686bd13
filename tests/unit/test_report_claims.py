"""Corrections and findings: numbers come from this run's tables alone, and what is missing is said."""

import csv

import pytest

from textparity.errors import TableError
from textparity.files import write_rows, write_text
from textparity.ledger import LedgerRow, write_ledger
from textparity.report.statements import write_statements

TABLE = "lexicon/tables/verdicts.csv"
ROW = f'row("{TABLE}", corpus="A")'


@pytest.fixture
def say(tmp_path):
    table = tmp_path / TABLE
    write_rows(
        table,
        ["corpus", "balanced", "ratio", "ratio_low", "ratio_high", "empty"],
        [["A", 3, 1.256, 0.9, 2, ""], ["B", 4, 1, 1, 1, ""]],
    )
    rows = [
        LedgerRow("lexicon", "4", "swe", "words", "10", "10", "12", "0", "exact", ""),
        LedgerRow("lexicon", "4", "xho", "words", "10", "", "", "", "not run", "there is no text of it"),
    ]
    write_ledger(rows, tmp_path / "ledger.csv")

    def say(holds, studies=("lexicon",), tables=(table,), paper="It is 5 % more."):
        corrections, findings = tmp_path / "corrections.tsv", tmp_path / "findings.tsv"
        write_text(corrections, f"study\tpaper\tholds\tevidence\nlexicon\t{paper}\t{holds}\t{TABLE}\n")
        write_text(findings, "study\tsentence\tevidence\n")
        out = tmp_path / "statements.csv", tmp_path / "numbers.csv"
        write_statements(list(tables), tmp_path / "ledger.csv", corrections, findings, *out, list(studies))
        statements, numbers = (list(csv.DictReader(path.open(encoding="utf-8"))) for path in out)
        return statements[0], [tuple(number.values()) for number in numbers]

    return say


def test_numbers_are_filled_in_and_are_macros_in_latex(say):
    said, numbers = say("{% set a = " + ROW + ' %}{{ count(a.balanced) }}: {{ n(a.ratio) }} {{ interval(a, "ratio") }}')
    assert (said["text"], said["reason"]) == ("3: 1.26 [0.90, 2.00]", "")
    names = [f"tpCorrectionLexiconOneValue{index}" for index in ("One", "Two", "Three", "Four")]
    assert numbers == list(zip(names, ["3", "1.26", "0.90", "2.00"], strict=True))
    assert said["text_latex"] == "\\{}{{}}: \\{}{{}} [\\{}{{}}, \\{}{{}}]".format(*names)
    assert said["paper_latex"] == "It is 5 \\% more."


def test_a_number_of_the_ledger_is_quoted_only_if_it_was_run(say):
    quoted = '{{{{ count(ledger("lexicon", "4", "{}", "words").ours_corrected) }}}}'
    assert say(quoted.format("swe"))[0]["text"] == "12"
    assert say(quoted.format("xho"))[0]["reason"] == "there is no text of it"
    assert "the ledger has no lexicon, table 4, row zul" in say(quoted.format("zul"))[0]["reason"]


@pytest.mark.parametrize(
    ("holds", "options", "reason"),
    [
        ("{{ n(" + ROW + ".ratio) }}", {"tables": ()}, f"{TABLE} is not part of this run"),
        ('{{ n(row("' + TABLE + '", corpus="C").ratio) }}', {}, f"{TABLE} has no row with corpus C"),
        ("{{ n(" + ROW + ".empty) }}", {}, "the number is not defined in this run"),
        ("{{ n(" + ROW + ".ratio) }}", {"studies": ["newsroom"]}, "lexicon is not one of the studies of this run"),
    ],
)
def test_what_was_not_run_says_why_and_quotes_nothing(say, holds, options, reason):
    said, numbers = say(holds, **options)
    assert (said["text"], said["reason"], numbers) == ("", reason, [])


def test_what_the_paper_says_is_told_even_if_ours_was_not_run(say):
    assert say("{{ n(" + ROW + ".empty) }}")[0]["paper"] == "It is 5 % more."


@pytest.mark.parametrize(
    "holds",
    [
        "{{ n(" + ROW + ".other) }}", "{{ n(", "{{ n(" + ROW + ".corpus) }}",
        '{{ n(row("' + TABLE + '", colum="B").ratio) }}',
    ],
)  # fmt: skip
def test_a_wrong_sentence_is_named(say, holds):
    with pytest.raises(TableError, match=r"corrections\.tsv, lexicon 1: .*cannot be filled in"):
        say(holds)
