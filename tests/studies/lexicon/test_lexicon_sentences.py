"""The sentences of Muller's Table 2 are counted as lines of their corpus."""

import pytest
from lexicon_counts import write_rows_of_counts

from textparity_studies.lexicon.sentences import LINES, read_sentences


@pytest.fixture
def counts(tmp_path):
    """Counts of a corpus whose third printed sentence has two feminine nouns and a masculine one."""
    rows = [{} for _ in range(100)]
    for procedure in ("published", "corrected"):
        rows[91] |= {f"{procedure}_feminine": 2, f"{procedure}_masculine": 1}
    return write_rows_of_counts(tmp_path / "eng.parquet", rows)


def test_each_sentence_has_its_counters_by_both_procedures(counts):
    rows = {(row["line"], row["procedure"]): row for row in read_sentences([counts])}
    assert len(rows) == 2 * len(LINES)
    third = rows[91, "published"]
    assert (third["lang"], third["feminine"], third["masculine"], third["unspecified"]) == ("eng", 2, 1, 0)
    assert third["setup"] == "ICU's words, not the paper's"
    assert rows[43, "corrected"]["masculine"] == 0


def test_the_first_engine_of_a_language_counts(counts):
    assert len(read_sentences([counts, counts])) == 2 * len(LINES)
