"""Figure 2, ratios by steps and shifts: what is drawn, and the same to the byte."""

import re

import pandas as pd
import pytest
from story_counts import write_counts

from textparity.counting.statistics import Bootstrap
from textparity_studies.propagation.figures import plot, plot_checkpoint_steps, plot_shifts, plot_story_ratios
from textparity_studies.propagation.shifts import tabulate_shifts
from textparity_studies.propagation.tables import tabulate, tabulate_checkpoint_steps, tabulate_story_ratios
from textparity_studies.report.catalogue import FIGURE_FORMATS

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
            step(*inputs, paths, procedure=request.param, **SHOWN, **settings)
            written.append([path.read_bytes() for path in paths])
        assert written[0] == written[1]
        return written[0][1].decode()

    return draw


@pytest.mark.filterwarnings("error")
def test_every_figure_is_the_same_to_the_byte(draw):
    for name in ("steps", "shifts"):
        assert draw(name)
    assert draw("ratios", published_names={"small": ""})


def test_one_job_makes_all_tables_and_one_all_figures(tmp_path, repository):
    """From files that lie as the plan says, each table has its own variants."""
    published = repository / "resources/propagation/published.csv"
    measured = tmp_path / "small"
    measured.mkdir()
    for name in VARIANTS:
        texts = pd.DataFrame({"id": ["a", "b"], "tokens": [2, 3], "log_likelihood": [-2.0, -3.0]})
        texts.to_csv(measured / f"eng.{name}.perplexity", index=False)
        diversity = {"repetition": [1, 2], "stories": 3, "diversity_published": 0.5, "diversity_corrected": 0.4}
        pd.DataFrame(diversity | {"repeated_words": 0.1}).to_csv(measured / f"eng.{name}.diversity", index=False)
    log = measured / "eng.male.seed1.csv"
    pd.DataFrame({"step": [1, 2], "loss": [3.0, 2.0]}).to_csv(log, index=False)
    of_table = [name for name in VARIANTS if not name.endswith("step1")]
    names = ("story_ratios", "checkpoint_steps", "shifts", "seeds")
    tables = {f"{name}_csv": tmp_path / f"{name}.csv" for name in (*names, "diversity", "perplexity")}
    tables |= {name.replace("csv", "latex"): path.with_suffix(".tex") for name, path in tables.items()}
    tabulate(
        write_counts(tmp_path, VARIANTS),
        *([measured / f"eng.{name}.{kind}" for name in VARIANTS] for kind in ("diversity", "perplexity")),
        table_variants={"small/eng": of_table}, checkpoint_variants={"small/eng": list(VARIANTS)},
        seed_variants={"small/eng": of_table}, bootstrap=BOOTSTRAP,
        **tables,
    )  # fmt: skip
    steps = {name: set(pd.read_csv(tables[f"{name}_csv"])["step"]) for name in ("story_ratios", "checkpoint_steps")}
    assert steps == {"story_ratios": {0, 16}, "checkpoint_steps": {0, 1, 16}}
    assert {len(pd.read_csv(tables[f"{name}_csv"])) for name in ("diversity", "perplexity")} == {len(VARIANTS)}
    names = [
        f"{procedure}_{name}"
        for procedure in ("published", "corrected")
        for name in ("story_ratios", "checkpoint_steps", "shifts")
    ]
    figures = [tmp_path / f"{name}.{ending}" for name in names for ending in FIGURE_FORMATS]
    loss = [tmp_path / f"loss.{ending}" for ending in FIGURE_FORMATS]
    drawn = {name: tables[f"{name}_csv"] for name in ("story_ratios", "checkpoint_steps", "shifts", "seeds")}
    plot(
        published,
        **drawn,
        training_logs=[log],
        published_names={"small": ""},
        **SHOWN,
        story_figures=figures,
        loss_figure=loss,
    )
    assert all(path.stat().st_size for path in figures + loss)


def test_the_title_says_which_way_the_ratios_move(draw):
    title = "<title>Male-biased training raises the ratio in 1 of 1 cases</title>"
    # Female-biased training leaves no ratio.
    assert title in draw("ratios", published_names={"small": ""}) and title in draw("steps")
    assert "<title>The ratios after male- and female-biased training cannot be compared</title>" in draw("shifts")


def test_a_shift_is_clear_where_its_interval_is_above_one(tmp_path):
    case = {"base_model": "small", "procedure": "corrected", "shift": "male / female", "seeds": 2, "stories": 9}
    times = [("eng", 4.0, 2.0, 8.0), ("spa", 1.5, 0.9, 2.5)]
    columns = ["lang", "times", "times_low", "times_high"]
    pd.DataFrame([case | dict(zip(columns, row, strict=True)) for row in times]).to_csv(tmp_path / "shifts.csv")
    pd.DataFrame([case | {"lang": "eng", "training_seed": 1, "times": 4.0}]).to_csv(tmp_path / "seeds.csv")
    files = [tmp_path / "shifts.csv", tmp_path / "seeds.csv", [tmp_path / "f.svg"]]
    plot_shifts(*files, "corrected", {"eng": "English", "spa": "Spanish"}, 0.95)
    svg = (tmp_path / "f.svg").read_text("utf-8")
    assert "is 1.5–4 times that after female-biased, clearly more in 1 of 2 cases</title>" in svg
    assert "<title>mean: 4.00 [2.00, 8.00] times</title>" in svg and "<title>seed 1: 4.00 times</title>" in svg


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
    plot_story_ratios(tmp_path / "ratios.csv", published, paths, "published", {"small": ""}, **SHOWN)
    assert all(path.stat().st_size for path in paths)
