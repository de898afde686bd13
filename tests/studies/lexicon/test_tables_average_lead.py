"""The average over languages: documents are resampled in all languages at once, and languages are not."""

import numpy as np
import pytest
from lexicon_counts import write_rows_of_counts

from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity_studies.lexicon.tables import estimate_mean_lead, tabulate_average_leads

BOOTSTRAP = Bootstrap(1, 2000, 0.95)


def width(leads):
    leads = np.array(leads)
    interval = estimate_mean_lead(np.full(leads.shape, 100), leads, BOOTSTRAP, np.random.default_rng(1))
    return interval.high - interval.low


def test_translations_of_the_same_documents_make_the_average_no_more_certain():
    one = np.random.default_rng(2).integers(-3, 4, 40)
    assert width([one] * 30) == pytest.approx(width([one]))


def test_languages_that_differ_do_not_widen_the_interval():
    one = np.random.default_rng(2).integers(-3, 4, 40)
    assert width([one, one + 9]) == pytest.approx(width([one, one]))


def test_fewer_than_ten_documents_have_no_interval():
    assert np.isnan(width([[1, -1, 0, 2, 1, 0, 3, -2, 1]]))


def counts_of(path, documents):
    rows = [
        {"doc_id": name, "published_words": 100, "published_masculine": masculine, "published_feminine": 1,
         "corrected_words": 100, "corrected_masculine": 1, "corrected_feminine": 1}
        for name, masculine in documents
    ]  # fmt: skip
    return write_rows_of_counts(path, rows)


def test_each_language_weighs_the_same(tmp_path):
    files = [
        counts_of(tmp_path / "eng.parquet", [(str(number // 2), 2) for number in range(20)]),
        counts_of(tmp_path / "deu.parquet", [(str(number), 4) for number in range(10)]),
    ]
    (table,) = tabulate_average_leads(files, {"made": "Made"}, BOOTSTRAP)
    assert table.frame.loc[0, ["corpus", "languages", "unit", "units"]].tolist() == ["Made", 2, "document", 10]
    assert table.frame["lead"].tolist() == [2, 0]


def test_a_language_without_some_documents_is_named(tmp_path):
    files = [counts_of(tmp_path / f"{name}.parquet", [(name, 2)]) for name in ("eng", "deu")]
    with pytest.raises(InputError, match=r"deu\.parquet: has other documents than .*eng\.parquet"):
        tabulate_average_leads(files, {"made": "Made"}, BOOTSTRAP)
