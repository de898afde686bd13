"""What the printed tables of Muller 2023 say by themselves."""

import pandas as pd
import pytest

from textparity_studies.lexicon.readings import ONE_UNIT, PERCENT_AND_FRACTION, WITHOUT_ERROR

RECOMPUTED = f"{ONE_UNIT}, recomputed error"
FLORES, NTREX, CRAWL = "FLORES-200", "NTREX-128", "Common Crawl"


@pytest.fixture(scope="module")
def tables(repository):
    kept = repository / "resources/lexicon/kept"
    return [pd.read_csv(kept / f"printed_{name}.csv") for name in ("verdicts", "sentences", "averages")]


def test_the_printed_verdicts_hang_on_the_unit(tables):
    counts = tables[0].set_index(["corpus", "reading"])[["masculine", "feminine", "balanced"]]
    assert counts.loc[NTREX].T.to_dict("list") == {
        ONE_UNIT: [15, 3, 20], RECOMPUTED: [14, 2, 22],
        PERCENT_AND_FRACTION: [24, 14, 0], WITHOUT_ERROR: [24, 14, 0],
    }  # fmt: skip
    # Russian has equal rates in FLORES: the one language of any table where an error that is a fraction matters.
    fraction, none = (counts.xs(reading, level="reading") for reading in (PERCENT_AND_FRACTION, WITHOUT_ERROR))
    assert (none - fraction).loc[FLORES].tolist() == [1, 0, -1]
    assert (none - fraction).drop(index=FLORES).eq(0).all(axis=None)


def test_no_reading_fits_all_that_the_paper_says(tables):
    fits = tables[1].pivot(index="sentence", columns="reading", values="fits").eq("yes")
    danish = fits.loc["named as balanced in NTREX"]
    assert danish[danish].index.tolist() == [ONE_UNIT, RECOMPUTED]
    others = fits.drop(index="named as balanced in NTREX")
    assert others[[PERCENT_AND_FRACTION, WITHOUT_ERROR]].all(axis=None)
    assert not others[[ONE_UNIT, RECOMPUTED]].any(axis=None)


def test_a_language_that_cannot_be_read_counts_at_most(tables):
    everywhere = tables[1].set_index(["sentence", "reading"]).loc[("masculine in all three", WITHOUT_ERROR)]
    assert everywhere[["printed", "low", "high"]].tolist() == [16, 13, 17]


def test_the_average_of_common_crawl_is_not_that_of_the_printed_rows(tables):
    averages = tables[2].set_index(["corpus", "column"])
    is_mean = averages["is_mean"].dropna()
    assert is_mean[FLORES].eq("yes").all()
    assert is_mean[CRAWL].value_counts().to_dict() == {"no": 4, "cannot be told": 3}
    assert averages.loc[CRAWL, "masculine - feminine"]["mean_of_read"] == pytest.approx(0.0033, abs=0.0001)
