import pandas as pd
import pytest
from generated_sentences import all_sentences, human_sentences, sentence, sentences

from textparity.errors import InputError
from textparity_studies.stereotypes.classification import (
    ClassificationJob,
    classify_across,
    classify_by_folds,
    classify_within,
)

WORDS = {"name": "words", "kind": "tfidf", "model": "", "grid": {"c": [1.0], "ngrams": [1]}}


@pytest.fixture
def classify(tmp_path):
    """Classify a set of sentences; return predictions and folds."""

    def run(frame, procedure="corrected", classifier=WORDS, seed=1):
        source, predictions, folds = (tmp_path / f"{name}.csv" for name in ("sentences", "predictions", "folds"))
        frame.to_csv(source, index=False)
        classify_by_folds(source, procedure, "x", ClassificationJob(classifier, seed, predictions, folds))
        return pd.read_csv(predictions), pd.read_csv(folds)

    return run


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_each_sentence_is_classified_once_by_the_fold_that_tests_it(classify, procedure):
    predictions, folds = classify(all_sentences(), procedure)
    made = sentences().set_index("id").loc[predictions["id"]]
    assert predictions["id"].tolist() == sorted(sentences()["id"])
    assert predictions["label"].tolist() == made["label"].tolist()
    assert predictions["gender"].tolist() == made["gender"].tolist()
    assert predictions["fold"].value_counts().sort_index().tolist() == folds["test"].tolist()
    assert ((predictions["probability"] >= 0.5) == (predictions["predicted"] == "consistent")).all()
    assert folds["chosen"].tolist() == ['{"c": 1.0, "ngrams": 1}'] * 5


def test_a_word_that_stands_for_both_labels_misleads_the_published_folds(classify):
    # Each word is left in training with the other label alone, once its own sentence is tested.
    frame = all_sentences()
    frame["text"] = [f"{row.gender} {row.word} {row.word}" for row in frame.itertuples()]
    published, _ = classify(frame, "published")
    assert (published["label"] == published["predicted"]).mean() < 0.2


def test_published_takes_the_first_attempt_unchecked_and_corrected_what_passes(classify):
    frame = all_sentences()
    frame.loc[0, ["word", "words", "reasons"]] = ["", "", "no word asked for"]
    frame.loc[1, "attempt"] = 2
    published, _ = classify(frame, "published")
    assert set(frame["id"]) - set(published["id"]) == {frame.loc[1, "id"]}
    assert published.set_index("id").loc[frame.loc[0, "id"], "group"] == frame.loc[0, "id"]
    with pytest.raises(InputError, match="word '' is not among words ''"):
        classify(frame, "corrected")


def test_predictions_do_not_depend_on_the_order_of_the_file(classify):
    first, again = (classify(frame, "published")[0] for frame in (all_sentences(), all_sentences().iloc[::-1]))
    assert first.equals(again)


def test_classifiers_get_the_same_folds(classify):
    majority = {"name": "majority", "kind": "majority", "model": "", "grid": {}}
    assert classify(sentences())[0]["fold"].equals(classify(sentences(), classifier=majority)[0]["fold"])


def test_sentences_that_are_too_few_are_not_classified_and_the_reason_is_kept(classify):
    predictions, folds = classify(sentences(range(2)))
    assert predictions.empty
    assert "2 groups of sentences are consistent; 5 folds need 5" in folds["reason"].item()


def test_a_set_without_any_sentence_is_not_classified(classify):
    predictions, folds = classify(all_sentences().iloc[:0], "published")
    assert predictions.empty
    assert "0 sentences are consistent" in folds["reason"].item()


def test_sentences_linked_by_one_word_leave_nothing_to_learn_from(classify):
    every = sentences()
    every["words"] += " shared*"
    predictions, folds = classify(every)
    assert predictions.empty
    assert (
        folds["reason"].tolist()
        == ["too few sentences are left for training: others share a word with the test part"] * 5
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "MM"}, "line 2: kind 'MM' is not consistent and about a feminine person"),
        ({"label": "stereotype"}, "line 2: label 'stereotype'"),
        ({"gender": "woman"}, "line 2: gender 'woman'"),
        ({"words": "hard1*"}, "line 2: word 'soft0*' is not among words 'hard1*'"),
    ],
)
def test_a_bad_row_is_named(classify, change, said):
    frame = pd.DataFrame([sentence("feminine", "feminine", 0) | change])
    with pytest.raises(InputError) as error:
        classify(frame)
    assert said in str(error.value)


def test_both_sentences_of_a_pair_are_in_one_fold(tmp_path):
    job = ClassificationJob(WORDS, 1, tmp_path / "predictions.csv", tmp_path / "folds.csv")
    classify_within(human_sentences(), job)
    predictions = pd.read_csv(tmp_path / "predictions.csv", dtype=str)
    assert len(predictions) == 24
    assert (predictions.groupby("group")["fold"].nunique() == 1).all()
    assert (predictions.groupby(predictions["id"].str[:4])["fold"].nunique() == 1).all()


def test_what_is_learnt_from_one_text_is_asked_of_the_other(tmp_path):
    learnt, predictions, folds = (tmp_path / f"{name}.csv" for name in ("learnt", "predictions", "folds"))
    # In what is learnt from, the late are consistent; among those asked about, the feminine of even pairs are.
    frame = sentences()
    frame["text"] += frame["label"].map({"consistent": " late", "contradictory": " early"})
    frame.to_csv(learnt, index=False)
    classify_across([learnt], human_sentences(), "x", ClassificationJob(WORDS, 1, predictions, folds))
    found = pd.read_csv(predictions, dtype=str)
    even = found["id"].str[:4].astype(int) % 2 == 0
    assert len(found) == 24
    assert (found["predicted"][even] == "consistent").all()
    assert (found["predicted"][~even] == "contradictory").all()
    assert set(found["group"]) == set(human_sentences()["pair"])
    assert pd.read_csv(folds)["test"].tolist() == [24]
