"""Figure 2, ratios by steps and shifts: what is drawn, and the same to the byte."""

import re

import pandas as pd
import pytest
from story_counts import write_counts

from textparity.measures.statistics import Bootstrap
from textparity.studies.propagation.figures import plot_checkpoint_steps, plot_shifts, plot_story_ratios
from textparity.studies.propagation.shift_tables import tabulate_shifts
from textparity.studies.propagation.tables import tabulate_checkpoint_steps, tabulate_story_ratios

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
    latex = tmp_path / "t.tex"
    tabulate_story_ratios(write_counts(tmp_path, table_variants), tmp_path / "ratios.csv", latex, BOOTSTRAP)
    tabulate_checkpoint_steps(write_counts(tmp_path, VARIANTS), tmp_path / "steps.csv", latex, BOOTSTRAP)
    shifts = [tmp_path / "shifts.csv", tmp_path / "seeds.csv"]
    tabulate_shifts(write_counts(tmp_path, table_variants), *shifts, latex, confidence_level=0.95)
    published = repository / "resources/propagation/published.csv"
    steps = {
        "ratios": (plot_story_ratios, [tmp_path / "ratios.csv", published]),
        "steps": (plot_checkpoint_steps, [tmp_path / "steps.csv"]),
        "shifts": (plot_shifts, shifts),
    }

    def draw(name, **settings):
        step, inputs = steps[name]
        written = []
        for run in range(2):
            paths = [tmp_path / f"{run}.{ending}" for ending in ("pdf", "svg")]
            step(*inputs, *paths, procedure=request.param, **SHOWN, **settings)
            written.append([path.read_bytes() for path in paths])
        assert written[0] == written[1]
        return written[0][1].decode()

    return draw


@pytest.mark.filterwarnings("error")
def test_every_figure_is_the_same_to_the_byte(draw):
    for name in ("steps", "shifts"):
        assert draw(name)
    assert draw("ratios", published_names={"small": ""})


def hollow_markers(svg):
    """Count the uses of the marker that stands for the paper's numbers, the legend's among them."""
    return len(re.findall("fill: #ffffff; stroke: #000000", svg))


def test_the_papers_numbers_stand_beside_its_own_models_alone(draw):
    ours, papers = (draw("ratios", published_names={"small": name}) for name in ("", "llama3.2-3B"))
    # Base and male have a bar and so has balanced (0), female has no ratio; and one in the legend.
    assert hollow_markers(papers) - hollow_markers(ours) == 4


def test_a_table_of_one_repetition_is_drawn(tmp_path, repository):
    counts = write_counts(tmp_path, {"base": [[(3, 1)]]})
    tabulate_story_ratios(counts, tmp_path / "ratios.csv", tmp_path / "t.tex", BOOTSTRAP)
    assert pd.read_csv(tmp_path / "ratios.csv")["ratio_sd"].isna().all()
    published = repository / "resources/propagation/published.csv"
    paths = [tmp_path / "f.pdf", tmp_path / "f.svg"]
    plot_story_ratios(tmp_path / "ratios.csv", published, *paths, "published", {"small": ""}, **SHOWN)
    assert all(path.stat().st_size for path in paths)
