import math

import pandas as pd
import pytest
from generated_sentences import sentences

from textparity.errors import InputError
from textparity_studies.stereotypes.sentences import export_sample
from textparity_studies.stereotypes.tables import krippendorff_alpha, measure_agreement


@pytest.fixture
def draw(tmp_path):
    """Draw a sample from sets of sentences; return sample and key."""

    def run(sets, size, seed=1):
        paths = []
        for number, frame in enumerate(sets, start=1):
            paths.append(tmp_path / f"set{number}.csv")
            frame.to_csv(paths[-1], index=False)
        sample, key = tmp_path / "sample.csv", tmp_path / "key.csv"
        export_sample(paths, sample, key, "gaucher.a", size, seed)
        return tuple(pd.read_csv(path, dtype=str, keep_default_na=False) for path in (sample, key))

    return run


def test_a_sample_is_balanced_by_label_and_kind(draw):
    _, key = draw([sentences()], 18)
    assert key["label"].value_counts().to_dict() == {"consistent": 9, "contradictory": 9}
    assert sorted(key["kind"].value_counts()) == [4, 4, 5, 5]


def test_a_sample_tells_nothing_of_our_labels(draw):
    sample, key = draw([sentences()], 18)
    assert list(sample.columns) == ["id", "text", "label"]
    assert set(sample["label"]) == {""}
    assert not sample["id"].str.contains("MM|FF|MF|FM").any()
    assert sample["id"].tolist() == key["id"].tolist()
    assert key["kind"].tolist() != sorted(key["kind"])
    assert set(key["sentence"]) <= set(sentences()["id"])


def test_a_sample_follows_from_its_seed_and_not_from_the_order_of_the_file(draw):
    first = draw([sentences()], 18)[0]
    assert draw([sentences().iloc[::-1]], 18)[0].equals(first)
    assert not draw([sentences()], 18, seed=2)[0].equals(first)


def test_a_text_of_two_sets_is_drawn_once(draw):
    sample, _ = draw([sentences(), sentences()], 48)
    assert len(sample) == 48
    assert not sample["text"].duplicated().any()


def test_a_scarce_kind_is_made_up_for_by_its_label(draw):
    few = sentences()
    few = few[(few["kind"] != "MM") | (few["word"] == "hard1*")]
    _, key = draw([few], 20)
    assert key["kind"].value_counts().to_dict() == {"FF": 9, "MF": 5, "FM": 5, "MM": 1}


def test_a_scarce_label_makes_the_sample_smaller(draw, caplog):
    few = sentences()
    few = few[(few["label"] == "consistent") | few["word"].isin(["hard1*", "soft1*"])]
    _, key = draw([few], 20)
    assert key["label"].value_counts().to_dict() == {"consistent": 2, "contradictory": 2}
    assert "4 sentences can be drawn, not 20" in caplog.text


# Four sentences of each label, in order.
KEY = pd.DataFrame(
    {"id": list("abcdefgh"), "kind": ["MM", "FF"] * 2 + ["MF", "FM"] * 2, "word": "w", "text": "t"}
    | {"label": ["consistent"] * 4 + ["contradictory"] * 4, "set": "1", "sentence": "s", "gender": "feminine"}
)
NAMES = {"s": "consistent", "n": "contradictory", "-": ""}


@pytest.fixture
def agree(tmp_path):
    def run(*files):
        """Measure the agreement of annotators, given as a letter for each sentence."""
        KEY.to_csv(tmp_path / "key.csv", index=False)
        paths = []
        for number, labels in enumerate(files, start=1):
            paths.append(tmp_path / f"annotator {number}.csv")
            rows = [(id_, NAMES[label]) for id_, label in zip(KEY["id"], labels, strict=True)]
            pd.DataFrame(rows, columns=["id", "label"]).to_csv(paths[-1], index=False)
        return tuple(table.frame for table in measure_agreement([tmp_path / "key.csv"], paths, ["gaucher.a"]))

    return run


def test_kappa_is_that_worked_out_by_hand(agree):
    agreement, _, _ = agree("ssssnnnn", "sssnnnns")
    # Second: 6 of 8 agree, 0.5 by chance.
    assert agreement["cohen_kappa"].tolist() == pytest.approx([1, 0.5, 0.75])
    assert agreement["annotator"].tolist() == ["annotator 1", "annotator 2", "all annotators"]


def test_missing_labels_are_counted_and_left_out(agree):
    agreement, levels, _ = agree("sss-nnn-", "sssnnnn-")
    assert agreement["missing_labels"].tolist() == [2, 1, 3]
    assert agreement["labelled"].tolist() == [6, 7, 13]
    # Second: of 7, 6 agree; by chance (4/7 * 3/7 + 3/7 * 4/7) = 24/49.
    assert agreement["cohen_kappa"].tolist() == pytest.approx([1, (6 / 7 - 24 / 49) / (1 - 24 / 49), 0.86], abs=1e-6)
    assert dict(zip(levels["level"], levels["sentences"], strict=True)) == {
        "complete": 6, "partial": 0, "none": 1, "not labelled": 1,
    }  # fmt: skip


def test_levels_of_agreement_are_those_of_table_vi(agree):
    _, levels, listed = agree("ssssnnns", "ssnsnnns")
    assert levels[["level", "sentences", "MM", "FF", "MF", "FM"]].to_numpy().tolist() == [
        ["complete", 6, 1, 2, 2, 1], ["partial", 1, 1, 0, 0, 0], ["none", 1, 0, 0, 0, 1],
        ["not labelled", 0, 0, 0, 0, 0],
    ]  # fmt: skip
    assert listed["level"].tolist() == ["complete"] * 2 + ["partial"] + ["complete"] * 4 + ["none"]


def test_alpha_is_that_of_krippendorffs_example():
    # Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, A: two observers, binary data, alpha 0.095.
    first, second = "0100000001", "1110010000"
    names = {"0": "consistent", "1": "contradictory"}
    given = pd.DataFrame({"a": [names[x] for x in first], "b": [names[x] for x in second]}, dtype=object)
    assert krippendorff_alpha(given) == pytest.approx(0.095, abs=5e-4)


def test_alpha_needs_two_labels_of_a_sentence():
    one = pd.DataFrame({"a": ["consistent", math.nan], "b": [math.nan, "contradictory"]}, dtype=object)
    assert math.isnan(krippendorff_alpha(one))
    same = pd.DataFrame({"a": ["consistent"] * 2, "b": ["consistent"] * 2}, dtype=object)
    assert math.isnan(krippendorff_alpha(same))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["id,label", *(f"{id_},consistent" for id_ in "abcdefgz")], "line 9: id 'z' is no sentence of the sample"),
        (["id,label", "z,consistent"], "line 2: id 'z' is in none of the samples (gaucher.a)"),
        (["id,label", "a,consistent", "b,maybe"], "line 3: label 'maybe' is neither consistent nor contradictory"),
        (["id,label", "a,consistent", "a,consistent"], "line 3: id 'a' is a duplicate"),
        (["id,label", *(f"{id_},consistent" for id_ in "abcdef")], "has no row for 2 sentences of gaucher.a: g, h"),
        (["id,said", "a,consistent"], "needs the columns id and label"),
        (["id,label"], "has no rows"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, lines, said):
    KEY.to_csv(tmp_path / "key.csv", index=False)
    bad = tmp_path / "bad.csv"
    bad.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(InputError) as error:
        list(measure_agreement([tmp_path / "key.csv"], [bad], ["gaucher.a"]))
    assert f"{bad}" in str(error.value) and said in str(error.value)
