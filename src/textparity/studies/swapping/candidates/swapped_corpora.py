"""From reviewed candidates to a swapped corpus: rows, and BRAT files with the lines that they were made from."""

from collections import defaultdict
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import write_batches
from textparity.files import atomic_folder, write_rows
from textparity.report.tables import write_csv
from textparity.studies.swapping.brat import Entity, format_brat
from textparity.studies.swapping.candidates.candidate_files import PlacedCandidate, place_candidates
from textparity.studies.swapping.candidates.reviews import DISMISS, UNDECIDED, Review, read_review_file
from textparity.studies.swapping.corpus_names import TEST, TRAIN
from textparity.studies.swapping.entity_corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA, Document, read_documents
from textparity.studies.swapping.language.words import sentence_key
from textparity.studies.swapping.reanchoring import Lost, entities_of_line, reanchor

ENDING = "-swapped"
SPLIT_FILE = "dev-test-split.txt"
DISMISSED, UNCHANGED, SEVERAL_LINES, NOT_ANCHORED = "dismissed", "unchanged", "more than one line", "not anchored"
LEFT_OUT_COLUMNS = ("document", "line", "reason", "detail")
TOTAL = "total"
# The number of its line in the original, its text, its entities.
SwappedLine = tuple[int, str, list[Entity]]


def write_swapped_corpus(
    documents: Path,
    entities: Path,
    candidates: Path,
    reviews: Path,
    swapped_documents: Path,
    swapped_entities: Path,
    left_out: Path,
    folder: Path,
) -> None:
    """Write the accepted and corrected candidates as a corpus, with the entities of their originals.

    Documents are named as in the published corpus (`-swapped`), lines keep their order, documents their split.
    `left_out` lists the candidates that are dismissed, undecided or unchanged, and those with an entity that could not
    be anchored.
    """
    accepted: dict[str, list[SwappedLine]] = defaultdict(list)
    rows = []
    originals = read_documents(documents, entities)
    placed = list(place_candidates(candidates, originals))
    decided = read_review_file(reviews, [candidate.row for candidate in placed])
    for candidate in placed:
        key = candidate.row.key
        text, anchored, reason, detail = _anchor(candidate, decided.get(key))
        if reason:
            rows.append([*key, reason, detail])
        else:
            accepted[key[0]].append((key[1], text, anchored))
    corpus = [_join(document, accepted[document.document]) for document in originals if accepted[document.document]]
    cells = ("label", "start", "end", "text")
    document_rows = [{name: getattr(item, name) for name in DOCUMENT_SCHEMA.names} for item in corpus]
    entity_rows = [
        {"document": item.document, "entity": entity.id, **{name: getattr(entity, name) for name in cells}}
        for item in corpus
        for entity in item.entities
    ]
    write_batches(swapped_documents, DOCUMENT_SCHEMA, [document_rows])
    write_batches(swapped_entities, ENTITY_SCHEMA, [entity_rows])
    write_rows(left_out, LEFT_OUT_COLUMNS, rows)
    _write_brat(folder, corpus)


def measure_reanchoring(documents: list[Path], entities: list[Path], table: Path, differences: Path) -> None:
    """Re-anchor the original's entities in a published swapped corpus, and compare them with what is published there.

    `documents` and `entities` are those of the original and of the swapped corpus. `table` has by type: published,
    anchored, equal (type, start and end), not anchored, and equal in percent of published; `differences` lists every
    line where they are not equal. A line whose source is not in the original is one of them.
    """
    originals = {document.document: document for document in read_documents(documents[0], entities[0])}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    rows = []
    for document in read_documents(documents[1], entities[1]):
        original = originals[document.document.removesuffix(ENDING)]
        lines = [line for line in document.lines if document.text[slice(*line)].strip()]
        for (start, end), source in zip(lines, document.source_lines, strict=True):
            published = {(item.label, item.start, item.end) for item in entities_of_line(document.entities, start, end)}
            anchored: set[tuple[str, int, int]] = set()
            lost: list[Lost] = []
            if source < len(original.lines):
                first, last = original.lines[source]
                found, lost = reanchor(
                    original.text[first:last],
                    entities_of_line(original.entities, first, last),
                    document.text[start:end],
                )
                anchored = {(item.label, item.start, item.end) for item in found}
            for place, items in enumerate((published, anchored, published & anchored)):
                for label, _, _ in items:
                    counts[label][place] += 1
            for item in lost:
                counts[item.entity.label][3] += 1
            if published != anchored:
                reasons = [f"{item.entity.label} {item.entity.text}: {item.reason}" for item in lost]
                if source >= len(original.lines):
                    reasons = [f"the original has no line {source}"]
                texts = [
                    "; ".join(f"{label} {document.text[start + a : start + b]}" for label, a, b in sorted(items))
                    for items in (published - anchored, anchored - published)
                ]
                rows.append([document.document, source, *texts, "; ".join(reasons)])
    frame = pd.DataFrame(
        [[label, *counts[label]] for label in sorted(counts)],
        columns=["label", "published", "anchored", "equal", "not_anchored"],
    )
    frame = pd.concat([frame, pd.DataFrame([{"label": TOTAL, **frame.drop(columns="label").sum()}])])
    write_csv(frame.assign(equal_percent=100 * frame["equal"] / frame["published"]), table)
    write_rows(differences, ["document", "line", "published_only", "anchored_only", "reason"], rows)


def _anchor(candidate: PlacedCandidate, review: Review | None) -> tuple[str, list[Entity], str, str]:
    """Return a swapped line and its entities, or why it is left out, and which entity is to blame."""
    if review is None or review.decision == DISMISS:
        return "", [], UNDECIDED if review is None else DISMISSED, ""
    text = review.swapped.strip()
    if "\n" in text:
        return "", [], SEVERAL_LINES, ""
    if sentence_key(text) == sentence_key(candidate.original):
        return "", [], UNCHANGED, ""
    anchored, lost = reanchor(candidate.original, candidate.entities, text)
    if lost:
        detail = "; ".join(f"{item.entity.label} {item.entity.text}: {item.reason}" for item in lost)
        return "", [], NOT_ANCHORED, detail
    return text, anchored, "", ""


def _join(original: Document, lines: list[SwappedLine]) -> Document:
    lines = sorted(lines, key=lambda line: line[0])
    texts: list[str] = []
    entities: list[Entity] = []
    start = 0
    for _, text, anchored in lines:
        texts.append(text)
        entities += [
            Entity(f"T{len(entities) + place}", item.label, item.start + start, item.end + start, item.text)
            for place, item in enumerate(anchored, start=1)
        ]
        start += len(text) + 1
    source_lines = [line for line, *_ in lines]
    name = original.document + ENDING
    return Document(name, original.subcorpus, original.split, "\n".join(texts), source_lines, entities)


def _write_brat(folder: Path, corpus: list[Document]) -> None:
    with atomic_folder(folder) as part:
        for document in corpus:
            base = part / document.subcorpus / document.document
            base.parent.mkdir(exist_ok=True)
            contents = {
                ".txt": document.text,
                ".ann": format_brat(document.entities),
                ".meta": "".join(f"{line}\n" for line in document.source_lines),
            }
            for ending, content in contents.items():
                base.with_name(base.name + ending).write_text(content, encoding="utf-8")
        splits = {
            heading: [document.document for document in corpus if document.split == split]
            for heading, split in (("DEV", TRAIN), ("TEST", TEST))
        }
        lines = [line for heading, names in splits.items() for line in (heading, *names)]
        (part / SPLIT_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
