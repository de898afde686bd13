import re
from html.parser import HTMLParser

import pandas as pd
import pyarrow as pa
import pytest

from textparity.corpora.reading import open_batches
from textparity.errors import InputError
from textparity_studies.newsroom.report import write_report
from textparity_studies.newsroom.summary import (
    ACTOR_COUNTS,
    PER_TEXT,
    PERCENT,
    SENTIMENT,
    STATISTICS,
    SUMMARY_HEADER,
    TEXT_COUNTS,
    TOP_WORDS_HEADER,
    TOTALS,
)

GROUPS = ("all", "A & <script>", "null", "Kultur_1")
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Reads a page: its text, headings, links and anchors, and that every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.headings, self.anchors, self.links = [], [], [], set(), []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.anchors |= {value for name, value in attrs if name == "id"}
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


@pytest.fixture
def report(tmp_path):
    """Return a function that writes a report of small numbers and returns its LaTeX and its page."""

    def write(procedure="corrected", quality=(), groups=GROUPS, sentiment=True):
        summary, top_words = tmp_path / "summary.csv", tmp_path / "top_words.csv"
        rows = [row for group in groups for row in summary_rows(group, procedure)]
        if not sentiment:
            rows = [(*row[:4], None, None, None, None) if row[2] == SENTIMENT else row for row in rows]
        pd.DataFrame(rows, columns=SUMMARY_HEADER).to_csv(summary, index=False)
        words = [
            (group, "nouns", rank, column, word, 12.0 if procedure == "published" else 1.5, 12)
            for group in groups[:2]
            for column in ("actors", "masculine")
            for rank, word in enumerate(("null", "<i>"), start=1)
        ]
        pd.DataFrame(words, columns=TOP_WORDS_HEADER).to_csv(top_words, index=False)
        measures = tmp_path / "measures.parquet"
        with open_batches(measures, pa.schema([("id", pa.string())])) as file:
            file.metadata = {"model": "de_x 1", "procedure": procedure}
        files = summary, top_words, measures, list(quality), tmp_path / "t.tex", tmp_path / "p.html"
        write_report(*files, "News & <more>", procedure, 0.95)
        return (tmp_path / "t.tex").read_text(), (tmp_path / "p.html").read_text()

    return write


def summary_rows(group, procedure):
    undetermined = None if procedure == "published" else 7
    rows = [(group, TOTALS, metric, "total", None, None, None, 12345) for metric in TEXT_COUNTS]
    for metric in ACTOR_COUNTS:
        rows.append((group, TOTALS, metric, "total", 1234567, 3, undetermined, 1234570))
        rows.append((group, PERCENT, metric, "percent", 99.99976, 0.00024, None, None))
        # Of some shares there is none.
        low, high = (None, None) if metric == "object_roles" else (98.76, 100)
        rows.append((group, PERCENT, metric, "percent_low", low, None if low is None else 0, None, None))
        rows.append((group, PERCENT, metric, "percent_high", high, None if low is None else 1.24, None, None))
    rows.append((group, TOTALS, SENTIMENT, "mean", -0.014, None, undetermined, -0.0004))
    for metric in (*ACTOR_COUNTS, SENTIMENT, *TEXT_COUNTS[2:]):
        rows += [(group, PER_TEXT, metric, statistic, 0.5, 1.25, undetermined, 2) for statistic in STATISTICS]
    return rows


def write_quality(path, **changes):
    row = {"procedure": "corrected", "passages": "all", "phenomenon": "named <mentions>"}
    row |= {
        "precision": 90.04,
        "precision_low": 80.0,
        "precision_high": 96.04,
        "recall": None,
        "recall_low": None,
        "recall_high": None,
        "f1": 84.5,
        "true_positives": 1112,
        "gold": 2780,
        "predicted": 0,
    } | changes
    pd.DataFrame([row, row | {"procedure": "published", "phenomenon": "not shown"}]).to_csv(path, index=False)
    return path


def test_the_page_has_every_group_and_links_within_itself(report):
    _, text = report()
    page = Page(text)
    assert [heading for heading in page.headings if heading in GROUPS] == list(GROUPS[1:])
    assert page.links and all(link.startswith("#") and link[1:] in page.anchors for link in page.links)


def test_the_page_escapes_what_it_is_given(report, tmp_path):
    _, text = report(quality=[write_quality(tmp_path / "q.csv")])
    assert "<script" not in text and "<i>" not in text and "<more>" not in text and "<mentions>" not in text
    assert "<title>News &amp; &lt;more&gt;: women and men, corrected</title>" in text
    assert {"A & <script>", "<i>", "named <mentions>"} <= {piece.strip() for piece in Page(text).texts}


def test_the_page_needs_nothing_from_elsewhere(report):
    _, text = report("published")
    # A comment of the style sheet or an address would have two slashes.
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|<img", text)


def test_the_page_says_what_measured_it_and_how(report):
    _, text = report("published")
    texts = [piece.strip() for piece in Page(text).texts]
    assert texts[texts.index("Parser (spaCy model)") + 1] == "de_x 1"
    assert "Known errors of this procedure" in texts
    published = "Names are merged if one is part of another’s letters, and then count more than once."
    assert published in texts
    _, text = report("corrected")
    assert "All texts count; “texts with actors” have" in text and published not in text


def test_numbers_have_separators_and_true_minus_signs(report):
    _, text = report()
    cells = [piece.strip() for piece in Page(text).texts]
    assert {"1,234,567", "12,345", "100.0", "−0.01", "0.00", "–"} <= set(cells)
    # What rounds to nothing has no sign.
    assert "−0.00" not in cells


def test_shares_stand_beside_their_intervals(report):
    _, text = report()
    cells = [piece.strip() for piece in Page(text).texts if piece.strip()]
    start = cells.index(
        "Mentions",
        cells.index(
            "Totals, whole corpus. Percentages are of feminine and masculine, grey: "
            "95 % bootstrap interval over texts; sentiment is a mean from −1 to 1."
        ),
    )
    assert cells[start + 5 : start + 8] == ["100.0", "98.8–100.0", "0.0"]
    start = cells.index("all")
    # Actors, mentions, subjects; objects have none.
    assert cells[start + 3 : start + 11] == ["100.0", "98.8–100.0"] * 3 + ["100.0", "100.0"]


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_what_measured_no_sentiment_has_no_word_of_it(report, procedure):
    assert all("sentiment" in text.lower() for text in report(procedure))
    assert not any("sentiment" in text.lower() for text in report(procedure, sentiment=False))


@pytest.mark.parametrize(("procedure", "has_it"), [("published", False), ("corrected", True)])
def test_undetermined_is_shown_where_it_is_measured(report, procedure, has_it):
    latex, text = report(procedure)
    assert ("Undetermined" in text) is has_it
    assert ("Undet." in latex) is has_it


def test_quality_is_shown_if_given(report, tmp_path):
    _, text = report()
    assert "Quality of the rules" not in text
    _, text = report(quality=[write_quality(tmp_path / "q.csv")])
    cells = [piece.strip() for piece in Page(text).texts if piece.strip()]
    start = cells.index("named <mentions>")
    assert cells[start + 1 : start + 8] == ["90.0", "80.0–96.0", "–", "84.5", "1,112", "2,780", "0"]
    assert "On running newspaper text the rules are worse, and overstate women where we checked them" in cells
    assert "not shown" not in cells


def test_a_quality_table_without_a_column_is_named(report, tmp_path):
    path = write_quality(tmp_path / "q.csv")
    pd.read_csv(path).drop(columns="gold").to_csv(path, index=False)
    with pytest.raises(InputError, match=r"q\.csv: there is no column gold"):
        report(quality=[path])


def test_latex_has_the_tables_of_every_group(report):
    latex, _ = report()
    assert latex.count("\\begin{table}") == latex.count("\\end{table}") == 1 + len(GROUPS) * 2 + 2
    assert latex.count("\\clearpage") == len(GROUPS)
    assert (
        "News \\& \\textless{}more\\textgreater{}, corrected, A \\& \\textless{}script\\textgreater{}." in latex
        and "corrected, Kultur\\_1." in latex
    )
    rows = [line for line in latex.splitlines() if line.startswith(("Mentions &", "1 &", "Sentiment &"))]
    assert "Mentions & 1,234,567 & 3 & 7 & 1,234,570 & 100.0 & 98.8–100.0 & 0.0 \\\\" in rows
    assert "Object roles & 1,234,567 & 3 & 7 & 1,234,570 & 100.0 &  & 0.0 \\\\" in latex
    assert "share's 95 \\% bootstrap interval over texts" in latex
    assert "Mentions & masculine & 1.25 & 1.25 & 1.25 \\\\" in rows
    assert "Sentiment & -0.01 & – & 7.00 & 0.00 &  &  &  \\\\" in rows
    assert "1 & null (1.50; 12) &  & null (1.50; 12) \\\\" in rows
    labels = re.findall(r"\\label\{(.*)\}", latex)
    assert len(labels) == len(set(labels))


def test_published_words_have_their_count_alone(report):
    latex, text = report("published")
    assert "1 & null (12) &  & null (12) \\\\" in latex
    assert "(their count)" in text


def test_a_corpus_without_groups_is_one_section(report):
    latex, text = report(groups=("all",))
    assert "Groups at a glance" not in text
    assert latex.count("\\clearpage") == 1
