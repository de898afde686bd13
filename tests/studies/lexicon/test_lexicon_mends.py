"""What the single mends of the corrected procedure change."""

import pytest

from textparity.corpora.rows import write_batches
from textparity.measures.counting import COUNT_SCHEMA
from textparity.studies.lexicon.mends import measure_mends


def test_each_mend_has_its_part(tmp_path):
    def matches(*forms):
        return [{"form": form, "classes": classes} for form, classes in forms]

    row = dict.fromkeys(COUNT_SCHEMA.names, 0) | {
        "id": "1", "published_words": 10, "corrected_words": 8,
        "published_matches": matches(("-", "feminine unspecified"), ("-", "feminine unspecified"), ("her", "feminine"),
                                     ("anh em", "masculine")),
        "corrected_matches": matches(("her", "feminine"), ("anh em", "masculine"), ("old man", "masculine")),
    }  # fmt: skip
    write_batches(tmp_path / "counts.parquet", COUNT_SCHEMA, iter([[row]]))
    assert measure_mends(tmp_path / "counts.parquet") == pytest.approx(
        {
            "words_published": 10, "words_corrected": 8, "sign_matches": 2,
            "multi_word_matches_published": 1, "multi_word_matches_corrected": 2,
            "feminine_percent_published": 30, "feminine_percent_without_signs": 10, "feminine_percent_corrected": 12.5,
            "masculine_percent_published": 10, "masculine_percent_without_signs": 10, "masculine_percent_corrected": 25,
        }
    )  # fmt: skip
