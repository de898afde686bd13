import csv
import json

import pandas as pd
import pytest

from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Caption
from textparity_studies.stereotypes.classification import GenderWords, read_human_sentences
from textparity_studies.stereotypes.tables import tabulate_human_scores


@pytest.fixture
def word_lists(tmp_path):
    nouns = {
        "feminine": [{"singular": "mother", "plural": "mothers"}],
        "masculine": [{"singular": "father", "plural": "fathers"}],
        "unspecified": [{"singular": "parent", "plural": "parents"}],
    }
    (tmp_path / "nouns.json").write_text(json.dumps(nouns), "utf-8")
    (tmp_path / "words.tsv").write_text("word\tgender\nshe\tfeminine\nher\tfeminine\nhe\tmasculine\n", "utf-8")
    return tmp_path / "nouns.json", tmp_path / "words.tsv"


@pytest.mark.parametrize(
    ("first", "second", "genders"),
    [
        ("My mother mends cars.", "My father mends cars.", ("feminine", "masculine")),
        ("The mothers' car", "The fathers' car", ("feminine", "masculine")),
        # What both sentences have does not count where they differ in another person.
        ("He said that she was late.", "He said that he was late.", ("feminine", "masculine")),
        # Without a word in what differs, all words tell.
        ("She bakes well.", "She welds well.", ("feminine", "feminine")),
        ("Susan is late.", "Robert is late.", ("feminine", "masculine")),
        # A pronoun goes before a name.
        ("Susan said he was late.", "Susan said she was late.", ("masculine", "feminine")),
        ("He told her.", "She told him.", ("undetermined", "feminine")),
        ("The parents came.", "The doctors came.", ("undetermined", "undetermined")),
    ],
)
def test_the_gender_is_that_of_the_words_that_differ(word_lists, first, second, genders):
    assert GenderWords(*word_lists).genders_of_pair(first, second) == genders


PAIR = {"sent_more": "She is late.", "sent_less": "He is late.", "stereo_antistereo": "stereo", "bias_type": "gender"}


@pytest.fixture
def read(tmp_path, word_lists):
    def run(*rows):
        source = tmp_path / "pairs.csv"
        with source.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["sent_more", "sent_less", "stereo_antistereo", "bias_type"])
            writer.writeheader()
            writer.writerows(rows)
        return read_human_sentences(source, *word_lists)

    return run


def test_the_more_stereotypical_sentence_is_the_consistent_one_in_either_direction(read):
    against = {"sent_more": "He was mayor.", "sent_less": "She was mayor.", "stereo_antistereo": "antistereo"}
    found = read(PAIR | {"bias_type": "age"}, PAIR, PAIR | against)
    assert found[["pair", "direction", "label", "gender", "text"]].to_numpy().tolist() == [
        ["0001", "stereo", "consistent", "feminine", "She is late."],
        ["0001", "stereo", "contradictory", "masculine", "He is late."],
        ["0002", "antistereo", "consistent", "masculine", "He was mayor."],
        ["0002", "antistereo", "contradictory", "feminine", "She was mayor."],
    ]
    assert found["id"].is_unique


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (PAIR | {"stereo_antistereo": "both"}, "pair 0: stereo_antistereo 'both' is neither stereo nor antistereo"),
        (PAIR | {"bias_type": "age"}, "no pair has the bias_type gender"),
    ],
)
def test_a_bad_file_of_pairs_is_named(read, row, said):
    with pytest.raises(InputError) as error:
        read(row)
    assert said in str(error.value)


def test_the_table_counts_persons_and_has_intervals_over_pairs(tmp_path):
    predictions, empty = tmp_path / "p.csv", tmp_path / "empty.csv"
    rows = []
    for pair in range(12):
        # One of a pair is right, the other wrong, as for a classifier that sees no difference.
        gender = "undetermined" if pair == 0 else "feminine"
        rows.append([f"{pair}.a", pair, 0, "consistent", "consistent", gender, 0.6])
        rows.append([f"{pair}.b", pair, 0, "contradictory", "consistent", "masculine", 0.6])
    frame = pd.DataFrame(rows, columns=["id", "group", "fold", "label", "predicted", "gender", "probability"])
    frame.to_csv(predictions, index=False)
    frame.iloc[:0].to_csv(empty, index=False)
    experiments = [["CrowS-Pairs", "words"], ["gaucher, a", "words"]]
    table = tabulate_human_scores([predictions, empty], experiments, Bootstrap(1, 200, 0.95))
    first, second = table.frame.to_dict("records")
    assert [first[name] for name in ("sentences", "masculine", "feminine", "undetermined")] == [24, 12, 11, 1]
    # Whatever pairs are drawn, half of the sentences are right.
    assert [first[f"accuracy_percent{ending}"] for ending in ("", "_low", "_high")] == [50, 50, 50]
    assert second["sentences"] == 0 and pd.isna(second["accuracy_percent"])
    latex = table.to_latex(Caption("Pairs", "Scores."), "tab:pairs")
    assert "50.0 (50.0–50.0)" in latex and r"Pairs (95\% intervals). Scores." in latex
