"""The front page and the pages of tables: what they say, that texts stay texts, and how they work in a browser."""

import csv
from pathlib import Path

import pytest

from textparity.errors import MissingResourceError, TableError
from textparity.files import write_rows, write_text
from textparity.tables import Caption
from textparity_studies.report.catalogue import Catalogue, Run
from textparity_studies.report.claims import COLUMNS
from textparity_studies.report.pages import column_kind, render_report, render_table_page, show_cell
from textparity_studies.report.plotting import Chart, add_tooltips
from textparity_studies.report.scorecard import SCORECARD_COLUMNS, count_verdicts

NAMES = {"lexicon": "Lexicon", "newsroom": "Newsroom"}
CAPTIONS = {
    "lexicon/tables": ["distribution", "verdicts"],
    "lexicon/figures": ["representation"],
    "newsroom/tables": ["flags", "summary"],
    "newsroom/figures": ["gender_ratios", "shares"],
}
SHARED = {"newsroom/tables/summary": "summary", "newsroom/figures/taz2024full_*": "shares"}
SCRIPT = "<script>document.title = 'run'</script>"
ATTACK = f"\"'><img src=x onerror=\"document.title='run'\">{SCRIPT}"
HEADER = ["lang", "words", "note, quoted"]
ROWS = [
    ["swe", "900", ATTACK],
    ["deu", "1000.123456", 'a "b"'],
    ["xho", "", ""],
    ["zul", "95.5", "Frau\nHerr"],
    ["ukr", "-2", "Жінка"],
]


@pytest.fixture
def table_page(tmp_path):
    write_rows(tmp_path / "small.csv", HEADER, ROWS)
    write_text(tmp_path / "small.rst", f"Words\n=====\n\nIn {SCRIPT}\npercent.\n")
    page = tmp_path / "small.html"
    page.write_text(render_table_page(tmp_path / "small.csv", tmp_path / "small.rst", "of <b>all</b>"), "utf-8")
    return page


@pytest.fixture
def front_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    counted = count_verdicts([])
    write_rows(
        tmp_path / "summary.csv",
        ["study", *counted, "median_distance_percent"],
        [
            [
                "lexicon",
                *(
                    counted | {"exact": 3, "within_tolerance": 2, "not_run": 5, "not_run_gated": 5, "numbers": 10}
                ).values(),
                "",
            ],
            ["newsroom", *(counted | {"exact": 1, "differs": 4, "other_setup": 6, "numbers": 11}).values(), "7.5"],
        ],
    )
    write_rows(
        tmp_path / "scorecard.csv",
        SCORECARD_COLUMNS,
        [
            ["lexicon", "3", "measured", "exact", "", 3, ""],
            ["lexicon", "3", "measured", "other setup", "a stand-in", 2, "a stand-in"],
            ["lexicon", f"4 {ATTACK}", "", "not run", f"gated: {ATTACK}", 5, f"gated: {ATTACK} there"],
            ["newsroom", "App. A", "authors' report", "exact", "", 7, ""],
        ],
    )
    evidence = "lexicon/tables/*/overview.csv lexicon/tables/gone.csv"

    def said(study, kind, quote, says, reason, evidence, name="a", heading="It is so.", holds="yes"):
        cells = dict.fromkeys(COLUMNS, "") | {
            "study": study,
            "id": f"{study}-{name}",
            "kind": kind,
            "quote": quote,
            "says": says,
            "holds": "" if reason else holds,
            "heading": heading,
        }
        return [
            (cells | {"objection": f"No {ATTACK}", "reason": reason, "evidence": evidence})[name] for name in COLUMNS
        ]

    claims = [
        said("lexicon", "slip in code", f"All {ATTACK}", f"24 of 53 are balanced. {'long' * 60}", "", evidence),
        said("lexicon", "slip in code", "Some", "", "", evidence, name="b", heading="How it is", holds="no"),
        said("newsroom", "slip in code", "Few", "", f"no corpus {ATTACK}", "ledger.csv"),
        said("lexicon", "our measurement", "", f"A ratio of 2.10 [1.90, 2.30] {ATTACK}.", "", evidence),
        said("newsroom", "our measurement", "", "", "newsroom is not one of the studies of this run", ""),
    ]
    write_rows(tmp_path / "claims.csv", COLUMNS, claims)
    for study in NAMES:
        write_rows(tmp_path / f"{study}.csv", ["corpus", "lang", "engine", "reason"], [["taz", "deu", "", ATTACK]])
    paths = ("ledger.csv", "lexicon/tables/corrected/overview.csv", "lexicon/figures/sizes.svg")
    items = Catalogue(NAMES, {}, {}).list_items(f"results/{path}" for path in paths)
    picture = Path(items[-1].path)
    chart = Chart("sizes", (5, 2), f"Larger by a third {ATTACK}", "How it was measured")
    add_tooltips(chart.subplots().bar([1, 2], [3, 4]), ["three", ATTACK])
    chart.save(picture)
    write_text(tmp_path / "a.rst", f"Rates {SCRIPT}\n{'=' * 60}\n\nText.\n")
    page = tmp_path / "report" / "index.html"
    render_report(
        tables=[],
        captions=[tmp_path / "a.rst"] * len(items),
        **{name: tmp_path / f"{name}.csv" for name in ("summary", "scorecard", "claims")},
        pictures=[picture],
        gaps=[tmp_path / f"{study}.csv" for study in NAMES],
        pages=[],
        front_page=page,
        run=Run(
            title=f"A run {ATTACK}",
            languages=[SCRIPT],
            lexicon=SCRIPT,
            noun_tables=[items[1].path],
            studies=list(NAMES),
            study_names=NAMES,
            study_pages=[f"results/newsroom/pages/{SCRIPT}.html"],
            items=items,
        ),
    )
    return page


@pytest.mark.parametrize("name", ["table_page", "front_page"])
def test_texts_stay_texts(name, request):
    page = request.getfixturevalue(name).read_text("utf-8")
    # The page's own, whose hash the policy names.
    assert page.count("<script") == 1 and "<img" not in page and "<b>all" not in page
    assert "script-src &#39;sha256-" in page or "script-src 'sha256-" in page


def test_the_front_page_counts_and_says_what_was_not_run(front_page):
    page = front_page.read_text("utf-8")
    for said in (
        "This page shows 1 measurement of this run, and compares 16 published numbers with ours.",
        "setup is reproduction: 3 of 3 such numbers are exact or within tolerance.",
        'href="tables/ledger.html#evidence%3D%22authors%27%20report%22%20verdict%3D%22exact%22">7<',
        "16 of 21 published numbers are compared here; <a",
        'href="tables/ledger.html#verdict%3D%22not%20run%22">5 are not run</a>. Of these, 5 need data behind',
        "In another setup (a stand-in model, other data) it neither reproduces nor contradicts",
        "2 statements need numbers that this run does not have (",
        '<td class="n">7.5 %</td>',
        "24 of 53 are balanced.",
        "A ratio of 2.10 [1.90, 2.30]",
        'href="../report/tables/lexicon_corrected_overview.html"',
        'href="../lexicon/figures/sizes.pdf"',
        'href="../lexicon/tables/corrected/overview.csv"',
    ):
        assert said in page, said
    assert "gone.csv</a>" not in page
    # The studies come first, what was compared second, then what we say about it, and what was not run last.
    order = ["studies", "ledger", "measurements", "claims", "not-run"]
    places = [page.index(f'id="{name}"') for name in order]
    assert places == sorted(places)
    assert "newsroom is not one of the studies of this run" not in page


def test_a_figure_stands_in_the_front_page_and_says_its_values(front_page):
    page = front_page.read_text("utf-8")
    assert page.count("<svg") == 1 and "<?xml" not in page
    assert "<title>three</title>" in page and "<desc>How it was measured</desc>" in page
    assert page.index('id="studies"') < page.index("<svg") < page.index('id="ledger"')


def test_a_study_opens_with_one_sentence_and_its_claims_are_folded(front_page):
    page = front_page.read_text("utf-8")
    opening = page.partition('id="studies"')[2].partition('id="ledger"')[0]
    # The title of the picture; the other study has neither a picture nor a statement with numbers.
    assert "<b>Larger by a third" in opening
    assert "<b>This run has no statement with numbers.</b>" in opening and 'class="bar"' in opening
    folded = page.partition('id="measurements"')[2].partition('class="claim"')[0]
    assert folded.rpartition("<details>")[2].startswith("<summary>Lexicon")


def test_a_statement_that_does_not_hold_is_only_measured(front_page):
    page = front_page.read_text("utf-8")
    shown = page.partition('id="lexicon-b"')[2].partition("</div>\n</details>")[0]
    assert "<b>How it is:</b>" in shown
    assert "Against it" not in shown and "The paper:" not in shown


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("0.123866", "0.1239"), ("12.345678", "12.35"), ("123456.789", "123457"), ("1997", "1997"), ("48794", "48794"),
        ("0.000014", "1.4e-05"), ("0.0", "0.0"), ("-2.123456", "-2.123"), ("1.5", "1.5"), ("", ""), ("3.1.4", "3.1.4"),
        ("nan", "nan"), ("2.0", "2.0"), ("0.000456789012", "0.0004568"), ("0.99996", "1.0000"),
    ],
)  # fmt: skip
def test_decimals_are_rounded_and_whole_numbers_never(cell, shown):
    assert show_cell(cell) == shown


def test_a_column_of_numbers_may_have_empty_cells():
    assert column_kind(("1", "", "-2.5")) == "n"
    assert column_kind(("1", "1:2")) == "" == column_kind(("", ""))
    assert column_kind(("a", "b" * 100)) == "long"


def test_a_row_with_cells_too_many_is_named(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n1,2,3\n")
    with pytest.raises(TableError, match=r"a\.csv, row 3: 3 cells, but the header has 2"):
        render_table_page(tmp_path / "a.csv", tmp_path / "a.rst", "")


def test_a_caption_needs_a_title(tmp_path):
    with pytest.raises(MissingResourceError, match="needs a caption there"):
        Caption.read(tmp_path / "a.rst")
    (tmp_path / "a.rst").write_text("Words\n===\n\nText.\n")
    with pytest.raises(TableError, match="as long as the title"):
        Caption.read(tmp_path / "a.rst")
    (tmp_path / "a.rst").write_text("Words\n=====\n\nIn percent,\nof all.\n\nMore:\n\nthis.\n")
    assert Caption.read(tmp_path / "a.rst") == Caption("Words", "In percent, of all.", "More: this.")


@pytest.mark.parametrize(
    ("path", "name", "of", "procedure"),
    [
        ("lexicon/tables/corrected/distribution_ntrex.csv", "distribution", "ntrex", "corrected"),
        ("lexicon/tables/published/distribution_my_flores.csv", "distribution", "my_flores", "published"),
        ("lexicon/tables/verdicts.csv", "verdicts", "", ""),
        ("newsroom/tables/gnad/published/flags.csv", "flags", "gnad", "published"),
        ("newsroom/gnad/published/summary.csv", "summary", "gnad", "published"),
        ("newsroom/figures/gnad/corrected/gender_ratios_before.svg", "gender_ratios", "gnad before", "corrected"),
        ("newsroom/figures/taz2024full_{state}_roles.svg", "shares", "taz2024full_{state}_roles", ""),
        ("lexicon/figures/{procedure}/representation_{corpus}.svg", "representation", "{corpus}", "{procedure}"),
    ],
)
def test_a_path_says_what_a_table_or_figure_is(path, name, of, procedure):
    (item,) = Catalogue(NAMES, CAPTIONS, SHARED).list_items([f"results/{path}"])
    assert (item.name, item.of, item.procedure) == (name, of, procedure)


def test_what_is_no_final_table_is_not_listed():
    paths = ["results/lexicon/divergence/ntrex/deu.csv", "results/newsroom/gnad/rejected.csv", "results/a/tables/b.tex"]
    assert Catalogue(NAMES, CAPTIONS, SHARED).list_items(paths) == []


@pytest.fixture
def opened(open_page):
    return lambda path, **options: open_page(path.as_uri(), offline=True, **options)


def langs(page):
    return page.locator("tbody tr:visible td:first-child").all_inner_texts()


@pytest.mark.browser
def test_a_table_is_sorted_by_number_and_by_text_with_empty_cells_last(table_page, opened):
    page = opened(table_page)
    words = page.get_by_role("columnheader", name="words")
    words.get_by_role("button").click()
    assert langs(page) == ["ukr", "zul", "swe", "deu", "xho"]
    assert words.get_attribute("aria-sort") == "ascending"
    words.get_by_role("button").press("Enter")
    assert langs(page) == ["deu", "swe", "zul", "ukr", "xho"]
    page.get_by_role("columnheader", name="lang").get_by_role("button").click()
    assert langs(page) == ["deu", "swe", "ukr", "xho", "zul"]
    assert words.get_attribute("aria-sort") is None
    assert page.errors == []


@pytest.mark.browser
def test_the_keyboard_sorts_and_shows_where_it_is(table_page, opened):
    page = opened(table_page)
    page.get_by_label("Search").focus()
    # The download, the table, the heads of its columns.
    for _ in range(4):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "words"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert langs(page) == ["ukr", "zul", "swe", "deu", "xho"]


def bars(page):
    names, values = ([text.strip() for text in page.locator(f"#chart span{which}").all_text_contents()]
                     for which in (":not(.n)", ".n"))  # fmt: skip
    return [f"{name}: {value}" for name, value in zip(names, values, strict=True)]


@pytest.mark.browser
def test_the_chart_is_of_the_rows_that_are_shown_in_their_order(table_page, opened):
    page = opened(table_page)
    # As many digits as the cells show.
    texts = {row[0]: f"{row[0]}: {row[1].partition('.123')[0]}" for row in ROWS}
    # The column of decimals; a row without a number has no bar, and long texts are no names.
    assert bars(page) == [texts[lang] for lang in ("swe", "deu", "zul", "ukr")]
    assert page.locator("#chart figcaption").inner_text() == "words, from -2 to 1500"
    page.get_by_role("columnheader", name="words").get_by_role("button").click()
    assert bars(page) == [texts[lang] for lang in ("ukr", "zul", "swe", "deu")]
    page.get_by_label("Search").fill("zul")
    assert bars(page) == [texts["zul"]]
    page.get_by_label("Search").fill("xho")
    assert page.locator("#chart").is_hidden()
    page.get_by_label("Search").fill("")
    # Of a column of texts, how many rows have each.
    page.get_by_role("columnheader", name="lang").get_by_role("button").click()
    assert bars(page) == ["deu: 1", "swe: 1", "ukr: 1", "xho: 1", "zul: 1"] and page.errors == []


@pytest.mark.browser
def test_what_was_run_is_shown_at_first_and_numbers_of_several_units_are_in_no_chart(tmp_path, opened):
    rows = [["actors", "not run", ""], ["actors", "exact", 2.5], ["ratio", "exact", 0.5]]
    write_rows(tmp_path / "a.csv", ["measure", "verdict", "ours"], rows)
    write_text(tmp_path / "a.rst", "Words\n=====\n\nText.\n")
    (tmp_path / "a.html").write_text(render_table_page(tmp_path / "a.csv", tmp_path / "a.rst", ""), "utf-8")
    page = opened(tmp_path / "a.html")
    assert langs(page) == ["actors", "ratio"] and bars(page) == ["exact: 2"]
    page.get_by_role("button", name="Show all").click()
    assert langs(page) == ["actors", "actors", "ratio"] and page.get_by_role("button", name="Show all").is_hidden()
    page.get_by_role("columnheader", name="ours").get_by_role("button").click()
    assert bars(page) == [] and page.get_by_text("No chart of numbers that may have several units").is_visible()
    # The first that has a number.
    page.get_by_role("link", name='measure="ratio"').click()
    page.get_by_text("1 of 3 rows").wait_for()
    assert bars(page) == ["ratio, exact: 0.5"] and page.errors == []


@pytest.mark.browser
def test_a_table_is_printed_with_all_its_rows_and_columns(tmp_path, opened):
    write_rows(tmp_path / "a.csv", [f"column_{n}" for n in range(12)], [[f"reason {n}"] * 12 for n in range(90)])
    write_text(tmp_path / "a.rst", "Words\n=====\n\nText.\n")
    (tmp_path / "a.html").write_text(render_table_page(tmp_path / "a.csv", tmp_path / "a.rst", ""), "utf-8")
    page = opened(tmp_path / "a.html")
    cut = "box => box.scrollHeight > box.clientHeight"
    assert page.locator(".wide").evaluate(cut)
    page.emulate_media(media="print")
    # As wide as a landscape page.
    page.set_viewport_size({"width": 1040, "height": 720})
    assert not page.locator(".wide").evaluate(cut)
    assert page.locator("table").evaluate("table => table.offsetWidth <= document.body.clientWidth")
    assert page.get_by_label("Search").is_hidden()


@pytest.mark.browser
def test_what_is_closed_is_printed(front_page, opened):
    page = opened(front_page)
    values = page.locator(".values li").first
    page.locator("details").evaluate_all("all => all.forEach((details) => details.open = false)")
    shown = "item => item.checkVisibility({contentVisibilityAuto: true}) && item.offsetHeight > 0"
    assert not values.evaluate(shown)
    page.emulate_media(media="print")
    assert values.evaluate(shown)


@pytest.mark.browser
def test_without_scripts_nothing_is_offered_that_needs_them(table_page, opened):
    page = opened(table_page, java_script_enabled=False)
    assert page.get_by_label("Search").is_hidden()
    assert page.locator("thead button:enabled").count() == 0 and len(langs(page)) == len(ROWS)


def test_a_table_without_rows_says_so(tmp_path):
    write_rows(tmp_path / "a.csv", ["words"], [])
    write_text(tmp_path / "a.rst", "Words\n=====\n\nText.\n")
    assert '<p id="none">The table has no rows' in render_table_page(tmp_path / "a.csv", tmp_path / "a.rst", "")


@pytest.mark.browser
def test_the_chart_has_the_intervals_of_its_column_alone(tmp_path, opened):
    header = ["lang", "feminine", "feminine_percent", "feminine_low", "feminine_high"]
    write_rows(tmp_path / "a.csv", header, [["swe", 80, 0.2, 0.1, 0.4], ["deu", 90, 0.3, "", ""]])
    write_text(tmp_path / "a.rst", "Words\n=====\n\nText.\n")
    (tmp_path / "a.html").write_text(render_table_page(tmp_path / "a.csv", tmp_path / "a.rst", ""), "utf-8")
    page = opened(tmp_path / "a.html")
    assert bars(page) == ["swe: 0.2 [0.1, 0.4]", "deu: 0.3"]
    # In the colour of the figures.
    assert page.locator("#chart .feminine").count() == 1
    page.get_by_role("columnheader", name="feminine", exact=True).get_by_role("button").click()
    assert bars(page) == ["swe: 80", "deu: 90"]


@pytest.mark.browser
def test_a_search_finds_rows_with_all_words(table_page, opened):
    page = opened(table_page)
    search = page.get_by_label("Search")
    search.fill("жінка")
    assert langs(page) == ["ukr"]
    assert page.get_by_role("status").inner_text() == "1 of 5 rows"
    search.fill("herr ZUL")
    assert langs(page) == ["zul"]
    search.fill('lang="zul"')
    assert langs(page) == ["zul"]
    # As a link does.
    page.evaluate("location.hash = 'lang%3D%22swe%22'")
    page.get_by_text("1 of 5 rows").wait_for()
    assert langs(page) == ["swe"]
    page.evaluate("location.hash = '100%'")
    page.get_by_text("No row has all these words.").wait_for()
    search.fill("herr swe")
    assert langs(page) == [] and page.get_by_text("No row has all these words.").is_visible()
    search.fill("")
    assert len(langs(page)) == 5 and page.errors == []


@pytest.mark.browser
def test_the_download_has_the_rows_as_they_are_in_the_table(table_page, opened, tmp_path):
    page = opened(table_page, accept_downloads=True)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "small.csv"
    download.value.save_as(tmp_path / "saved.csv")
    with (tmp_path / "saved.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [HEADER, *ROWS]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["table_page", "front_page"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_opens_offline_without_an_error_and_nothing_sticks_out(name, width, scheme, request, opened):
    page = opened(request.getfixturevalue(name), viewport={"width": width, "height": 800}, color_scheme=scheme)
    for details in page.locator("details").all():
        details.evaluate("shown => { shown.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.title() != "run" and page.locator("img").count() == 0
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor").removeprefix("rgb(").split(",")[0]
    assert (int(dark) < 100) == (scheme == "dark")
    assert page.errors == []


@pytest.mark.browser
def test_columns_that_the_edge_would_cut_are_hidden_until_asked_for(tmp_path, opened):
    names = [f"a_column_{n}" for n in range(40)]
    write_rows(tmp_path / "a.csv", names, [[f"a text {n}"] * 40 for n in range(3)])
    write_text(tmp_path / "a.rst", "Words\n=====\n\nText.\n")
    (tmp_path / "a.html").write_text(render_table_page(tmp_path / "a.csv", tmp_path / "a.rst", ""), "utf-8")
    page = opened(tmp_path / "a.html")
    page.set_viewport_size({"width": 1280, "height": 720})
    cut = "box => box.scrollWidth > box.clientWidth"
    heads = page.locator("thead th:visible")
    assert not page.locator(".wide").evaluate(cut) and 5 < heads.count() < 40
    page.get_by_role("button", name="All 40 columns").click()
    assert heads.count() == 40 and page.locator(".wide").evaluate(cut)
    page.get_by_role("button", name="Columns that fit").click()
    assert heads.count() < 40 and page.errors == []


@pytest.mark.browser
def test_a_value_of_a_figure_is_shown_when_its_mark_has_the_focus(front_page, opened):
    page = opened(front_page)
    marks = page.locator(".picture svg [tabindex]")
    titles = page.locator(".picture").first.locator("svg * > title").all_text_contents()
    assert len(set(titles)) == page.locator(".picture").first.locator("svg [tabindex]").count() > 0
    marks.first.focus()
    told = page.locator("output").first
    assert told.is_visible() and told.inner_text() == titles[0] and page.errors == []
