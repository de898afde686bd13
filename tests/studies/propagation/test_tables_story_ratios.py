"""Table 9 of the propagation study and ratios by steps, from invented counts."""

import math

import pandas as pd
import pytest
from story_counts import write_counts

from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Caption
from textparity_studies.propagation.tables import tabulate_checkpoint_steps, tabulate_story_ratios

BOOTSTRAP = Bootstrap(1, 200, 0.95)


@pytest.fixture
def ratios(tmp_path):
    """Return a function that tabulates counts, and returns the rows by condition and procedure, and the LaTeX."""

    def tabulate(variants, step=tabulate_story_ratios):
        table = step(write_counts(tmp_path, variants), BOOTSTRAP)
        return table.frame, table.to_latex(Caption("Ratios", "In stories."), "tab:ratios")

    return tabulate


def test_published_is_the_mean_of_ratios_and_corrected_the_ratio_of_sums(ratios):
    # Published 4:2 and 3:1, four times each, a mean of 2.5 and a deviation of √0.5; corrected (6 + 4) : 3.
    table, latex = ratios({"base": [[(3, 1), (3, 1)] * 4, [(4, 1)] * 4]})
    published, corrected = (row for _, row in table.iterrows())
    assert published[["ratio", "ratio_sd"]].tolist() == pytest.approx([2.5, math.sqrt(0.5)])
    assert published[["ratio_low", "ratio_high"]].isna().all()
    assert published[["condition", "repetitions", "stories", "masculine", "feminine"]].tolist() == [
        "base", 2, 12, 28, 12,
    ]  # fmt: skip
    assert corrected["ratio"] == pytest.approx(10 / 3)
    assert 3 <= corrected["ratio_low"] <= 10 / 3 <= corrected["ratio_high"] <= 4
    assert math.isnan(corrected["ratio_sd"])
    assert "2.50 ± 0.71" in latex


def test_a_repetition_without_feminine_words_is_counted_and_said(ratios):
    table, latex = ratios({"male.seed1.step16": [[(5, 2)], [(9, 0)]], "base": [[(2, 0)]]})
    trained, base = (table[table["condition"] == name].iloc[0] for name in ("male", "base"))
    assert (trained["ratio"], trained["repetitions"], trained["repetitions_without_ratio"]) == (2, 2, 1)
    assert math.isnan(trained["ratio_sd"])
    assert math.isnan(base["ratio"])
    assert base["repetitions_without_ratio"] == 1
    # Of both variants, by both procedures.
    assert r"Ratios (95 \% intervals; 4 repetitions without feminine words have no ratio). In stories." in latex


def test_conditions_are_columns_in_the_papers_order(ratios):
    names = ("female.seed1.step16", "balanced.seed1.step16", "base", "male.seed1.step16")
    _, latex = ratios({name: [[(number + 2, 1)]] for number, name in enumerate(names)})
    assert "Model & Lang & Procedure & Base & Male-biased & Balanced & Female-biased" in latex
    assert "small & eng & published & 3.00 & 4.00 & 2.00 & 1.00" in latex


def test_tagged_words_may_be_fractions(ratios, tmp_path):
    counts = {f"{name}_{gender}": [2.5] for name in ("published", "corrected") for gender in ("masculine", "feminine")}
    pd.DataFrame({"id": ["1/1/1"]} | counts).to_parquet(tmp_path / "spa.base.parquet")
    table = tabulate_story_ratios([tmp_path / "spa.base.parquet"], BOOTSTRAP)
    assert table.frame["masculine"].tolist() == [2.5, 2.5]


def test_ratios_by_steps_pool_stories_from_the_base_model_on(ratios):
    table, latex = ratios(
        {
            "male.seed1.step16": [[(6, 1)] * 5, [(2, 1)] * 5],
            "base": [[(3, 2), (4, 1)] * 5],
            "male.seed1.step2": [[(5, 1)] * 9],
        },
        tabulate_checkpoint_steps,
    )
    rows = table[table["procedure"] == "corrected"]
    assert rows[["condition", "step", "stories", "ratio"]].to_numpy().tolist() == [
        ["base", 0, 10, pytest.approx(7 / 3)], ["male", 2, 9, 5], ["male", 16, 10, 4],
    ]  # fmt: skip
    # Nine stories are too few for an interval.
    assert rows["ratio_low"].isna().tolist() == [False, True, False]
    low, high = rows.iloc[-1][["ratio_low", "ratio_high"]]
    assert f"small & eng & corrected & 16 & -- & 4.00 ({low:.2f}–{high:.2f})" in latex


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": ["1/1/1", "2-1"]}, r"eng\.base\.parquet: id '2-1' is not repetition/prompt/story"),
        ({"id": ["1/1/1", "1/1/1"]}, r"eng\.base\.parquet: story 1/1/1 is a duplicate"),
        ({"published_feminine": None}, r"eng\.base\.parquet: .*published_feminine"),
    ],
)
def test_counts_of_another_form_are_named(tmp_path, change, message):
    columns = {"id": ["1/1/1", "1/1/2"], "published_masculine": [1, 2], "published_feminine": [1, 1]} | change
    path = tmp_path / "eng.base.parquet"
    pd.DataFrame({name: values for name, values in columns.items() if values}).to_parquet(path)
    with pytest.raises(InputError, match=message):
        tabulate_story_ratios([path], BOOTSTRAP)
