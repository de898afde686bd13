"""Judged matches of a lexicon, and the precision that follows."""

import pytest

from textparity.errors import TableError
from textparity.measures.precision import COLUMNS, measure_precision, mostly_wrong, read_judgements


def write(tmp_path, *rows):
    lines = ["\t".join(COLUMNS)]
    for form, gender_class, person, gender, right in rows:
        lines.append(
            f"one\teng\tntrex\tntrex/1\t{form}\t{gender_class}\tkept\t{person}\t{gender}\t{right}\t\t\tsomebody"
        )
    path = tmp_path / "precision.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_precision_is_the_share_of_right_matches(tmp_path):
    path = write(
        tmp_path,
        ("man", "masculine", "yes", "masculine", "yes"), ("man", "masculine", "no", "-", "no"),
        ("man", "masculine", "no", "-", "no"), ("woman", "feminine", "yes", "feminine", "yes"),
        ("lady", "feminine", "no", "-", "no"),
    )  # fmt: skip
    judgements = read_judgements(path)
    found = measure_precision(judgements, 0.95)
    assert {key: (item.right, item.judged) for key, item in found.items()} == {
        ("one", "eng", "masculine"): (1, 3), ("one", "eng", "feminine"): (1, 2),
    }  # fmt: skip
    interval = found["one", "eng", "masculine"].interval
    assert (round(interval.low, 3), round(interval.high, 3)) == (0.061, 0.792)
    # A form that was judged once says nothing.
    assert mostly_wrong(judgements) == {("eng", "masculine", "man"): (2, 3)}


@pytest.mark.parametrize(
    "row", [("man", "masculine", "yes", "feminine", "yes"), ("man", "masculine", "yes", "masculine", "no"),
            ("man", "male", "yes", "male", "yes")],
)  # fmt: skip
def test_a_judgement_that_contradicts_itself_is_named(tmp_path, row):
    with pytest.raises(TableError, match="line 2: class"):
        read_judgements(write(tmp_path, row))


def test_the_shipped_judgements_have_60_a_language_and_both_halves(repository):
    judgements = read_judgements(repository / "resources/lexicons/precision.tsv")
    of_published = [one for one in judgements if one.lexicon == "gender_gap_v1.0"]
    langs = {one.lang for one in of_published}
    assert len(langs) == 25
    assert all(sum(one.lang == lang for one in of_published) == 60 for lang in langs)
    assert {one.half for one in of_published} == {"development", "kept"}
