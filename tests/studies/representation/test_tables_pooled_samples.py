"""Samples of a corpus together, and the annotated words that the scoring leaves out."""

import pytest

from textparity.corpora.reading import write_batches
from textparity.estimating.bootstrap import Bootstrap
from textparity_studies.measures.gender_ratios import POLARITY_SCHEMA
from textparity_studies.representation.tables import pool_samples, tabulate_skipped_words

NAMES = {"talks_1": "Talks 1", "talks_2": "Talks 2", "news_1": "News 1", "mine": "Mine"}
GOLD = """"Usted ve al señor." "Usted - P, M
señor - P, M"

"La mesa." "mesa - N, F"
"""


@pytest.fixture
def counts(tmp_path):
    """Write counts of a corpus: each text has two masculine words, the first one also feminine ones."""

    def counts(corpus, texts, feminine):
        def batches():
            cells = {f"{procedure}_words": 10 for procedure in ("published", "corrected")}
            cells |= {f"{procedure}_masculine": 2 for procedure in ("published", "corrected")}
            for number in range(texts):
                found = 0 if number else feminine
                of_text = {f"{procedure}_feminine": found for procedure in ("published", "corrected")}
                yield [{"id": f"{corpus}/{number}"} | cells | of_text]
            return {"texts": f"corpora/{corpus}/eng", "tokenizer": ""}

        path = tmp_path / f"{corpus}.parquet"
        write_batches(path, POLARITY_SCHEMA, batches())
        return path

    return counts


def test_samples_of_a_corpus_are_pooled_and_other_corpora_left_out(counts):
    paths = [counts("talks_1", 20, 5), counts("talks_2", 10, 10), counts("news_1", 10, 1), counts("mine", 10, 1)]
    pooled = pool_samples(paths, NAMES, Bootstrap(seed=1, resamples=100, confidence_level=0.95))
    rows = pooled[pooled["procedure"] == "published"].set_index("corpus")
    assert rows["samples"].to_dict() == {"Talks": 2, "News": 1, "all": 3}
    assert rows["masculine"].to_dict() == {"Talks": 60, "News": 20, "all": 80}
    assert rows["masculine_per_feminine"].to_dict() == {"Talks": 4, "News": 20, "all": 5}


def test_without_samples_the_table_has_no_rows(counts):
    pooled = pool_samples([counts("mine", 3, 1)], NAMES, Bootstrap(seed=1, resamples=100, confidence_level=0.95))
    assert pooled.empty and "masculine_per_feminine_low" in pooled


def test_annotated_words_on_the_list_are_counted_in_any_case(tmp_path):
    (tmp_path / "gold.txt").write_text(GOLD, "utf-8")
    (tmp_path / "skip.txt").write_text("USTED\nTÚ\n", "utf-8")
    (table,) = tabulate_skipped_words([tmp_path / "gold.txt"], [tmp_path / "skip.txt"], ["made"], ["spa"])
    assert table.frame.to_dict("records") == [{"gold": "made", "lang": "spa", "listed": 2, "words": 3, "skipped": 1}]
