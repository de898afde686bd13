"""Tables of diversity (Table 8) and perplexity, from invented measures."""

import math

import pandas as pd
import pytest

from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Caption
from textparity_studies.propagation.tables import tabulate_diversity, tabulate_perplexity

BOOTSTRAP = Bootstrap(1, 200, 0.95)
CAPTION = Caption("Measures", "Of stories.")


def write(folder, variants):
    paths = [folder / f"eng.{name}.csv" for name in variants]
    folder.mkdir(exist_ok=True)
    for path, rows in zip(paths, variants.values(), strict=True):
        pd.DataFrame(rows).to_csv(path, index=False)
    return paths


def measures(*diversities, **others):
    numbers = range(1, len(diversities) + 1)
    columns = {"repetition": numbers, "stories": 10, "diversity_published": diversities, "repeated_words": 0.25}
    return pd.DataFrame(columns | {"diversity_corrected": [value - 0.1 for value in diversities]} | others)


def test_diversity_has_mean_and_deviation_of_every_measure(tmp_path):
    variants = {"base": measures(0.7, 0.9), "male.seed1.step16": measures(0.6), "male.seed1.step2": measures(0.3)}
    paths = write(tmp_path / "model", variants)
    (made,) = tabulate_diversity(paths, [("model", "eng", "base"), ("model", "eng", "male.seed1.step16")])
    table = made.frame.set_index("step")
    assert table.index.tolist() == [0, 16, 2]
    base = table.loc[0]
    assert base[["diversity_published", "diversity_corrected"]].tolist() == pytest.approx([0.8, 0.7])
    assert base["diversity_published_sd"] == pytest.approx(math.sqrt(0.02), abs=1e-6)
    assert (base["repetitions"], base["stories"], base["repeated_words"]) == (2, 10, 0.25)
    assert math.isnan(table.loc[16, "diversity_published_sd"])
    # Table 8 has the paper's number of steps alone.
    latex = made.to_latex(CAPTION, "tab:diversity")
    assert "model & eng & Diversity, published & 0.80 ± 0.14 & 0.60 \\\\" in latex
    assert "0.30" not in latex


def test_diversity_that_could_not_be_measured_stays_empty(tmp_path):
    paths = write(tmp_path / "model", {"base": measures(math.nan, math.nan)})
    (made,) = tabulate_diversity(paths, [("model", "eng", "base")])
    assert math.isnan(made.frame["diversity_published"].item())
    assert "Diversity, published & --" in made.to_latex(CAPTION, "tab:diversity")


def test_diversity_without_its_columns_is_named(tmp_path):
    paths = write(tmp_path / "model", {"base": measures(0.7).drop(columns="diversity_corrected")})
    with pytest.raises(InputError, match=r"base\.csv: .*diversity_corrected"):
        list(tabulate_diversity(paths, [("model", "eng", "base")]))


def likelihoods(*values, tokens=(2, 3), ids=("a", "b"), copies=1):
    ids = [f"{id_}{copy}" for copy in range(copies) for id_ in ids]
    return {"id": ids, "tokens": tokens * copies, "log_likelihood": values * copies}


def perplexities(folder, variants):
    (made,) = tabulate_perplexity(write(folder, variants), BOOTSTRAP)
    return made.frame.set_index("condition")


def test_perplexity_is_of_all_tokens_and_compared_with_the_base_model(tmp_path):
    # 5 tokens: 5 nats, e; then ln 2 more for each token, so twice as much, in every resample.
    more = [-2 - 2 * math.log(2), -3 - 3 * math.log(2)]
    variants = {"base": likelihoods(-2, -3, copies=5), "male.seed1.step16": likelihoods(*more, copies=5)}
    table = perplexities(tmp_path, variants)
    assert table["perplexity"].tolist() == pytest.approx([math.e, 2 * math.e], abs=1e-5)
    assert table[["texts", "tokens"]].to_numpy().tolist() == [[10, 25], [10, 25]]
    ends = ["change_percent", "change_percent_low", "change_percent_high"]
    assert table.loc["male", ends].tolist() == pytest.approx([100, 100, 100], abs=1e-4)
    assert table.loc["base", ends].isna().all()


def test_the_interval_of_perplexity_covers_what_texts_have(tmp_path):
    # Half of the texts have 1 nat a token, half 2, and together 8 / 5.
    table = perplexities(tmp_path, {"base": likelihoods(-2, -6, copies=5)})
    low, middle, high = table.loc["base", ["perplexity_low", "perplexity", "perplexity_high"]]
    assert middle == pytest.approx(math.exp(8 / 5), abs=1e-5)
    assert math.e <= low < middle < high <= math.exp(2)
    few = perplexities(tmp_path, {"base": likelihoods(-2, -6, copies=4)})
    assert math.isnan(few.loc["base", "perplexity_low"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": (2, 4)}, r"male.*\.csv: has other texts or tokens than .*base\.csv"),
        ({"ids": ("a", "c")}, r"male.*\.csv: has other texts or tokens than .*base\.csv"),
        ({"tokens": (0, 0)}, r"male.*\.csv: has no tokens"),
    ],
)
def test_perplexity_of_other_texts_is_not_compared(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        perplexities(tmp_path, {"base": likelihoods(-2, -3), "male.seed1.step16": likelihoods(-2, -3, **change)})
