"""From counts per text to rates, intervals and verdicts: what is resampled."""

import pandas as pd
import pytest
from lexicon_counts import of_documents, summarise


def test_documents_are_resampled_where_there_are_any(tmp_path):
    words, feminine, masculine, documents = of_documents(1, 0.35)
    rows = pd.read_parquet(
        summarise(
            tmp_path, {"eng": (words, feminine, masculine, documents), "deu": (words, feminine, masculine, range(600))}
        )
    )
    found = rows[rows["procedure"] == "corrected"].set_index("lang")
    assert found["resampling_unit"].to_dict() == {"eng": "document", "deu": "text"}
    assert found["units"].to_dict() == {"eng": 40, "deu": 600}
    assert (found["texts"] == 600).all()
    # The same texts, but documents speak of one gender alone: the ratio is known less well than of single texts.
    width = found["masculine_per_feminine_high"] - found["masculine_per_feminine_low"]
    assert width["eng"] > 1.5 * width["deu"]
    assert found.loc["eng", "standard_error"] > 1.5 * found.loc["deu", "standard_error"]
    assert found.loc["deu", "standard_error"] == pytest.approx(found.loc["deu", "standard_error_of_words"], rel=0.2)
    assert found["verdict"].to_dict() == {"eng": "no clear difference", "deu": "masculine"}


def test_the_published_procedure_takes_words_to_be_independent(tmp_path):
    columns = of_documents(1, 0.35)
    rows = pd.read_parquet(summarise(tmp_path, {"eng": columns})).set_index("procedure")
    published = rows.loc["published"]
    assert published["standard_error"] == pytest.approx(rows.loc["corrected", "standard_error_of_words"] / 100)
    assert published["verdict"] == "masculine"
    assert pd.isna(published["p_value"])


def test_the_published_verdict_compares_gap_and_error_in_one_unit(tmp_path):
    rows = pd.read_parquet(summarise(tmp_path, {"eng": of_documents(1, 0.5)})).set_index("procedure")
    gap, error, found = rows.loc["published", ["gap", "standard_error", "verdict"]]
    # The error is a fraction, the gap in percent; compared as they are, nearly every language would lean to a gender.
    assert 2 * error < gap <= 100 * 2 * error
    assert found == "balanced"
