"""Figure 2, ratios by steps and shifts: what is drawn, and the same to the byte."""

import re

import pandas as pd
import pytest
from story_counts import write_counts

from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import write_tables
from textparity_studies.propagation.figures import (
    draw_shifts,
    draw_story_ratios,
    plot_propagation,
)
from textparity_studies.propagation.tables import (
    tabulate_checkpoint_steps,
    tabulate_generated_stories,
    tabulate_shifts,
    tabulate_story_ratios,
)
from textparity_studies.report.catalogue import FIGURE_FORMATS
from textparity_studies.report.plotting import write_charts

BOOTSTRAP = Bootstrap(1, 50, 0.95)
SHOWN = {"language_names": {"eng": "English"}, "confidence_level": 0.95}
STORIES = [[(4, 2), (3, 1), (1, 1)], [(2, 1), (6, 2), (0, 1)]]
VARIANTS = {
    "base": STORIES,
    "male.seed1.step1": STORIES,
    "male.seed1.step16": [[(9, 1), (7, 2)], [(5, 1), (8, 1)]],
    # No ratio, and no place on a logarithmic axis.
    "female.seed1.step16": [[(1, 0), (2, 0)], [(2, 0), (3, 0)]],
    "balanced.seed1.step16": [[(0, 3), (0, 1)], [(0, 2), (0, 1)]],
}


@pytest.fixture(params=["published", "corrected"])
def draw(request, tmp_path, repository):
    """Return a function that draws a figure twice, compares the bytes and returns the SVG file's text."""
    table_variants = {name: counts for name, counts in VARIANTS.items() if not name.endswith("step1")}
    counts = write_counts(tmp_path, table_variants)
    steps = tabulate_checkpoint_steps(write_counts(tmp_path, VARIANTS), BOOTSTRAP)
    files = [tmp_path / f"{name}.csv" for name in ("story_ratios", "checkpoint_steps", "shifts", "seeds")]
    write_tables([tabulate_story_ratios(counts, BOOTSTRAP), steps, *tabulate_shifts(counts, 0.95)], files, [])
    published = repository / "resources/propagation/published.csv"

    def draw(name, published_name=""):
        paths = [tmp_path / request.param / f"{name}.{ending}" for ending in ("pdf", "svg")]
        written = []
        for _ in range(2):
            write_charts(plot_propagation(published, *files, [], {"small": published_name}, **SHOWN), paths)
            written.append([path.read_bytes() for path in paths])
        assert written[0] == written[1]
        return written[0][1].decode()

    return draw


# What earlier tests left to the garbage collector may be collected here.
@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
def test_every_figure_is_the_same_to_the_byte(draw):
    for name in ("story_ratios", "checkpoint_steps", "shifts"):
        assert draw(name)


def test_one_job_makes_all_figures(tmp_path, repository):
    """Each table has its own variants of all that were counted."""
    published = repository / "resources/propagation/published.csv"
    log = tmp_path / "small" / "eng.male.seed1.csv"
    log.parent.mkdir()
    pd.DataFrame({"step": [1, 2], "loss": [3.0, 2.0]}).to_csv(log, index=False)
    of_steps = [("small", "eng", name) for name in VARIANTS]
    of_table = [unit for unit in of_steps if not unit[2].endswith("step1")]
    made = list(tabulate_generated_stories(write_counts(tmp_path, VARIANTS), of_table, of_steps, of_table, BOOTSTRAP))
    tables = {table.name: tmp_path / f"{table.name}.csv" for table in made}
    write_tables(made, list(tables.values()), [])
    steps = {table.name: set(table.frame["step"]) for table in made[:2]}
    assert steps == {"story_ratios": {0, 16}, "checkpoint_steps": {0, 1, 16}}
    names = [
        f"{procedure}/{name}"
        for procedure in ("published", "corrected")
        for name in ("story_ratios", "checkpoint_steps", "shifts")
    ]
    figures = [tmp_path / f"{name}.{ending}" for name in (*names, "loss") for ending in FIGURE_FORMATS]
    charts = plot_propagation(published, **tables, training_logs=[log], published_names={"small": ""}, **SHOWN)
    write_charts(charts, figures)
    assert all(path.stat().st_size for path in figures)


def test_the_title_says_which_way_the_ratios_move(draw):
    title = "<title>Male-biased training raises the ratio in 1 of 1 cases</title>"
    # Female-biased training leaves no ratio.
    assert title in draw("story_ratios") and title in draw("checkpoint_steps")
    assert "<title>The ratios after male- and female-biased training cannot be compared</title>" in draw("shifts")


def test_a_shift_is_clear_where_its_interval_is_above_one(tmp_path):
    case = {"base_model": "small", "procedure": "corrected", "shift": "male / female", "seeds": 2, "stories": 9}
    times = [("eng", 4.0, 2.0, 8.0), ("spa", 1.5, 0.9, 2.5)]
    columns = ["lang", "times", "times_low", "times_high"]
    shifts = pd.DataFrame([case | dict(zip(columns, row, strict=True)) for row in times])
    seeds = pd.DataFrame([case | {"lang": "eng", "training_seed": 1, "times": 4.0}])
    draw_shifts(shifts, seeds, "corrected", {"eng": "English", "spa": "Spanish"}, "95 %").save(tmp_path / "f.svg")
    svg = (tmp_path / "f.svg").read_text("utf-8")
    assert "is 1.5–4 times that after female-biased, clearly more in 1 of 2 cases</title>" in svg
    assert "<title>mean: 4.00 [2.00, 8.00] times</title>" in svg and "<title>seed 1: 4.00 times</title>" in svg


def hollow_markers(svg):
    """Count the uses of the marker that stands for the paper's numbers, the legend's among them."""
    return len(re.findall("fill: #ffffff; stroke: #000000", svg))


def test_the_papers_numbers_stand_beside_its_own_models_alone(draw):
    ours, papers = (draw("story_ratios", name) for name in ("", "llama3.2-3B"))
    # Base and male have a bar and so has balanced (0), female has no ratio; and one in the legend.
    assert hollow_markers(papers) - hollow_markers(ours) == 4


def test_a_table_of_one_repetition_is_drawn(tmp_path, repository):
    counts = write_counts(tmp_path, {"base": [[(3, 1)]]})
    rows = tabulate_story_ratios(counts, BOOTSTRAP).frame
    assert rows["ratio_sd"].isna().all()
    chart = draw_story_ratios(rows[rows["procedure"] == "published"], "published", {}, {"small": ""}, {}, "95 %")
    chart.save(tmp_path / "f.svg")
    assert (tmp_path / "f.svg").stat().st_size
