"""The length of sentences, in words between white space."""

import pyarrow as pa
import pyarrow.parquet as pq

from textparity_studies.lengths.tables import tabulate_lengths


def test_the_length_is_the_mean_over_sentences(tmp_path):
    texts = tmp_path / "eng.parquet"
    pq.write_table(pa.table({"text": ["She sings.", "It is late now."]}), texts)
    (table,) = tabulate_lengths([texts], "mine", ["eng"])
    assert table.frame.to_dict("records") == [{"corpus": "mine", "lang": "eng", "words": 3.0}]
