"""What an audit shows and writes: text of the corpus stays text, and nothing is fetched."""

import json
import math
import re
from itertools import product
from pathlib import Path

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.audit import audit_sources
from textparity.auditing.counting import CountingRun
from textparity.auditing.inputs import choose_sources
from textparity.auditing.languages import find_lexicon
from textparity.auditing.settings import make_settings
from textparity.auditing.showing.card import render_croissant, render_markdown
from textparity.auditing.showing.figure import write_figure
from textparity.auditing.showing.outputs import write_folder
from textparity.auditing.showing.screen import SCREEN
from textparity.command import main
from textparity.errors import ConfigError

HOSTILE = '<script>alert("x")</script> A woman & <img src=x onerror=alert(1)> her mother.'


@pytest.fixture(scope="module")
def result():
    return textparity.audit([HOSTILE, "A man.", "Two fathers met a son."], "eng", lexicon_folder=NOUNS)


def test_the_page_shows_a_script_of_the_corpus_as_text(result):
    for html in (result.to_html(), result._repr_html_()):
        assert "<script" not in html
        assert "<img" not in html
        assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; A <mark>woman</mark> &amp; &lt;img" in html


def test_the_name_of_a_file_is_escaped_too(tmp_path):
    for name in ("<b>.txt", "c.txt"):
        (tmp_path / name).write_text("A woman.\n")
    page = textparity.audit_files([tmp_path], "eng", lexicon_folder=NOUNS, per_file=True).to_html()
    assert "<b>.txt" not in page
    assert page.count("&lt;b&gt;.txt") > 1


def test_what_a_terminal_would_obey_is_in_no_output(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    names = ["a\x1b[31m.txt", "b\x1b]0;x\x07\nc.txt", "d\u202etxt.exe.txt", "e\x9b2J.txt"]
    for name in names:
        (texts / name).write_text("A \x1b[1mwoman.\n")
    (texts / "f.x\x1b[0m").touch()
    (texts / "bad\x1b.txt").write_bytes(b"\xff\n")
    lexicons = tmp_path / "lexicons\x1b[2J"
    lexicons.mkdir()
    (lexicons / "eng.json").write_text(find_lexicon("", "eng", NOUNS).nouns.read_text())
    sources, ignored = choose_sources([str(texts)], ["eng"])
    settings = make_settings(lexicon_folder=lexicons, per_file=True)
    result = audit_sources(sources, settings, CountingRun(skip_failed=True), ignored)
    write_folder(result, tmp_path / "out")
    shown = [result.to_text(), *(path.read_text("utf-8") for path in (tmp_path / "out").iterdir())]
    assert len(shown) == 7
    assert not any(sign in text for text in shown for sign in "\x1b\x07\x9b\u202e")
    assert [item.corpus for item in result] == [
        r"a\x1b[31m.txt", r"b\x1b]0;x\x07\nc.txt", r"d\u202etxt.exe.txt", r"e\x9b2J.txt",
    ]  # fmt: skip


def test_of_single_files_none_is_missing(tmp_path):
    (tmp_path / "a.txt").write_text("A woman.\n")
    (tmp_path / "b.txt").touch()
    result = textparity.audit_files([tmp_path], "eng", lexicon_folder=NOUNS, per_file=True)
    assert re.search(r"^corpus +lang", result.to_text(), re.M)
    assert "Corpus & Lang" in result.to_latex()
    for shown in (result.to_text(), result.to_html(), result.left_out_frame().to_csv()):
        assert "b.txt: no text counted" in shown
    assert "b.txt" not in textparity.audit_files([tmp_path], "eng", lexicon_folder=NOUNS).to_text()


def test_the_page_needs_nothing_else(result):
    page = result.to_html()
    assert not re.search(r"https?://|url\(|<link|@import|\ssrc=", page.replace("&lt;img src=x", ""))
    assert "prefers-color-scheme: dark" in page


def test_all_outputs_say_where_there_is_too_little_for_a_verdict(result):
    text, latex, page = result.to_text(width=200, show=["notes"]), result.to_latex(), result.to_html()
    counts = (
        "2 feminine and 3 masculine words. Too few to state women's share: 3 texts with a gendered word, 10 are needed"
    )
    assert text.startswith(counts) and counts.replace("'", "&#39;") in page
    assert re.search(r" – .* too few: 3 texts with a gendered word, 10 are needed; 5 gendered", text, re.M)
    assert re.search(r"& [\d.]+ & too few \\\\", latex)
    assert result.table().records()[0]["women_share"] == 40
    of_cards = render_markdown(result), *json.loads(render_croissant(result))["rai:dataBiases"]
    for shown in (text, latex, page.partition("<body>")[2], *of_cards):
        assert not re.search(r"Women are|\b40(\.0)? ?\\?%|\b1\.50", shown)
    assert "<td>too few: 3 texts with a gendered word, 10 are needed" in page
    for shown in (text.replace("\n", " "), latex, page):
        assert "under 20 gendered words" in shown


def test_the_table_says_what_was_counted(result):
    text = result.to_text(show=["words", "examples"])
    assert "3 texts" in text
    assert re.search(r"^eng +3 ", text, re.M)
    assert "A [woman] & <img src=x onerror=alert(1)> her [mother]." in text
    assert re.search(r"masculine    3 \([\d.]+ % of words\): fathers 1, man 1, son 1\n", text)
    assert "\x1b[1mwoman\x1b[0m" in result.to_text(colour=True, show=["examples"])
    for shown in (result.to_text(), result.to_text(show=["notes"])):
        assert "[woman]" not in shown and "fathers" not in shown
    assert "Women %: feminine" not in text and "Women %: feminine" in result.to_text(show=["notes"])


def test_twelve_lines_of_a_hundred_columns_are_what_a_terminal_shows():
    result = textparity.audit(
        [
            text.format(f"{first}{second}ing")
            for first, second in product("bcdfghklmnprst", repeat=2)
            for text in ("The {0} man {0} saw {0} a man {0}.", "A {0} man {0}, {0} a woman {0}.")
        ],
        "eng",
        lexicon_folder=NOUNS,
    )
    *lines, last, end = result.to_text().split("\n")
    assert max(map(len, lines)) <= SCREEN and len(lines) <= 12
    assert (last, end) == (result.signature, "")


def test_a_narrow_terminal_has_intervals_below():
    result = textparity.audit(["A man.", "A man and a woman."] * 20, "eng", lexicon_folder=NOUNS)
    wide, narrow = (result.to_text(width=width).split("\n\n")[2].splitlines() for width in (200, 90))
    assert len(narrow) == len(wide) + 1
    assert max(map(len, narrow)) < max(map(len, wide)) <= 200


def test_latex_is_escaped_and_numbers_are_those_of_the_frame(result):
    latex = result.to_latex()
    assert r"lexicon lexicons" in latex
    # There is too little text for a share.
    assert "& 2 & 3 & – & – & – &" in latex
    result = textparity.audit(["A man.", "A man and a woman."] * 20, "eng", lexicon_folder=NOUNS)
    row = result.to_frame().iloc[0]
    counts = (
        f"& {row.feminine} & {row.masculine} & {row.women_share:.1f} & not known & {row.masculine_per_feminine:.2f} &"
    )
    assert counts in result.to_latex()


def test_an_audit_of_nothing_can_be_shown():
    empty = textparity.audit([], "eng", lexicon_folder=NOUNS)
    assert empty.texts == 0
    assert "Nothing was counted" in empty.to_html()
    assert "0 texts" in empty.to_text()
    assert "tabular" in empty.to_latex()
    full = textparity.audit(["A man."], "eng", lexicon_folder=NOUNS)
    assert len(empty.to_frame()) == 0
    assert list(empty.to_frame()) == list(full.to_frame())
    with pytest.raises(KeyError):
        empty["eng"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [("resamples", 10**20), ("resamples", math.nan), ("resamples", 99), ("jobs", 0), ("jobs", 10**20), ("examples", -1),
     ("minimum_certainty", math.nan), ("confidence_level", math.nan)],
)  # fmt: skip
def test_a_number_that_nobody_can_mean_is_named(setting, value):
    with pytest.raises(ConfigError, match=f"{setting} is {value}; it must"):
        textparity.audit(["A man."], "eng", **{setting: value})


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_the_figure_is_a_file_of_the_chart_and_always_the_same(tmp_path, monkeypatch, ending, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [{"text": f"The man saw a woman {n}.", "of": f"Paper ${n % 3}$", "date": f"201{n % 4}"} for n in range(120)]
    Path("a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    for group_by in ("of", "date", "of,date", ""):
        for name in "ab":
            grouped = ["--group-by", group_by] if group_by else []
            arguments = ["a.jsonl", "--lang", "eng", *WITH_NOUNS, *grouped, "--quiet", "--write", f"{name}.{ending}"]
            assert main(["audit", *arguments]) == 0
        content = Path(f"a.{ending}").read_bytes()
        assert content == Path(f"b.{ending}").read_bytes()
        if ending == "svg":
            # A chart has a mark for each group, and text is drawn as it is.
            marks = {"of": 3, "date": 4, "of,date": 12, "": 1}[group_by]
            assert content.count(b"stroke: #d55e00; stroke-width: 1.4") == marks
    assert main(["audit", "a.jsonl", "--lang", "eng", "--write", "figure=a.jpg"]) == 2
    assert "figure a.jpg: must end in .svg, .pdf, .png" in capsys.readouterr().err


def test_a_figure_has_counts_instead_of_a_mark_without_a_verdict(tmp_path, result):
    write_figure(result, tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text("utf-8")
    assert "English (2 F, 3 M, too few)" in drawn and "#d55e00" not in drawn


def test_reasons_of_verdicts_fit_the_screen_and_no_line_of_a_table_is_blank(tmp_path):
    rows = [{"text": "The man saw a woman and her mother.", "of": f"a long name of outlet {n}"} for n in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    result = textparity.audit_files([tmp_path / "a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of")
    *lines, _, _ = result.to_text().split("\n")
    assert max(map(len, lines)) <= SCREEN
    start = lines.index("By of")
    assert [line[:22] for line in lines[start + 3 : start + 6]] == [f"a long name of outlet {n}"[:22] for n in range(3)]
    assert "English (eng): too few: 3 texts with a gendered word" in "\n".join(lines)


@pytest.mark.browser
def test_a_long_table_of_a_page_is_searched_and_sorted_and_a_short_page_has_no_script(tmp_path, open_page):
    rows = [
        {"text": f"The man saw {'a woman' if number % 7 else 'a boy'} {text}.", "of": f"outlet {number}"}
        for number in range(45)
        for text in range(number + 1)
    ]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    found = {
        most: textparity.audit_files(
            [tmp_path / "a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of", max_groups=most
        )
        for most in (10, 60)
    }
    assert "<script" not in found[10].to_html()
    (tmp_path / "page.html").write_text(found[60].to_html(), "utf-8")
    page = open_page((tmp_path / "page.html").as_uri())
    names = page.get_by_role("region", name="Shares by group").locator("tbody tr:visible th:first-child")
    first = [row.group for row in found[60].groups]
    assert names.all_text_contents() == first
    page.get_by_role("button", name="Texts", exact=True).click()
    assert names.all_text_contents() == first[::-1]
    page.get_by_label("Search this table").first.fill("OUTLET 4")
    assert set(names.all_text_contents()) == {"outlet 4", *(f"outlet {n}" for n in range(40, 45))}
    assert page.errors == []
