import numpy as np
import pandas as pd
import pytest
from generated_sentences import sentence, sentences

from textparity_studies.stereotypes.classification import (
    group_sentences,
    hold_out,
    split_corrected,
    split_published,
    too_few,
)


def parts_of(frame):
    return (
        (frame["label"] == "consistent").to_numpy(),
        group_sentences(frame["word"].tolist(), frame["text"].tolist()),
        [frozenset(words.split()) for words in frame["words"]],
    )


@pytest.fixture
def linked():
    """All kinds of twelve words, and sentences that have a second word."""
    others = [
        sentence("feminine", "masculine", 0, ["soft3*"]) | {"id": "a"},
        sentence("masculine", "feminine", 4, ["hard5*"]) | {"id": "b"},
    ]
    return pd.concat([sentences(), pd.DataFrame(others)], ignore_index=True)


def test_published_folds_are_stratified_and_hold_out_a_fifth():
    labels, _, _ = parts_of(sentences())
    splits = split_published(labels, 1, "x")
    assert [len(split.test) for split in splits] == [10, 10, 10, 9, 9]
    for split in splits:
        assert abs(labels[split.test].sum() - len(split.test) / 2) <= 1
        assert len(split.validation) == 8
        assert labels[split.validation].sum() == 4
        assert sorted([*split.training, *split.validation, *split.test]) == list(range(48))
    assert sorted(np.concatenate([split.test for split in splits])) == list(range(48))


def test_published_folds_have_words_on_both_sides():
    frame = sentences()
    labels, _, _ = parts_of(frame)
    assert any(
        set(frame["word"].iloc[split.training]) & set(frame["word"].iloc[split.test])
        for split in split_published(labels, 1, "x")
    )


def test_no_word_and_no_sentence_leaks_between_corrected_parts(linked):
    labels, groups, words = parts_of(linked)
    splits = split_corrected(labels, groups, words, 1, "x")
    assert sorted(np.concatenate([split.test for split in splits])) == list(range(len(linked)))
    for split in splits:
        parts = [split.training, split.validation, split.test]
        # The validation part may share a second word with nothing it is used against.
        for one, other in ((0, 1), (0, 2), (1, 2)):
            found = [set().union(*(words[place] for place in parts[side])) for side in (one, other)]
            assert not found[0] & found[1]
            assert not set(parts[one]) & set(parts[other])
            assert not set(groups[parts[one]]) & set(groups[parts[other]])


def test_what_shares_a_second_word_with_the_test_part_is_left_out_and_counted(linked):
    labels, groups, words = parts_of(linked)
    splits = split_corrected(labels, groups, words, 1, "x")
    used = [len(split.training) + len(split.validation) + len(split.test) for split in splits]
    assert [split.left_out for split in splits] == [len(linked) - number for number in used]
    assert sum(split.left_out for split in splits) > 0
    no_links = sentences()
    labels, groups, words = parts_of(no_links)
    assert all(split.left_out == 0 for split in split_corrected(labels, groups, words, 1, "x"))


def test_near_copies_of_different_words_are_one_group():
    long = "in the early morning of a cold day walked along the river to the old mill and back again with a friend"
    texts = [f"A kind person {long}.", f"A bold person {long}.", "Nothing like the others is said in this one."]
    assert len(set(group_sentences(["kind", "bold", "mild"], texts))) == 2
    groups = group_sentences(["kind", "bold", "bold"], texts)
    assert set(groups) == {0}


def test_folds_follow_from_seed_and_name():
    labels, groups, words = parts_of(sentences())

    def tests(seed, name):
        return [split.test.tolist() for split in split_corrected(labels, groups, words, seed, name)]

    assert tests(1, "x") == tests(1, "x")
    assert tests(1, "x") != tests(2, "x")
    assert tests(1, "x") != tests(1, "y")


def test_held_out_parts_are_four_to_one_and_grouped():
    labels, groups, words = parts_of(sentences())
    training, validation, left_out = hold_out(np.arange(48), labels, groups, words, 1, "x")
    assert (len(training) + len(validation), left_out) == (48, 0)
    assert 8 <= len(validation) <= 12
    assert not set(groups[training]) & set(groups[validation])


@pytest.mark.parametrize(
    ("counts", "procedure", "reason"),
    [
        ((5, 5), "published", ""),
        ((4, 9), "published", "4 sentences are consistent; 5 folds need 5"),
        ((9, 0), "published", "0 sentences are contradictory; 5 folds need 5"),
        ((9, 9), "corrected", "1 groups of sentences are consistent; 5 folds need 5"),
    ],
)
def test_too_few_sentences_are_told(counts, procedure, reason):
    labels = np.repeat([True, False], counts)
    groups = np.where(labels, 0, np.arange(len(labels)))
    assert too_few(labels, groups, procedure) == reason
