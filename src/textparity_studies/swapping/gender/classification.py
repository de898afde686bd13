"""Classify the gender of each title and name of a corpus, by every procedure (Nahurna and Romanyshyn 2025, §4.1.1)."""

import re
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import write_batches
from textparity.persons.ukrainian.genders import CorrectedJobs, CorrectedNames
from textparity.persons.ukrainian.syntax import Parser, load_parser
from textparity.persons.ukrainian.word_lists import GenderLists, load_gender_lists
from textparity_studies.swapping.entity_corpora import Document, Entity, read_documents
from textparity_studies.swapping.gender.published import (
    GenderExceptions,
    PublishedJobs,
    PublishedNames,
    load_gender_exceptions,
)
from textparity_studies.swapping.names import CORRECTED, GENDER_COLUMNS, JOB, LABELS, PUBLISHED, WITH_EXCEPTIONS

SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("subcorpus", pa.string()),
        ("entity", pa.string()),
        ("label", pa.string()),
        ("text", pa.string()),
        # The line of the text, from 0.
        ("line", pa.int32()),
        # True if its line has a title; in the second column, if the authors' search finds one there.
        ("beside_job", pa.bool_()),
        ("beside_job_published", pa.bool_()),
        *((column, pa.string()) for column in GENDER_COLUMNS.values()),
        # The source of lemma and head.
        ("method", pa.string()),
    ]
)


class GenderClassifier:
    """Classify by every procedure at once; the exceptions concern titles, so they do not change the gender of names."""

    def __init__(self, lists: GenderLists, exceptions: GenderExceptions, parser: Parser) -> None:
        self.method = parser.method
        names = PublishedNames(lists, parser)
        self._jobs = {
            PUBLISHED: PublishedJobs(lists, parser),
            WITH_EXCEPTIONS: PublishedJobs(lists, parser, exceptions),
            CORRECTED: CorrectedJobs(lists, parser),
        }
        self._names = {PUBLISHED: names, WITH_EXCEPTIONS: names, CORRECTED: CorrectedNames(lists)}
        self.genders = lru_cache(maxsize=None)(self._genders)

    def _genders(self, label: str, text: str) -> dict[str, str]:
        """Classify the gender by each procedure."""
        classifiers: dict[str, Any] = {**(self._jobs if label == JOB else self._names)}
        return {procedure: classifier.gender(text) for procedure, classifier in classifiers.items()}


def load_classifier(stanza_folder: str, exceptions: Path, **word_lists: Path) -> GenderClassifier:
    """Read the lists and load Stanza, or its substitute (see `syntax`)."""
    lists = load_gender_lists(**word_lists)
    return GenderClassifier(lists, load_gender_exceptions(exceptions), load_parser(stanza_folder))


def classify_entities(documents: Path, entities: Path, genders: Path, stanza_folder: str, **gender_lists: Path) -> None:
    """Write the gender of each title and name of a corpus, by procedure, in the order of `entities`."""
    classifier = load_classifier(stanza_folder, **gender_lists)
    found = [row for document in read_documents(documents, entities) for row in _rows(document, classifier)]
    write_batches(genders, SCHEMA, [found])


def _rows(document: Document, classifier: GenderClassifier) -> list[dict[str, object]]:
    starts = [start for start, _ in document.lines]
    lines = {entity.id: bisect_right(starts, entity.start) - 1 for entity in document.entities}
    jobs = [entity for entity in document.entities if entity.label == JOB]
    with_job = {lines[job.id] for job in jobs}
    with_job_published = {lines[job.id] for job in jobs if _is_found(job, document, lines[job.id])}
    return [
        {
            "document": document.document,
            "subcorpus": document.subcorpus,
            "entity": entity.id,
            "label": entity.label,
            "text": entity.text,
            "line": lines[entity.id],
            "beside_job": lines[entity.id] in with_job,
            "beside_job_published": lines[entity.id] in with_job_published,
            "method": classifier.method,
        }
        | {
            GENDER_COLUMNS[procedure]: gender
            for procedure, gender in classifier.genders(entity.label, entity.text).items()
        }
        for entity in document.entities
        if entity.label in LABELS
    ]


def _is_found(job: Entity, document: Document, line: int) -> bool:
    """Check that the title occurs in its line between word boundaries.

    The authors' 1,513 lines are those with such a title. An underscore beside it (_заступником_), a quotation mark at
    its end, or a title that continues on the next line prevents this.
    """
    start, end = document.lines[line]
    return re.search(rf"\b{re.escape(job.text)}\b", document.text[start:end]) is not None
