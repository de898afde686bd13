import pandas as pd
import pytest

from textparity.errors import InputError
from textparity_studies.newsroom.figures import PANELS, plot_shares, plot_yearly_reports, shares_of
from textparity_studies.newsroom.summary import ACTOR_COUNTS, SUMMARY_HEADER, read_summary
from textparity_studies.newsroom.yearly_figures import read_yearly_figures
from textparity_studies.report.plotting import write_charts

HEADER = (
    "year,total_texts,texts_with_actors,uses_gender_neutral_language_docs,generic_masculine_usage_docs,"
    "pronoun_distribution_she_her,pronoun_distribution_he_him,mentions_by_pronoun_she_her,mentions_by_pronoun_he_him,"
    "named_mentions_she_her,named_mentions_he_him,pronoun_mentions_she_her,pronoun_mentions_he_him,"
    "subject_roles_she_her,subject_roles_he_him,object_roles_she_her,object_roles_he_him,direct_quotes_she_her,"
    "direct_quotes_he_him,indirect_quotes_she_her,indirect_quotes_he_him,feminine_coded_words_she_her,"
    "feminine_coded_words_he_him,masculine_coded_words_she_her,masculine_coded_words_he_him,sentiment_she_her,"
    "sentiment_he_him"
)
YEARS = [
    "1983,1,1,0,1,2,1,5,3,3,2,2,1,0,1,0,0,2,0,1,1,0,0,0,1,0.00,0.00",
    "1986,835,835,2,771,255,785,1058,3897,636,2371,422,1526,446,1891,34,79,243,825,78,258,187,507,120,478,-0.01,-0.03",
    "1987,2744,2744,3,2494,936,2505,3600,12532,2097,7852,1503,4680,1610,6138,110,287,782,2789,271,954,484,1486,394,1463,"
    "-0.01,-0.01",
]


@pytest.fixture
def yearly(tmp_path):
    """Return a function that writes lines below the header of the published files."""

    def write(lines=YEARS, header=HEADER):
        path = tmp_path / "yearly.csv"
        path.write_text("\n".join([header, *lines]) + "\n")
        return path

    return write


def test_yearly_figures_have_the_form_of_a_summary(yearly):
    rows = read_yearly_figures(yearly(reversed(YEARS)))
    assert tuple(rows.columns) == SUMMARY_HEADER
    assert list(rows["group"].unique()) == ["1983", "1986", "1987"]
    of_year = rows[rows["group"] == "1986"].set_index("metric")
    assert of_year.loc["mentions", ["feminine", "masculine", "overall"]].tolist() == [1058, 3897, 4955]
    assert of_year.loc["actors", ["feminine", "masculine", "overall"]].tolist() == [255, 785, 1040]
    assert of_year.loc["sentiment", ["statistic", "overall"]].tolist() == ["mean", -0.02]
    assert of_year.loc["gender_neutral_texts", "overall"] == 2
    assert set(ACTOR_COUNTS) < set(of_year.index)


@pytest.mark.parametrize(
    ("lines", "header", "message"),
    [
        (
            YEARS,
            HEADER.replace("object_roles_he_him", "objects"),
            r"yearly\.csv: there is no column object_roles_he_him",
        ),
        ([YEARS[0], YEARS[1].replace("1058", "many")], HEADER, r"line 3: column mentions_by_pronoun_she_her: 'many'"),
        ([YEARS[0].replace("1983", "1983/84")], HEADER, "column year: each row needs"),
        ([YEARS[0], YEARS[0]], HEADER, "each year one row"),
        ([YEARS[0].removesuffix("0.00")], HEADER, "column sentiment_he_him: '' is no number"),
    ],
)
def test_a_malformed_yearly_file_is_named_with_its_column(yearly, lines, header, message):
    with pytest.raises(InputError, match=message):
        read_yearly_figures(yearly(lines, header))


def test_shares_are_of_both_genders_and_small_ones_are_marked(yearly):
    shares = shares_of(read_yearly_figures(yearly()), "object_roles")
    assert shares.loc["1986", ["feminine", "masculine"]].tolist() == pytest.approx([100 * 34 / 113, 100 * 79 / 113])
    # One text, and none with an object.
    assert shares.loc["1983", ["feminine", "masculine"]].isna().all()
    assert shares["is_small"].to_dict() == {"1983": True, "1986": False, "1987": False}
    assert shares["counted"].tolist() == [0, 113, 397]


def test_shares_have_the_intervals_of_the_summary(tmp_path, yearly):
    shares = shares_of(read_summary(named_summary(tmp_path / "summary.csv", ("all", "1980"))), "mentions")
    ends = [f"{gender}_{end}" for gender in ("feminine", "masculine") for end in ("low", "high")]
    assert shares.loc["1980", ends].tolist() == [5, 30, 70, 95]
    assert shares.loc["all", ends].isna().all()
    assert shares_of(read_yearly_figures(yearly()), "mentions")[ends].isna().all(axis=None)


def named_summary(path, groups):
    """Write a summary; the first of several groups has no intervals."""
    rows = [
        ["total_texts", *[None] * 2, 40],
        *([metric, number, 9 - number, 9] for number, metric in enumerate(ACTOR_COUNTS[:8])),
    ]
    lines = [[group, "totals", row[0], "total", *row[1:3], 1, row[3]] for group in groups for row in rows]
    for group in groups[1:] or groups:
        for metric in ACTOR_COUNTS[:8]:
            lines.append([group, "percent", metric, "percent_low", 5, 70, None, None])
            lines.append([group, "percent", metric, "percent_high", 30, 95, None, None])
    frame = pd.DataFrame(lines)
    frame.set_axis(list(SUMMARY_HEADER), axis="columns").to_csv(path, index=False)
    return path


@pytest.mark.parametrize("shown", PANELS)
@pytest.mark.parametrize(
    "groups", [("all",), ("all", "Sport", "A $& $x\\frac$", "null"), ("all", "1980", "1981"), ("1980-01",)]
)
def test_both_layouts_are_the_same_to_the_byte(tmp_path, shown, groups):
    summary = named_summary(tmp_path / "summary.csv", groups)
    paths = [tmp_path / f"summary_{shown}.{ending}" for ending in ("pdf", "svg")]
    written = []
    for _ in range(2):
        write_charts(plot_shares(summary, "A corpus", "corrected", 0.95), paths)
        written.append([path.read_bytes() for path in paths])
    assert written[0] == written[1]
    assert all(written[0])


def test_yearly_shares_are_drawn(yearly, tmp_path):
    path = tmp_path / "taz2024full_unbalanced_quotes.svg"
    write_charts(plot_yearly_reports(yearly(), yearly()), [path])
    # 1,027 of 4,641 direct quotes, and 349 of 1,561.
    assert "<title>Women have 22 % of direct quotes and 22 % of indirect quotes</title>" in path.read_text("utf-8")
