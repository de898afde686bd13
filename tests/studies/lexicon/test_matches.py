"""Whether a verdict hangs on one form of the lexicon."""

import pandas as pd
import pyarrow as pa
import pytest

from textparity.corpora.rows import write_batches
from textparity.measures.counting import COUNT_SCHEMA
from textparity.studies.lexicon.leave_one_out import leave_one_form_out

TEXTS = pa.schema([("doc_id", pa.string())])


@pytest.fixture
def leave_out(tmp_path):
    """Leave out the forms of texts, each a document; return the row of the one language."""

    def leave_out(*found, minimum=(2, 2)):
        matches = [[{"form": form, "classes": classes} for form, classes in of_text] for of_text in found]
        rows = [
            dict.fromkeys(COUNT_SCHEMA.names, 0) | {
                "id": str(number), "corrected_words": 20 + number, "published_matches": [],
                "corrected_matches": of_text,
                **{f"corrected_{name}": sum(name in match["classes"].split() for match in of_text)
                   for name in ("feminine", "masculine")},
                "corrected_feminine_and_masculine": sum(match["classes"] == "feminine masculine" for match in of_text),
            }
            for number, of_text in enumerate(matches)
        ]  # fmt: skip
        write_batches(tmp_path / "counts.parquet", COUNT_SCHEMA, iter([rows]))
        documents = [{"doc_id": str(number)} for number in range(len(rows))]
        write_batches(tmp_path / "texts.parquet", TEXTS, iter([documents]))
        pd.DataFrame(
            {"corpus": "mine", "lang": ["eng", "swe"], "procedure": "corrected", "p_value": [0.5, 0.9]}
        ).to_parquet(tmp_path / "summary.parquet")
        leave_one_form_out(
            [tmp_path / "counts.parquet"], [tmp_path / "texts.parquet"], [tmp_path / "summary.parquet"],
            tmp_path / "table.csv", [["mine", "eng"]], {"mine": "Mine"}, 0.95, *minimum,
        )  # fmt: skip
        return pd.read_csv(tmp_path / "table.csv", keep_default_na=False).iloc[0]

    return leave_out


MAN, MAN_TOO, WOMAN, GIRL = ("man", "masculine"), ("guy", "masculine"), ("woman", "feminine"), ("girl", "feminine")
PERSON = ("person", "unspecified")


def test_a_verdict_that_hangs_on_one_form_says_which(leave_out):
    row = leave_out([MAN, PERSON], [MAN, MAN], [MAN, WOMAN], [MAN], [MAN, MAN], [MAN, MAN_TOO], [MAN, GIRL])
    assert (row["verdict"], row["forms"]) == ("masculine", 4)
    # Three matches in three documents are left, of both genders.
    assert (row["flipping_forms"], row["flips"]) == (1, "man: no clear difference")
    assert (row["most_influential_form"], row["its_matches"]) == ("man", 9)
    assert float(row["masculine_per_feminine"]) == 5 and float(row["masculine_per_feminine_without"]) == 0.5


def test_too_few_matches_may_be_left(leave_out):
    row = leave_out([MAN], [MAN, MAN], [MAN, WOMAN], [MAN], [MAN, MAN], [MAN, MAN_TOO], [MAN], minimum=(5, 2))
    assert row["flips"] == "man: too few"


def test_a_form_of_both_genders_moves_neither_way(leave_out):
    row = leave_out([MAN, ("sib", "feminine masculine")], [MAN, MAN], [MAN], [MAN, MAN], [MAN])
    assert "sib" not in row["flips"] and row["verdict"] == "masculine"


def test_a_language_without_matches_is_there(leave_out):
    row = leave_out([], [PERSON], [])
    assert (row["verdict"], row["forms"], row["flips"], row["most_influential_form"]) == ("too few", 0, "", "")
