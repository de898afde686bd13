"""Scores of a recognizer on test sets, and which job titles it finds."""

import pandas as pd
import pytest

pytest.importorskip("spacy")

import ner_corpus
import spacy
from spacy.scorer import get_ner_prf
from spacy.tokens import Doc, Span
from spacy.training import Example

from textparity.corpora.reading import read_rows
from textparity_studies.swapping.ner_data import prepare_ner_data
from textparity_studies.swapping.ner_models import EntitySpan, entity_places, evaluate_ner, score_types
from textparity_studies.swapping.settings import ALL, MEASURES, TEST_SETS, WEIGHTED

pytestmark = pytest.mark.train

# Finds each лікар and кухар, and takes the word Старий for a job.
PATTERNS = [{"label": "JOB", "pattern": word} for word in ("лікар", "кухар", "Старий")]


def rows_by_label(gold, predicted):
    return {row[0]: row[1:] for row in score_types(gold, predicted)}


def places(*entities):
    return {EntitySpan(*entity) for entity in entities}


def test_an_entity_is_found_if_its_ends_and_its_label_are_right():
    gold = places((0, 0, 5, "JOB"), (0, 6, 9, "PERS"), (1, 0, 5, "JOB"))
    predicted = places((0, 0, 5, "JOB"), (0, 6, 9, "LOC"), (1, 0, 4, "JOB"))
    rows = rows_by_label(gold, predicted)
    assert rows["JOB"] == [0.5, 0.5, 0.5, 2, 2, 1]
    assert rows["PERS"] == [0.0, 0.0, 0.0, 1, 0, 0]
    assert rows["LOC"] == [0.0, 0.0, 0.0, 0, 1, 0]


def test_all_together_is_not_the_weighted_average():
    gold = places(*((n, 0, 1, "PERS") for n in range(3)), (0, 5, 6, "JOB"))
    predicted = places(*((n, 0, 1, "PERS") for n in range(3)), (0, 5, 7, "JOB"), (1, 5, 7, "JOB"))
    rows = rows_by_label(gold, predicted)
    assert rows[ALL][:2] == [3 / 5, 3 / 4]
    assert rows[WEIGHTED][:2] == [(3 * 1 + 1 * 0) / 4, 3 / 4]


def test_scores_are_those_of_spacys_scorer():
    nlp = spacy.blank("uk")
    marks = [  # gold and predicted: first word, after the last, label
        ([(0, 1, "JOB"), (2, 4, "PERS")], [(0, 1, "JOB"), (2, 3, "PERS")]),
        ([(1, 2, "LOC")], [(1, 2, "JOB")]),
        ([(0, 2, "JOB")], []),
        ([(0, 1, "PERS"), (3, 4, "JOB")], [(0, 1, "PERS"), (3, 4, "JOB"), (1, 2, "LOC")]),
    ]
    examples = []
    for kinds in marks:
        docs = []
        for entities in kinds:
            doc = Doc(nlp.vocab, words=["раз", "два", "три", "чотири"])
            doc.ents = [Span(doc, *entity) for entity in entities]
            docs.append(doc)
        examples.append(Example(docs[1], docs[0]))
    expected = get_ner_prf(examples)
    gold, predicted = (entity_places(getattr(item, side) for item in examples) for side in ("reference", "predicted"))
    rows = rows_by_label(gold, predicted)
    assert rows[ALL][:3] == pytest.approx([expected[f"ents_{letter}"] for letter in "prf"])
    for label, scores in expected["ents_per_type"].items():
        assert rows[label][:3] == pytest.approx([scores[letter] for letter in "prf"])


@pytest.fixture
def evaluated(tmp_path):
    """Evaluates a pipeline of rules on the corpus of our own, by either procedure."""

    def evaluate(procedure, patterns=PATTERNS):
        nlp = spacy.blank("uk")
        nlp.add_pipe("entity_ruler").add_patterns(patterns)
        nlp.to_disk(tmp_path / "model")
        files = [
            ner_corpus.write_corpus(tmp_path / name, texts)
            for name, texts in (("own", ner_corpus.TEXTS), ("other", ner_corpus.SWAPPED))
        ]
        tests = [tmp_path / procedure / f"{name}_test.spacy" for name in TEST_SETS]
        outputs = [tmp_path / procedure / name for name in ("spans.parquet", "data.csv", "scores.csv", "jobs.parquet")]
        prepare_ner_data(*zip(*files, strict=True), tests, *outputs[:2], procedure, 0.5, 1)
        evaluate_ner(tmp_path / "model", tests, outputs[0], *outputs[2:], procedure, "original", 1)
        return pd.read_csv(outputs[2]).set_index(["test_set", "label"]), read_rows(outputs[3]).to_pylist()

    return evaluate


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_each_test_set_is_scored(evaluated, procedure):
    scores, _ = evaluated(procedure)
    # In the test documents: директор, лікар, кухар, вчителька; with Старий, three are predicted and two are right.
    assert tuple(scores.loc[("original", "JOB")][[*MEASURES]]) == pytest.approx((2 / 3, 2 / 4, 4 / 7), abs=1e-6)
    assert tuple(scores.loc[("swapped", "JOB")][["support", "predicted", "true_positives"]]) == (1, 0, 0)
    assert tuple(scores.loc[("augmented", "JOB")][["support", "predicted", "true_positives"]]) == (5, 3, 2)


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_of_each_job_title_it_is_told_whether_it_was_found(evaluated, procedure):
    _, jobs = evaluated(procedure)
    found = {(row["test_set"], row["document"], row["text"]): row["found"] for row in jobs}
    assert len(found) == len(jobs) == 4 + 1 + 5
    for test_set in ("original", "augmented"):
        assert found[test_set, "c", "лікар"] and found[test_set, "d", "кухар"]
        assert not found[test_set, "c", "директор"] and not found[test_set, "d", "вчителька"]
    assert not found["augmented", "c-swapped", "директорка"]


def test_published_finds_job_titles_in_words_cut_anew(evaluated, monkeypatch):
    # With its quotation marks one word between white space, three for spaCy's tokenizer, which cuts the pattern too.
    monkeypatch.setitem(ner_corpus.TEXTS, "c", "Той [JOB:«кухар»] тут")
    for procedure, found in (("published", 0), ("corrected", 1)):
        scores, jobs = evaluated(procedure, [{"label": "JOB", "pattern": "«кухар»"}])
        assert scores.loc[("original", "JOB"), "true_positives"] == found
        assert [row["found"] for row in jobs if row["document"] == "c"] == [True, True]
