import csv

import pandas as pd
import pytest
from ledgers import FUNCTIONS, RESOURCES, write_published
from lexicon_counts import write_rows_of_counts

from textparity.errors import TableError
from textparity_studies.lexicon.ledger import PaperCorpora, build_lexicon_ledger
from textparity_studies.lexicon.readings import ONE_UNIT, PERCENT_AND_FRACTION, WITHOUT_ERROR
from textparity_studies.report.ledger import (
    LedgerRow,
    PublishedNumber,
    ReproducedValue,
    compare_to_published,
    read_ledger,
    read_published,
    write_ledger,
)
from textparity_studies.report.scorecard import sum_up_ledgers

HEADER = "table,row,column,value,note,cell,tolerance\n"


def number(value, note=""):
    return PublishedNumber("4", "swe", "feminine", value, note)


@pytest.mark.parametrize(
    ("value", "ours", "options", "verdict_", "difference"),
    [
        ("0.156", 0.15589, {}, "exact", "0.00011"),
        ("0.156", 0.1570, {}, "within tolerance", "0.00100"),
        ("0.156", 0.1620, {}, "within tolerance", "0.00600"),
        ("0.156", 0.1700, {}, "differs", "0.01400"),
        ("42980", 42980, {}, "exact", "0.00"),
        ("0.156", 0.15589, {"setup": "a stand-in"}, "other setup", "0.00011"),
        ("0.156", 0.1700, {"setup": "a stand-in"}, "other setup", "0.01400"),
        ("0.156", None, {"setup": "a stand-in"}, "not run", ""),
        ("0.156", float("nan"), {}, "not run", ""),
        ("", 0.156, {}, "not run", ""),
    ],
)
def test_a_published_number_is_judged(value, ours, options, verdict_, difference):
    row = compare_to_published(
        "lexicon", number(value, "two readings"), ReproducedValue(ours, ours, "5%", **options), "gated: a form"
    )
    assert (row.verdict, row.abs_diff) == (verdict_, difference)
    assert row.setup == (options.get("setup") if verdict_ == "other setup" else "")
    reasons = (
        {"within tolerance": "tolerance 0.00780; gated: a form"} if value else {"not run": "unreadable: two readings"}
    )
    assert row.reason == reasons.get(verdict_, "gated: a form")


def test_what_was_not_run_needs_a_reason_of_a_known_kind():
    with pytest.raises(ValueError, match="'no key' must begin with one of: published, not here"):
        compare_to_published("lexicon", number("0.156"), ReproducedValue(), "no key")


def test_ledgers_are_joined_with_counts(tmp_path):
    rows = [
        compare_to_published("lexicon", number("0.156"), ReproducedValue(ours, None, "5%"), "unpublished: texts")
        for ours in (0.156, 0.5, None)
    ]
    write_ledger(rows, tmp_path / "a.csv")
    outputs = [tmp_path / name for name in ("ledger.csv", "counts.csv", "summary.csv", "scorecard.csv")]
    sum_up_ledgers([tmp_path / "a.csv", tmp_path / "a.csv"], *outputs)
    header, *body = list(csv.reader((tmp_path / "ledger.csv").open()))
    assert ",".join(header) == (
        "study,table,row,column,published,ours_published,ours_corrected,abs_diff,evidence,verdict,reason,setup"
    )
    assert [LedgerRow(*row) for row in body] == rows * 2
    assert (tmp_path / "counts.csv").read_text().splitlines()[1] == "lexicon,4,2,0,2,0,0,2,0,0,0,2,0,0,0,6"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table,row,value\n", "the header must be"),
        (f"{HEADER}4,swe,words,42980\n", "line 2: 7 cells"),
        (f"{HEADER}4,swe,words,42.980.1,,,\n", "line 2: '42.980.1' is not a number"),
        (f"{HEADER}4,swe,words,1,,,\n4,swe,words,2,,,\n", "column words occurs twice"),
    ],
)
def test_a_malformed_published_file_is_named(tmp_path, text, said):
    path = tmp_path / "paper.csv"
    path.write_text(text)
    with pytest.raises(TableError, match=said) as error:
        read_published(path)
    assert str(path) in str(error.value)


@pytest.fixture
def muller(repository):
    """Tables of Muller 2023 as table -> row -> column -> value; unreadable cells left out."""
    tables = {}
    for cell in read_published(repository / "resources" / "lexicon" / "published.csv"):
        cells = tables.setdefault(cell.table, {}).setdefault(cell.row, {})
        if cell.value:
            cells[cell.column] = float(cell.value)
    return tables


@pytest.mark.parametrize(("table", "rows", "whole"), [("3", 54, 54), ("4", 45, 38)])
def test_the_printed_gaps_agree_with_the_printed_rates(muller, table, rows, whole):
    rates = {row: cells for row, cells in muller[table].items() if row != "avg."}
    assert len(rates) == rows
    readable = [cells for cells in rates.values() if {"feminine", "masculine", "gap"} <= cells.keys()]
    assert len(readable) == whole
    for cells in readable:
        assert abs(cells["feminine"] - cells["masculine"]) == pytest.approx(cells["gap"], abs=0.0011)


TOKENIZERS = {"eng": "stanza", "kor": "stanza", "tha": "pythainlp"}
PRINTED_SENTENCES = RESOURCES / "lexicon/kept/printed_sentences.csv"


def build(published, folder, rows=(), not_run=(), corpora=("mine",), crawls=(), icu=(), sentence_counts=()):
    """Build the ledger of the lexicon study from rows of summaries, and return its rows by table, row and column."""
    summaries = []
    for engine, counted in (("paper", rows), ("icu", icu)):
        if not counted:
            continue
        frame = pd.DataFrame(counted, columns=["corpus", "lang", "verdict", "words", "coverage_percent", "stand_in"])
        frame["texts"], frame["tokenizer"], frame["engine"] = 10, f"tokenizer {engine}", engine
        # The gap of all is more than two errors if those are fractions, less if they are in percent.
        lead = frame["verdict"].map({"masculine": 0.1, "feminine": -0.1, "balanced": -0.02})
        frame = frame.assign(feminine_percent=1, masculine_percent=1 + lead, gap=lead.abs(), standard_error=0.0004)
        frame = pd.concat([frame.assign(procedure=name) for name in ("published", "corrected")])
        summaries.append(folder / f"summary.{engine}.parquet")
        frame.to_parquet(summaries[-1])
    by_table = {"3": "flores", "4": "ntrex", "5": "crawl"} if summaries else {}
    path = folder / "ledger.csv"
    outputs = path, folder / "gaps.csv"
    read = (
        published,
        RESOURCES / "lexicon" / "ledger_notes.csv",
        FUNCTIONS,
        PRINTED_SENTENCES,
        summaries,
        list(sentence_counts),
    )
    build_lexicon_ledger(*read, *outputs, PaperCorpora(by_table, [*corpora], [*crawls]), TOKENIZERS, [*not_run])
    return {(row.table, row.row, row.column): row for row in read_ledger(path)}


def test_without_the_papers_corpora_every_number_of_the_lexicon_study_is_not_run(repository, tmp_path):
    published = repository / "resources" / "lexicon" / "published.csv"
    ledger = build(published, tmp_path)
    assert len(ledger) == len(read_published(published))
    assert {row.verdict for row in ledger.values()} == {"not run"}
    assert (
        ledger["5", "eng", "words"].reason
        == "not asked for: no corpus of this run is counted as in table 5, with its lexicon"
    )


@pytest.fixture
def small_paper(tmp_path):
    """Two languages in three tables, and what the text says of them."""
    values = {
        (table, lang, column): value
        for table in "345"
        for lang in ("kor", "tha")
        for column, value in (("words", "100"), ("coverage", "2.0"))
    }
    values |= {
        ("§5.1", "ntrex", "masculine_languages"): "1", ("§5.1", "all corpora", "masculine_languages"): "1",
        ("§5.1", "any two corpora", "changing_languages"): "1", ("§5.1", "kor", "lowest_coverage"): "1.7",
        ("§5.1", "kor", "highest_coverage"): "2.5", ("§5.1", "avg.", "highest_coverage"): "2.5",
    }  # fmt: skip
    path = write_published("lexicon", tmp_path / "published.csv", values)
    korean = "lexicon/summaries[table=5;lang=kor;procedure=published|corrected].coverage_percent"
    with path.open("a", encoding="utf-8") as file:
        file.write(f"1,common_crawl kor,coverage,2.0,,{korean},5%\n")
    return path


KOREAN = [("flores", "kor", "masculine", 100, 1.7, False), ("ntrex", "kor", "masculine", 100, 2.5, False),
          ("crawl", "kor", "masculine", 100, 2.4, False)]  # fmt: skip
THAI = [("flores", "tha", "feminine", 100, 4.0, False), ("ntrex", "tha", "masculine", 100, 4.0, True),
        ("crawl", "tha", "balanced", 100, 4.0, False)]  # fmt: skip
ALL = ("flores", "ntrex", "crawl")


def test_what_the_text_counts_over_the_tables_is_judged(small_paper, tmp_path):
    ledger = build(small_paper, tmp_path, KOREAN + THAI, corpora=ALL)
    assert ledger["§5.1", "all corpora", "masculine_languages"].ours_published == "1"
    assert ledger["§5.1", "any two corpora", "changing_languages"].ours_published == "1"
    assert ledger["§5.1", "ntrex", "masculine_languages"].ours_published == "2"
    assert [ledger["§5.1", "kor", f"{end}_coverage"].verdict for end in ("lowest", "highest")] == ["exact"] * 2
    assert ledger["§5.1", "avg.", "highest_coverage"].ours_published == "3.250"


def test_what_the_text_counts_names_the_reading_that_comes_nearest(repository, small_paper, tmp_path):
    # Thai leans to the feminine in two corpora if its errors are fractions, and changes.
    thai = [(corpus, "tha", "balanced", 100, 4.0, False) for corpus in ("flores", "crawl")] + THAI[1:2]
    counted = build(small_paper, tmp_path, KOREAN + thai, corpora=ALL)["§5.1", "any two corpora", "changing_languages"]
    assert counted.ours_published == "0.00"
    assert counted.reason.startswith(
        f"2 languages; in our counts, {PERCENT_AND_FRACTION} (1) and {WITHOUT_ERROR} (1) come nearest, "
        f"before {ONE_UNIT} (0); in the printed tables, "
    )
    ledger = build(repository / "resources" / "lexicon" / "published.csv", tmp_path)
    # Both are not run here, and the printed tables speak for themselves.
    for row, said in (("ntrex", "(24 to 31)"), ("all corpora", "(12 to 16)")):
        reason = ledger["§5.1", row, "masculine_languages"].reason
        assert f"{PERCENT_AND_FRACTION} {said} and {WITHOUT_ERROR} (" in reason
        assert f"come nearest, before {ONE_UNIT} (" in reason


def test_a_stand_in_or_another_sample_is_another_setup(small_paper, tmp_path):
    ledger = build(small_paper, tmp_path, KOREAN + THAI, corpora=ALL, crawls=["crawl"])
    assert ledger["3", "kor", "words"].setup == ""
    assert ledger["4", "tha", "words"].setup == "a stand-in tokenizer"
    assert ledger["§5.1", "ntrex", "masculine_languages"].setup == "a stand-in tokenizer in 1 of 2 languages"
    sample = ledger["1", "common_crawl kor", "coverage"]
    assert (sample.verdict, sample.setup) == (
        "other setup", "10 documents of crawl; the paper's sample is not published"
    )  # fmt: skip
    assert ledger["5", "kor", "words"].reason.startswith("unpublished: ")


def test_english_words_of_an_unknown_version_are_another_setup_if_they_differ(tmp_path):
    values = {("3", "eng", "words"): "100", ("3", "eng", "coverage"): "2.0"}
    published = write_published("lexicon", tmp_path / "published.csv", values)
    ledger = build(published, tmp_path, [("flores", "eng", "masculine", 130, 2.0, False)], corpora=ALL)
    words, coverage = (ledger["3", "eng", column] for column in ("words", "coverage"))
    assert (words.verdict, words.setup) == ("other setup", "Stanza's English model is of an unknown version")
    assert (coverage.verdict, coverage.setup) == ("exact", "")


def test_the_sentences_of_table_2_have_their_tokenizer(repository, tmp_path):
    rows = [{} for _ in range(100)]
    rows[43] |= {"published_masculine": 1, "corrected_masculine": 1}
    counts = write_rows_of_counts(tmp_path / "spa.parquet", rows, lang="spa")
    ledger = build(repository / "resources" / "lexicon" / "published.csv", tmp_path, sentence_counts=[counts])
    spanish, catalan = (ledger["2", f"sentence 1, {lang}", "masculine"] for lang in ("spa", "cat"))
    assert (spanish.verdict, spanish.abs_diff, spanish.evidence) == ("other setup", "0.00", "measured")
    assert (spanish.reason, spanish.setup) == ("ICU", "ICU's words, not the paper's")
    assert (catalan.verdict, catalan.evidence) == ("not run", "")


def test_words_of_icu_are_another_setup_where_the_papers_tokenizer_did_not_run(small_paper, tmp_path):
    not_run = [["ntrex", "tha", "paper", "published, not here: Stanza is not installed"]]
    icu = [(corpus, lang, "masculine", 104, 2.0, False) for corpus, lang, *_ in KOREAN + THAI]
    ledger = build(small_paper, tmp_path, [*KOREAN, THAI[0], THAI[2]], not_run, corpora=ALL, icu=icu)
    korean, thai = (ledger["4", lang, "words"] for lang in ("kor", "tha"))
    assert (korean.verdict, korean.ours_published, korean.setup) == ("exact", "100", "")
    assert (thai.verdict, thai.abs_diff, thai.setup) == ("other setup", "4", "ICU's words, not the paper's")
    assert thai.reason == (
        "pythainlp 4.0.2 in the authors' requirements, here tokenizer icu; "
        "without the paper's tokenizer: Stanza is not installed"
    )
    over_both = ledger["§5.1", "ntrex", "masculine_languages"]
    assert over_both.setup == "ICU's words, not the paper's in 1 of 2 languages"


def test_a_number_without_its_languages_says_why(small_paper, tmp_path):
    not_run = [["ntrex", "tha", "paper", "published, not here: no such file"]]
    ledger = build(small_paper, tmp_path, KOREAN, not_run, corpora=ALL)
    assert (tmp_path / "gaps.csv").read_text().splitlines()[1:] == [
        'ntrex,tha,paper,"published, not here: no such file"'
    ]
    assert ledger["4", "tha", "coverage"].reason == "published, not here: no such file"
    assert ledger["3", "tha", "coverage"].reason.startswith("not asked for: ")
    assert ledger["§5.1", "ntrex", "masculine_languages"].reason.startswith(
        "published, not here: only 1 of the 2 languages of ntrex were run; in the printed tables, "
    )
    assert ledger["§5.1", "kor", "lowest_coverage"].verdict == "exact"
