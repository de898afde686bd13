"""Score a trained recognizer on the entities of the test sets (Nahurna 2025, §4.2.3, Tables 5, 6 and 11).

An entity is found if its first and last character and its label are right. The paper's row «weighted average» is
spaCy's score over all entities together. We call it `all`, and use `weighted average` for the mean over types weighted
by their number.

`published` finds the job titles of Table 6 differently from those of Table 11, as the authors' notebook does: spaCy's
tokenizer splits the sentence again.
"""

import logging
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Corpus, Example

from textparity.corpora.rows import read_rows, write_batches
from textparity.tables import write_csv
from textparity_studies.swapping.names import ALL, JOB, MEASURES, RUN, TEST_SETS, WEIGHTED

log = logging.getLogger(__name__)

JOB_SCHEMA = pa.schema(
    [
        ("procedure", pa.string()),
        ("data", pa.string()),
        ("seed", pa.int64()),
        ("test_set", pa.string()),
        ("document", pa.string()),
        ("entity", pa.string()),
        ("text", pa.string()),
        ("found", pa.bool_()),
    ]
)


class Place(NamedTuple):
    """Hold the place of an entity: its sentence in the test set, its first character, the end, and its label."""

    sentence: int
    start: int
    end: int
    label: str


def evaluate_ner(
    model: Path, tests: list[Path], spans: Path, scores: Path, jobs: Path, procedure: str, data: str, seed: int
) -> None:
    """Write precision, recall and F1 by test set and type, and whether each job title was found.

    `tests` are the files of `TEST_SETS`, in order; `spans` lists the corpus' entities in them. `procedure`, `data` and
    `seed` identify the training.
    """
    nlp = spacy.load(model)
    identities = read_rows(spans, filters=[("label", "==", JOB)]).to_pandas().groupby("test_set")
    score_rows, job_rows = [], []
    for test_set, path in zip(TEST_SETS, tests, strict=True):
        examples = list(Corpus(path)(nlp))
        gold = entity_places(example.reference for example in examples)
        predicted = entity_places(nlp.pipe(example.predicted for example in examples))
        score_rows += [[test_set, *row] for row in score_types(gold, predicted)]
        found = _places_in_text(nlp, examples) if procedure == "published" else predicted
        for row in identities.get_group(test_set).itertuples() if test_set in identities.groups else ():
            title = examples[row.sentence].reference[row.start : row.end]
            place = Place(row.sentence, title.start_char, title.end_char, JOB)
            job_rows.append([test_set, row.document, row.entity, title.text, place in found])
        log.info("%s: %d of %d entities found", test_set, len(gold & predicted), len(gold))
    columns = ["test_set", "label", *MEASURES, "support", "predicted", "true_positives"]
    run = (procedure, data, seed)
    table = pd.DataFrame(score_rows, columns=columns)
    write_csv(table.assign(**dict(zip(RUN, run, strict=True)))[[*RUN, *columns]], scores)
    write_batches(jobs, JOB_SCHEMA, [[dict(zip(JOB_SCHEMA.names, [*run, *row], strict=True)) for row in job_rows]])


def entity_places(docs: Iterable[Doc]) -> set[Place]:
    """Collect the places of the entities of sentences."""
    return {
        Place(sentence, entity.start_char, entity.end_char, entity.label_)
        for sentence, doc in enumerate(docs)
        for entity in doc.ents
    }


def score_types(gold: set[Place], predicted: set[Place]) -> list[list[Any]]:
    """Compute label, precision, recall, F1 and the numbers of gold, predicted and correctly predicted entities.

    There is a row for each type of gold or predicted entities, one for all together, and one for the mean weighted by
    gold entities. As in spaCy, precision is 0 if nothing is predicted, and recall is 0 if there is nothing to find.
    """
    counts = [Counter(place.label for place in places) for places in (gold, predicted, gold & predicted)]
    labels = sorted(set().union(*counts))
    rows = [_scored(label, *(count[label] for count in counts)) for label in labels]
    total = _scored(ALL, *(count.total() for count in counts))
    support = total[4] or 1
    weighted = [sum(row[place] * row[4] for row in rows) / support for place in (1, 2, 3)]
    return [*rows, total, [WEIGHTED, *weighted, *total[4:]]]


def _scored(label: str, support: int, predicted: int, true_positives: int) -> list[Any]:
    precision = true_positives / predicted if predicted else 0.0
    recall = true_positives / support if support else 0.0
    # The harmonic mean of precision and recall.
    f1 = 2 * true_positives / (support + predicted) if support + predicted else 0.0
    return [label, precision, recall, f1, support, predicted, true_positives]


def _places_in_text(nlp: Language, examples: list[Example]) -> set[Place]:
    return entity_places(nlp.pipe(example.reference.text for example in examples))
