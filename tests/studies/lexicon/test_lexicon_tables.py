"""The tables and figures of the `lexicon` study: the verdicts of a table, and what it says of them."""

import numpy as np
import pandas as pd
import pytest
from lexicon_counts import of_documents, summarise

from textparity.counting import CLASSES
from textparity.counting.lexicon import NUMBERS
from textparity.tables import Caption, write_csv
from textparity_studies.lexicon.figures import plot_lexicon
from textparity_studies.lexicon.readings import READINGS
from textparity_studies.lexicon.tables import control_false_discoveries, tabulate_lexicon
from textparity_studies.report.plotting import write_charts

NAMES = {"made": "Made-up texts"}


@pytest.fixture
def summary(tmp_path):
    """A summary of seven languages: one with a large gap, two with a small one, three with none, one with too few."""
    languages = {f"aa{number}": of_documents(number, 0.3 if number else 0.15) for number in range(3)}
    languages |= {f"bb{number}": of_documents(number, 0.5) for number in range(3)}
    words, _, _, documents = of_documents(4, 0.5)
    few = np.where(documents < 8, 1, 0)
    return summarise(tmp_path, languages | {"few": (words, few * 0, few, documents)})


@pytest.fixture
def tables(summary):
    return {table.name: table for table in tabulate_lexicon([summary], [], NAMES)}


def test_too_few_have_no_ratio_and_no_direction(tables):
    few = tables["corrected/distribution_made"].frame.set_index("lang").loc["few"]
    # 120 masculine words and none feminine, but in eight documents.
    assert (few["masculine"], few["matched_units"], few["verdict"]) == (120, 8, "too few")
    assert few[["masculine_per_feminine", "p_value", "p_value_holm"]].isna().all()
    # Of no feminine word, resamples do not say how many there could be.
    assert few[["feminine_low", "feminine_high"]].isna().all()
    assert tables["published/distribution_made"].frame.set_index("lang").loc["few", "verdict"] == "masculine"
    correction = tables["correction"].frame.set_index("lang").loc["few"]
    assert (correction["verdict_published"], correction["verdict_corrected"]) == ("masculine", "too few")
    latex = tables["corrected/distribution_made"].to_latex(Caption("Nouns", "By language."), "tab:nouns")
    assert "& too few \\\\" in latex and "Nouns (Made-up texts, corrected). By language. The largest" in latex


def test_the_languages_of_a_table_are_one_family(tables):
    found = tables["corrected/distribution_made"].frame.set_index("lang")
    tested = found["p_value"].dropna()
    assert len(tested) == 6
    assert found.loc[tested.idxmin(), "p_value_holm"] == pytest.approx(6 * tested.min(), abs=1e-5)
    assert "p_value" not in tables["published/distribution_made"].frame


def test_each_verdict_is_counted_among_those_its_procedure_knows(tables):
    found = tables["verdicts"].frame.set_index("procedure")
    corrected = tables["corrected/distribution_made"].frame["verdict_unadjusted"].value_counts()
    row = found.loc["corrected, unadjusted"]
    assert row[["masculine", "no_clear_difference", "too_few"]].tolist() == [
        corrected["masculine"], corrected["no clear difference"], 1,
    ]  # fmt: skip
    assert 0 < found.loc["corrected", "masculine"] < row["masculine"]
    assert pd.isna(row["balanced"])
    assert (found["languages"] == 7).all()


def test_the_rate_of_false_discoveries_is_less_strict_than_holm_and_stricter_than_no_adjustment():
    # Of six, the limits of Benjamini and Hochberg are 1/6 to 6/6 of .05; Holm's first two are .05 / 6 and .05 / 5.
    p_values = [0.001, 0.012, 0.02, 0.045, 0.5, 0.9, np.nan]
    corrected = pd.DataFrame({"masculine": 20, "feminine": 10, "p_value": p_values})
    verdicts = control_false_discoveries(corrected)
    assert verdicts == [*["masculine"] * 3, *["no clear difference"] * 3, "too few"]


def test_published_counts_have_a_row_for_each_reading(tables):
    found = tables["verdicts"].frame.set_index("procedure")
    unit, fraction, sign = (found.loc[f"published, {reading}"] for reading in READINGS)
    by_language = tables["published/distribution_made"].frame["verdict"].value_counts()
    assert unit[["masculine", "balanced"]].tolist() == by_language[["masculine", "balanced"]].tolist()
    assert unit["balanced"] > fraction["balanced"] == 0
    assert fraction["masculine"] + fraction["feminine"] == sign["masculine"] + sign["feminine"] == 7
    # There is no balance without an error, and none of these readings knows too few.
    assert pd.isna(sign["balanced"]) and pd.isna(unit["too_few"])


def test_the_overview_says_what_was_resampled(tables):
    corrected = tables["corrected/overview"].frame
    assert corrected["resampling_unit"].tolist() == ["document"]
    assert "resampling_unit" not in tables["published/overview"].frame


def test_the_figure_marks_languages_with_too_few(summary, tables, tmp_path):
    names = [f"{procedure}/representation_made" for procedure in ("published", "corrected")]
    files = [tmp_path / f"{name}.svg" for name in names]
    sizes = {f"{gender}_{number}": 1 for gender in CLASSES for number in NUMBERS}
    write_csv(pd.DataFrame([{"lang": "eng", "forms": 6} | sizes]), tmp_path / "sizes.csv")
    charts = plot_lexicon([summary], tmp_path / "sizes.csv", NAMES, {"eng": "English"}, "Some lexicon", 0.95)
    write_charts(charts, files)
    published, corrected = (file.read_text() for file in files)
    assert "hollow: too few" in corrected and "hollow: too few" not in published
    units = int(tables["corrected/distribution_made"].frame["units"].median())
    assert f"over {units} documents" in published and f"over {units} documents" in corrected
