"""Judged matches of a lexicon, and the precision that follows."""

import pytest

from textparity.counting.precision import (
    JUDGEMENT_COLUMNS,
    Judgement,
    find_layers_off,
    layers_off,
    measure_precision,
    mostly_wrong,
    read_judgements,
    select_samples,
)
from textparity.errors import TableError


def write(tmp_path, *rows):
    lines = ["\t".join(JUDGEMENT_COLUMNS)]
    for number, (form, gender_class, gender) in enumerate(rows):
        lines.append(f"one\tntrex/{number}\t{form}\t{gender_class}\tnouns\tkept\t{gender}\t\t\tsomebody")
    path = tmp_path / "eng.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_precision_is_the_share_of_right_matches(tmp_path):
    path = write(
        tmp_path,
        ("man", "masculine", "masculine"), ("man", "masculine", "-"), ("man", "masculine", "feminine"),
        ("woman", "feminine", "feminine"), ("lady", "feminine", "-"),
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
    ("row", "said"),
    [
        (("man", "male", "masculine"), "class 'male'"),
        (("man", "masculine", "no"), "gender 'no'"),
    ],
)
def test_a_value_that_no_judgement_has_is_named(tmp_path, row, said):
    with pytest.raises(TableError, match=f"line 2: {said}"):
        read_judgements(write(tmp_path, row))


def test_the_shipped_judgements_have_60_a_language_and_both_halves(repository):
    of_published = {}
    for path in (repository / "resources/lexicons/precision").glob("*.tsv"):
        matches = [judgement for judgement in read_judgements(path) if judgement.lexicon == "gender_gap_v1.0"]
        if matches:
            of_published[path.stem] = matches
    assert len(of_published) == 25
    assert all(len(matches) == 60 for matches in of_published.values())
    for lang, matches in of_published.items():
        assert {judgement.half for judgement in matches} == {"development", "kept"}
        assert {judgement.lang for judgement in matches} == {lang}


def test_matches_of_one_sentence_are_a_cluster():
    # 20 sentences, each with a match in three languages that are right or wrong together.
    rows = [
        Judgement("one", "all", "x", "feminine", "nouns", "kept", number % 4 > 0, "somebody", f"ntrex/{number}")
        for number in range(20)
    ]
    (once,), (thrice,) = (measure_precision(some, 0.95).values() for some in (rows, rows * 3))
    assert (once.judged, thrice.judged) == (20, 60)
    assert (thrice.interval.low, thrice.interval.high) == pytest.approx((once.interval.low, once.interval.high))


def judged(gender_class, right, number, layer="names", lang="eng", half="kept", lexicon="textparity_v2"):
    rows = [True] * right + [False] * (number - right)
    return [Judgement(lexicon, lang, "x", gender_class, layer, half, is_right, "somebody") for is_right in rows]


def test_a_layer_is_off_if_its_whole_interval_is_below_80_percent():
    # 60 of 100 has the Wilson interval 50-69 %, 14 of 20 has 48-85 %.
    sample = [*judged("feminine", 30, 50), *judged("masculine", 30, 50)]
    off = find_layers_off([*sample, *judged("feminine", 7, 10, "titles"), *judged("masculine", 7, 10, "titles")])
    reason = "60 of 100 matches that were read are right, which is below 80 % for certain"
    assert off == {"eng": {"names": f"{reason}; read by a somebody, not by native speakers"}}


@pytest.mark.parametrize("worse", ["feminine", "masculine"])
def test_a_layer_is_off_if_the_genders_differ_by_more_than_10_points_for_certain(worse):
    better = "masculine" if worse == "feminine" else "feminine"
    off = find_layers_off([*judged(worse, 30, 50), *judged(better, 50, 50)])
    assert "which differs by more than 10 points for certain" in off["eng"]["names"]
    # 44 of 50 differs by 12 points, which may be fewer than 10.
    assert find_layers_off([*judged(worse, 44, 50), *judged(better, 50, 50)]) == {}


def test_a_layer_read_in_one_gender_alone_is_not_off_for_a_difference():
    assert find_layers_off(judged("masculine", 12, 12)) == {}


def test_the_sample_of_a_layer_is_what_was_kept_of_the_lexicon_that_is_counted():
    sample = judged("feminine", 1, 2)
    others = [
        *judged("feminine", 0, 9, half="development"),
        *judged("feminine", 0, 9, lexicon="gender_gap_v1.0"),
        *judged("unspecified", 0, 9),
    ]
    assert select_samples([*sample, *others]) == sample


def test_a_language_without_samples_has_all_layers():
    assert dict(layers_off("mlt")) == {}
