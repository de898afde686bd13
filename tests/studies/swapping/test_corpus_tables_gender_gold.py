"""Precision and recall of genders on annotated entities."""

import pytest
from ukrainian import write_lists

from textparity.errors import TableError
from textparity_studies.swapping.corpus_tables import read_gender_gold, score_genders

pytest.importorskip("pymorphy3_dicts_uk")

HEADER = "entity\tlabel\tgender\theld_out\tnote\n"


def write_gold(folder, rows):
    path = folder / "gold.tsv"
    path.write_text(HEADER + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_scores_of_both_halves_and_errors_of_the_seen_one(tmp_path):
    gold = write_gold(
        tmp_path,
        [
            ("директор", "JOB", "masculine", "yes", ""),
            ("заступник голови", "JOB", "masculine", "yes", ""),
            ("голова", "JOB", "common", "yes", ""),
            ("голові", "JOB", "masculine", "no", "an annotator's slip"),
            ("Олена", "PERS", "feminine", "yes", ""),
            ("Шевченко", "PERS", "feminine", "yes", ""),
        ],
    )
    lists = write_lists(tmp_path)
    quality, wrong = score_genders(gold, stanza_folder=str(tmp_path), confidence_level=0.95, **lists)
    table = quality.frame.set_index(["entities", "label", "procedure", "gender"])
    numbers = table[["gold", "predicted", "true_positives"]]
    assert tuple(numbers.loc["held out", "JOB", "corrected", "masculine"]) == (2, 2, 2)
    assert tuple(numbers.loc["held out", "JOB", "published with exceptions", "common"]) == (1, 2, 1)
    row = table.loc["held out", "JOB", "published with exceptions", "common"]
    assert (row["precision"], row["recall"]) == (0.5, 1)
    assert 0 < row["precision_low"] < 0.5 < row["precision_high"] < 1
    assert tuple(numbers.loc["held out", "PERS", "corrected", "all"]) == (2, 2, 1)
    # A gender that is neither annotated nor predicted has no row.
    assert ("held out", "PERS", "corrected", "common") not in table.index
    assert set(wrong.frame["entity"]) == {"голові"}
    assert set(wrong.frame["predicted"]) == {"common"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("лікар", "ORG", "masculine", "yes", ""), "line 2: label 'ORG'"),
        (("лікар", "JOB", "neuter", "yes", ""), "line 2: gender 'neuter'"),
        (("лікар", "JOB", "masculine", "", ""), "line 2: held_out ''"),
        (("Саша", "PERS", "common", "yes", ""), "line 2: a name has no common gender"),
    ],
)
def test_a_wrong_annotation_is_named(tmp_path, row, message):
    with pytest.raises(TableError, match=message):
        read_gender_gold(write_gold(tmp_path, [row]))


def test_an_entity_that_is_annotated_twice_is_named(tmp_path):
    row = ("лікар", "JOB", "masculine", "yes", "")
    with pytest.raises(TableError, match="line 3: лікар is a duplicate"):
        read_gender_gold(write_gold(tmp_path, [row, row]))


def test_the_tracked_annotations_are_as_many_as_they_say(repository):
    gold = read_gender_gold(repository / "resources" / "swapping" / "gold" / "gender_ukr.tsv")
    assert gold["label"].value_counts().to_dict() == {"JOB": 100, "PERS": 50}
    assert set(gold["held_out"].value_counts()) == {75}
    assert gold[gold["label"] == "JOB"]["gender"].value_counts().min() >= 7
