"""From counts per text to the tables: what is resampled, and the verdicts of a table."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from textparity.corpora.rows import TEXT_SCHEMA, write_batches
from textparity.measures.counting import COUNT_SCHEMA
from textparity.studies.lexicon.figures import plot_representation
from textparity.studies.lexicon.summary import summarise_lexicon
from textparity.studies.lexicon.tables import (
    tabulate_correction,
    tabulate_distribution,
    tabulate_overview,
    tabulate_verdicts,
)

NAMES = {"made": "Made-up texts"}


def write(folder, lang, words, feminine, masculine, documents):
    """Write texts and their counts, by both procedures the same."""
    texts, counts = folder / f"{lang}.texts.parquet", folder / f"{lang}.counts.parquet"
    ids = [f"made/{number:06d}" for number in range(len(words))]
    doc_ids = [str(number) for number in documents]
    rows = [{"id": id_, "doc_id": doc_id, "lang": lang, "text": ""} for id_, doc_id in zip(ids, doc_ids, strict=True)]
    write_batches(texts, TEXT_SCHEMA, iter([rows]))
    blank = {field.name: [] if pa.types.is_list(field.type) else 0 for field in COUNT_SCHEMA}
    counted = [
        blank | {"id": id_} | {
            f"{procedure}_{name}": int(value)
            for procedure in ("published", "corrected")
            for name, value in (("words", of_words), ("feminine", women), ("masculine", men))
        }
        for id_, of_words, women, men in zip(ids, words, feminine, masculine, strict=True)
    ]  # fmt: skip
    write_batches(counts, COUNT_SCHEMA, iter([counted]))
    return counts, texts


@pytest.fixture
def summarise(tmp_path):
    def summarise(languages, **settings):
        files = [write(tmp_path, lang, *columns) for lang, columns in languages.items()]
        summarise_lexicon(
            [counts for counts, _ in files], [texts for _, texts in files], tmp_path / "summary.parquet", "made", "icu",
            list(languages), 1, 300, 0.95, **{"minimum_matches": 20, "minimum_units": 10} | settings,
        )  # fmt: skip
        return tmp_path / "summary.parquet"

    return summarise


def of_documents(seed, share_of_women, documents=40, texts=15):
    """Words, feminine, masculine and document of texts; each document speaks of women or of men."""
    rng = np.random.default_rng(seed)
    of_text = np.repeat(np.arange(documents), texts)
    about_women = (np.arange(documents) < share_of_women * documents)[of_text]
    named = rng.poisson(0.3, len(of_text))
    return rng.integers(8, 40, len(of_text)), named * about_women, named * ~about_women, of_text


def test_documents_are_resampled_where_there_are_any(summarise):
    words, feminine, masculine, documents = of_documents(1, 0.35)
    rows = pd.read_parquet(
        summarise({"eng": (words, feminine, masculine, documents), "deu": (words, feminine, masculine, range(600))})
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


def test_the_published_procedure_takes_words_to_be_independent(summarise):
    columns = of_documents(1, 0.35)
    rows = pd.read_parquet(summarise({"eng": columns})).set_index("procedure")
    published = rows.loc["published"]
    assert published["standard_error"] == pytest.approx(rows.loc["corrected", "standard_error_of_words"] / 100)
    assert (published["verdict"], published["verdict_in_one_unit"]) == ("masculine", "masculine")
    assert pd.isna(published["p_value"])


@pytest.fixture
def tables(summarise, tmp_path):
    """The tables of seven languages: one with a large gap, two with a small one, three with none, one with too few."""
    languages = {f"aa{number}": of_documents(number, 0.3 if number else 0.15) for number in range(3)}
    languages |= {f"bb{number}": of_documents(number, 0.5) for number in range(3)}
    words, _, _, documents = of_documents(4, 0.5)
    few = np.where(documents < 8, 1, 0)
    summary = summarise(languages | {"few": (words, few * 0, few, documents)})
    for procedure in ("published", "corrected"):
        paths = (tmp_path / f"{procedure}.csv", tmp_path / f"{procedure}.tex")
        tabulate_distribution(summary, *paths, "Made-up texts", "sentence", procedure)
        tabulate_overview(
            [summary], tmp_path / f"{procedure}_overview.csv", tmp_path / "overview.tex", NAMES, procedure
        )
    tabulate_verdicts([summary], tmp_path / "verdicts.csv", tmp_path / "verdicts.tex", NAMES)
    tabulate_correction([summary], tmp_path / "correction.csv", tmp_path / "correction.tex", NAMES)
    return tmp_path


def test_too_few_have_no_ratio_and_no_direction(tables):
    few = pd.read_csv(tables / "corrected.csv").set_index("lang").loc["few"]
    # 120 masculine words and none feminine, but in eight documents.
    assert (few["masculine"], few["matched_units"], few["verdict"]) == (120, 8, "too few")
    assert few[["masculine_per_feminine", "p_value", "p_value_holm"]].isna().all()
    # Of no feminine word, resamples do not say how many there could be.
    assert few[["feminine_low", "feminine_high"]].isna().all()
    assert pd.read_csv(tables / "published.csv").set_index("lang").loc["few", "verdict"] == "masculine"
    correction = pd.read_csv(tables / "correction.csv").set_index("lang").loc["few"]
    assert (correction["verdict_published"], correction["verdict_corrected"]) == ("masculine", "too few")
    assert "& too few \\\\" in (tables / "corrected.tex").read_text()


def test_the_languages_of_a_table_are_one_family(tables):
    found = pd.read_csv(tables / "corrected.csv").set_index("lang")
    tested = found["p_value"].dropna()
    assert len(tested) == 6
    assert found.loc[tested.idxmin(), "p_value_holm"] == pytest.approx(6 * tested.min(), abs=1e-5)
    assert (tables / "corrected.tex").read_text().count("adjusted for the 6 languages") == 1
    assert "p_value" not in pd.read_csv(tables / "published.csv")


def test_each_verdict_is_counted_among_those_its_procedure_knows(tables):
    found = pd.read_csv(tables / "verdicts.csv").set_index("procedure")
    corrected = pd.read_csv(tables / "corrected.csv")["verdict_unadjusted"].value_counts()
    row = found.loc["corrected, unadjusted"]
    assert row[["masculine", "no_clear_difference", "too_few"]].tolist() == [
        corrected["masculine"], corrected["no clear difference"], 1,
    ]  # fmt: skip
    assert 0 < found.loc["corrected", "masculine"] < row["masculine"] < found.loc["published", "masculine"]
    assert pd.isna(row["balanced"]) and pd.isna(found.loc["published", "too_few"])
    assert (found["languages"] == 7).all()


def test_the_overview_says_what_was_resampled(tables):
    corrected = pd.read_csv(tables / "corrected_overview.csv")
    assert corrected["resampling_unit"].tolist() == ["document"]
    assert "resampling_unit" not in pd.read_csv(tables / "published_overview.csv")


def test_the_figure_marks_languages_with_too_few(tables):
    for procedure, marked in (("corrected", True), ("published", False)):
        drawn = tables / f"{procedure}.svg"
        plot_representation(tables / "summary.parquet", tables / "a.pdf", drawn, "Made-up", procedure, 0.95)
        assert ("hollow: too few" in drawn.read_text()) == marked
        assert "over documents" in drawn.read_text()
