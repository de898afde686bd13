"""Claims: numbers come from this run's tables alone, and a row that says too little is refused."""

import csv
from dataclasses import fields

import pytest
from jinja2 import Environment
from jinja2.meta import find_undeclared_variables

from textparity.errors import TableError
from textparity.files import write_rows, write_text
from textparity_studies.report.catalogue import captioned_tables
from textparity_studies.report.claims import _Quoted, quote_results, read_claims, table_rows
from textparity_studies.report.ledger import LedgerRow, PublishedNumber, write_ledger

TABLE = "lexicon/tables/verdicts.csv"
ROW = f'row("{TABLE}[corpus=A]")'
KNOWN = ["lexicon/verdicts", "lexicon/kept/verdicts", "summary/ledger"]
CLAIM = {
    "id": "lexicon-units",
    "plain": "It is so.",
    "topic": "How it is",
    "holds_if": "true",
    "changes": "no",
    "says": "It is so.",
    "effect": "small",
    "table": "",
    "quote": "It is 5 % more.",
    "where": "§5.1",
    "kind": "statistical reading",
    "confidence": "inferred",
    "evidence": f"{TABLE} ledger.csv",
    "objection": "It is not.",
    "overturned_by": "A letter.",
}


@pytest.fixture
def claim(tmp_path):
    table = tmp_path / TABLE
    write_rows(
        table,
        ["corpus", "balanced", "ratio", "ratio_low", "ratio_high", "empty"],
        [["A", 3, 1.256, 0.9, 2, ""], ["B", 4, 1, 1, 1, ""]],
    )
    rows = [
        LedgerRow("lexicon", "4", "swe", "words", "10", "10", "12", "0", "measured", "exact", "", ""),
        LedgerRow("lexicon", "4", "xho", "words", "10", "", "", "", "", "not run", "gated: a form", ""),
    ]
    write_ledger(rows, tmp_path / "ledger.csv")

    write_rows(tmp_path / "lexicon" / "kept" / "verdicts.csv", ["corpus", "balanced"], [["A", 7]])
    columns = [item.name for item in fields(PublishedNumber)]
    numbers = [["4", lang, "words", 10, "", "", ""] for lang in ("swe", "xho")]
    write_rows(tmp_path / "lexicon" / "published.csv", columns, numbers)

    def claim(*changes, studies=("lexicon",), tables=(table,), kept=()):
        claims = [CLAIM | change for change in changes or ({},)]
        lines = ["\t".join(CLAIM), *("\t".join(cells.values()) for cells in claims)]
        path = (
            write_text(tmp_path / "lexicon" / "claims.tsv", "\n".join(lines) + "\n")
            or tmp_path / "lexicon" / "claims.tsv"
        )
        out = tmp_path / "claims.csv", tmp_path / "numbers.csv"
        read = list(tables), list(kept), tmp_path / "ledger.csv", [path]
        quote_results(*read, *out, list(studies), KNOWN, "Nouns", {"A": "Corpus A"})
        filled, numbers = (list(csv.DictReader(file.open(encoding="utf-8"))) for file in out)
        return filled[0], [tuple(number.values()) for number in numbers]

    return claim


def test_numbers_are_filled_in_and_are_macros_in_latex(claim):
    says = "{% set a = " + ROW + ' %}{{ count(a.balanced) }}: {{ n(a.ratio) }} {{ interval(a, "ratio") }}'
    filled, numbers = claim({"says": says, "objection": "Of {{ count(" + ROW + ".balanced) }}."})
    assert (filled["says"], filled["objection"], filled["reason"]) == ("3: 1.26 [0.90, 2.00]", "Of 3.", "")
    names = [f"tpClaimLexiconUnitsValue{index}" for index in ("One", "Two", "Three", "Four", "Five")]
    assert numbers == list(zip(names, ["3", "1.26", "0.90", "2.00", "3"], strict=True))
    assert filled["says_latex"] == "It is so: small. \\{}{{}}: \\{}{{}} [\\{}{{}}, \\{}{{}}]".format(*names)
    assert filled["quote_latex"] == "It is 5 \\% more."
    assert filled["cells"] == f"{TABLE}[corpus=A]"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("a.ratio_low < 1", True),
        ("a.balanced > 3", False),
        (f"{ROW}.balanced == 3", True),
        # The number could not be estimated, as with too few texts.
        ("a.empty > 1", False),
    ],
)
def test_a_run_that_does_not_meet_the_condition_gets_the_measurement_alone(claim, condition, holds):
    says = "{% set a = " + ROW + " %}It has {{ count(a.balanced) }}."
    effect = "{{ n(a.ratio) }} per man"
    filled, _ = claim({"says": says, "effect": effect, "table": "a | b || 1 | 2", "holds_if": condition})
    measured = (filled["effect"], filled["table"])
    assert measured == ("1.26 per man", "a | b || 1 | 2")
    argued = (filled["holds"], filled["heading"], filled["says"], filled["objection"])
    if holds:
        assert argued == ("yes", "It is so.", "It has 3.", "It is not.")
    else:
        assert argued == ("no", "How it is", "", "")
        assert filled["says_latex"] == "How it is: \\tpClaimLexiconUnitsValueTwo{} per man."


def test_a_condition_is_true_or_false_and_reads_rows_of_this_run(claim):
    with pytest.raises(TableError, match=r"holds_if is 3\.0, which is neither true nor false"):
        claim({"holds_if": f"{ROW}.balanced"})
    with pytest.raises(TableError, match="holds_if cannot be read"):
        claim({"holds_if": "b.ratio > 1"})
    filled, _ = claim({"holds_if": f'row("{TABLE}[corpus=C]").ratio > 1'})
    assert filled["reason"] == f"{TABLE} has no row with corpus C"
    assert (filled["holds"], filled["heading"]) == ("", "It is so.")


def test_what_is_kept_is_quoted_in_any_run(claim, tmp_path):
    kept = tmp_path / "lexicon" / "kept" / "verdicts.csv"
    name = "lexicon/kept/verdicts.csv"
    says = '{{ count(row("' + name + '[corpus=A]").balanced) }}'
    filled, _ = claim({"says": says, "evidence": name}, tables=(), kept=(kept,))
    assert (filled["says"], filled["cells"]) == ("7", f"{name}[corpus=A]")


def test_what_a_sentence_sets_can_be_used_in_its_table(claim):
    says = "{% set a = " + ROW + ' %}{{ estimate(a, "ratio") }}'
    table = 'head | number || A | {{ count(a.balanced) }}{% for one in rows("' + TABLE + '") %} || {{ one.corpus }} | '
    filled, _ = claim({"says": says, "effect": "{{ n(a.ratio) }}", "table": table + "{{ one.ratio }}{% endfor %}"})
    assert (filled["says"], filled["effect"]) == ("1.26 [0.90, 2.00]", "1.26")
    assert table_rows(filled["table"]) == [["head", "number"], ["A", "3"], ["A", "1.256"], ["B", "1.0"]]
    assert "head & number \\\\ A & \\tpClaimLexiconUnitsValueFive{} \\\\" in filled["table_latex"]


def test_a_number_without_an_interval_says_how_many_documents_it_has():
    quoted = _Quoted()
    row = {"share": 0.5, "share_low": None, "share_high": None, "units": 5.0}
    quoted.estimate(row, "share")
    assert quoted.texts == ["0.50", "5"]


def test_more_than_five_numbers_are_to_be_a_table(claim):
    with pytest.raises(TableError, match="the column says quotes 6 numbers; put all but 5 into the column table"):
        claim({"says": "{% for _ in range(6) %}{{ count(1) }} {% endfor %}"})
    interval = "{% for _ in range(5) %}{{ estimate(" + ROW + ', "ratio") }} {% endfor %}'
    assert claim({"says": interval})[0]["says"].count("[") == 5


def test_a_corpus_has_its_name_and_large_numbers_are_in_groups(claim):
    says = "{{ " + ROW + '.corpus | named }} and {{ "B" | named }}: {{ count(9999) }}, {{ count(-12345.4) }}'
    assert claim({"says": says})[0]["says"] == "Corpus A and B: 9999, -12,345"


def test_a_number_of_the_ledger_is_quoted_only_if_it_was_run(claim):
    name = '"ledger.csv[study=lexicon;table=4;row={{lang}};column=words]"'
    quoted = "{{{{ count(row(" + name + ", lang='{}').ours_corrected) }}}}"
    assert claim({"says": quoted.format("swe")})[0]["says"] == "12"
    assert claim({"says": quoted.format("xho")})[0]["reason"] == "gated: a form"
    assert "no row with study lexicon, table 4, row zul" in claim({"says": quoted.format("zul")})[0]["reason"]


@pytest.mark.parametrize(
    ("says", "options", "reason"),
    [
        ("{{ n(" + ROW + ".ratio) }}", {"tables": ()}, f"{TABLE} is not part of this run"),
        ('{{ n(row("' + TABLE + '[corpus=C]").ratio) }}', {}, f"{TABLE} has no row with corpus C"),
        ("{{ n(" + ROW + ".empty) }}", {}, "the number is not defined in this run"),
        ("{{ n(" + ROW + ".ratio) }}", {"studies": ["newsroom"]}, "lexicon is not one of the studies of this run"),
    ],
)
def test_what_was_not_run_says_why_and_quotes_the_paper_alone(claim, says, options, reason):
    filled, numbers = claim({"says": says}, **options)
    assert (filled["says"], filled["objection"], filled["reason"], numbers) == ("", "", reason, [])
    assert filled["quote"] == CLAIM["quote"]


@pytest.mark.parametrize(
    "says",
    [
        "{{ n(" + ROW + ".other) }}", "{{ n(", "{{ n(" + ROW + ".corpus) }}",
        '{{ n(row("' + TABLE + '[colum=B]").ratio) }}', '{{ n(row("' + TABLE + '", corpus="B").ratio) }}',
        '{{ n(row("' + TABLE + '[corpus={corpus}]").ratio) }}',
    ],
)  # fmt: skip
def test_a_wrong_template_is_named(claim, says):
    with pytest.raises(TableError, match=r"lexicon/claims\.tsv: claim 'lexicon-units': says cannot be rendered"):
        claim({"says": says})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([{"objection": ""}], "line 2, claim 'lexicon-units': objection is empty"),
        ([{"quote": ""}], "quote is empty; quote the paper in its own words"),
        ([{"kind": "an error"}], "kind 'an error' is not one of slip in code, text and code differ,"),
        ([{"plain": ""}], "line 2, claim 'lexicon-units': plain is empty"),
        ([{"changes": "perhaps"}], "changes 'perhaps' is not one of yes, partly, no, no paper"),
        ([{"changes": "no paper"}], "changes is 'no paper'; a claim has 'no paper' if and only if it quotes no paper"),
        ([{"confidence": "sure"}], "confidence 'sure' is not one of shown, inferred"),
        (
            [{"evidence": "lexicon/tables/gone.csv"}],
            "evidence lexicon/tables/gone.csv is not a table that the workflow",
        ),
        ([{"evidence": "ledgers.csv"}], "evidence ledgers.csv is not a table that the workflow"),
        (
            [{"says": '{{ row("ledger.csv[study=lexicon;table=4;row=zul;column=words]").verdict }}'}],
            "says: there is no ",
        ),
        (
            [{"says": '{{ row("lexicon/kept/verdicts.csv[corpus=C]").balanced }}'}],
            "says: there is no lexicon/kept/verd",
        ),
        ([{"says": "{% set t = '" + TABLE + "' %}{{ row(t).balanced }}"}], "says: name rows by a text, such as row("),
        ([{"id": "swapping-units"}], "an id is lexicon- followed by words"),
        ([{}, {}], "line 3, claim 'lexicon-units': the id occurs twice"),
        ([{"evidence": "ledger.csv", "says": "{{ count(" + ROW + ".balanced) }}"}], f"{TABLE} is read but not named"),
    ],
)
def test_a_claim_that_says_too_little_is_refused(claim, changes, said):
    with pytest.raises(TableError, match=r"lexicon/claims\.tsv") as error:
        claim(*changes)
    assert said in str(error.value)


def test_a_measurement_of_ours_needs_no_paper(claim):
    assert claim({"kind": "our measurement", "quote": "", "where": "", "changes": "no paper"})[0]["says"] == "It is so."


def test_each_claim_of_the_studies_depends_on_a_number_of_the_run(repository):
    known = captioned_tables(str(repository / "resources"))
    claims = [claim for path in repository.glob("resources/*/claims.tsv") for claim in read_claims(path, known)]
    assert len(claims) > 50
    environment = Environment(autoescape=True)
    for claim in claims:
        condition = environment.parse("{{ " + claim.holds_if + " }}")
        assert find_undeclared_variables(condition), f"{claim.id}: {claim.holds_if} is always the same"
        # A neutral heading names what was measured, and finds nothing.
        assert claim.topic != claim.plain and not claim.topic.endswith("."), claim.id
