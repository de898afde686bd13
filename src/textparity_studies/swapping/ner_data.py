"""Convert annotated documents to spaCy's training data, by the paper's conversion and by ours (Nahurna 2025, §4.2).

`published` is the conversion of NER-UK's scripts to IOB, on which the paper's models were trained and tested. Words are
separated by white space, and an entity is cut out of them: «директор,» stays one word, unless an entity ends before its
comma. The words of the test sets thus reveal where entities begin and end. White space beside an entity is lost,
including line ends, and documents follow each other without a break, so that sentences merge. Part of the training
documents is the dev set, and the swapped copy of a document may be on the other side.

`corrected` has one sentence per line, tokenized by spaCy's Ukrainian tokenizer alone. An entity that begins or ends
inside a word takes the whole word. Lines are joined if an entity continues, because the sentence splitter mistook the
full stop of an abbreviation for an end. A swapped document is in the same part as its source, and all models have the
same dev documents.

`duplicated` is the control for more data. It is the balanced data with each swapped sentence replaced by its source: as
many sentences of the same documents, in the same dev sets, but none swapped.

Both keep the outer one of overlapping entities, because spaCy's recognizer has one label per word.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab

from textparity.corpora.reading import write_batches
from textparity.errors import InputError
from textparity.estimating.seeds import random_generator
from textparity.files import atomic_path
from textparity.tables import write_csv
from textparity_studies.swapping.corpora import Entity, EntityDocument, read_documents
from textparity_studies.swapping.settings import BALANCED, DEV, DUPLICATED, ENDING, ORIGINAL, SWAPPED, TEST, TRAIN

log = logging.getLogger(__name__)

COUNTS = (
    "documents", "sentences", "words", "entities", "kept", "nested", "crossing_line", "inside_word", "collided",
)  # fmt: skip
SPAN_SCHEMA = pa.schema(
    [
        ("test_set", pa.string()),
        # The sentence's place in the test set's file, and then words of the sentence, all from 0.
        *((name, pa.int32()) for name in ("sentence", "start", "end")),
        *((name, pa.string()) for name in ("label", "document", "entity")),
    ]
)


@dataclass(frozen=True)
class Marked:
    """Mark an entity of the corpus in a sentence, from word `start` to before word `end`."""

    start: int
    end: int
    label: str
    document: str
    entity: str


@dataclass
class NerSentence:
    """Hold a sentence for spaCy: by its words, or by a tokenized `doc`."""

    words: list[str] = field(default_factory=list)
    marked: list[Marked] = field(default_factory=list)
    doc: Doc | None = None


def prepare_ner_data(
    documents: list[Path],
    entities: list[Path],
    corpora: list[Path],
    spans: Path,
    counts: Path,
    procedure: str,
    dev_share: float,
    seed: int,
) -> None:
    """Write training, dev and test sets for spaCy, the entities of the test sets, and counts of what was excluded.

    `documents` and `entities` are those of the original corpus and of its swapped sentences. Each of `corpora` is named
    `{data}_{split}.spacy`. Raises `InputError` for a swapped document without a source, for one without source lines if
    `duplicated` data are requested, and if there is no document to train on.
    """
    original, swapped = map(read_documents, documents, entities)
    _check_sources(original, swapped, documents[1])
    vocab = spacy.blank("uk").vocab
    count_rows, span_rows = [], []
    for path in corpora:
        data, split = path.stem.rsplit("_", 1)
        if data == DUPLICATED:
            chosen = [*original, *unswapped(original, swapped, documents[1])]
        else:
            chosen = {ORIGINAL: original, SWAPPED: swapped}.get(data, [*original, *swapped])
        chosen = sorted(_of_split(chosen, split, procedure, dev_share, seed, data), key=lambda item: item.document)
        if not chosen:
            raise InputError(
                f"{documents[0]}: no document is left for {data} {split}; change swapping.recognition.dev_share"
            )
        found: Counter[str] = Counter(documents=len(chosen))
        sentences = list((published_sentences if procedure == "published" else corrected_sentences)(chosen, found))
        _write_corpus(sentences, path, vocab)
        count_rows.append([data, split, *(found[name] for name in COUNTS)])
        if split == TEST:
            span_rows += [
                {"test_set": data, "sentence": place, **vars(marked)}
                for place, sentence in enumerate(sentences)
                for marked in sentence.marked
            ]
        log.info("%s %s: %d sentences, %d entities", data, split, found["sentences"], found["kept"])
    write_batches(spans, SPAN_SCHEMA, [span_rows])
    write_csv(pd.DataFrame(count_rows, columns=["data", "split", *COUNTS]), counts)


def source_document(document: str) -> str:
    """Name the document of the original corpus that a document is, or from which it is swapped."""
    return document.removesuffix(ENDING)


def unswapped(original: list[EntityDocument], swapped: list[EntityDocument], path: Path) -> list[EntityDocument]:
    """Replace the swapped sentences of documents by their sources; a line that is not in the source is dropped.

    Raises `InputError` with the `path` of the swapped documents for one without source lines.
    """
    sources = {document.document: document for document in original}
    found = []
    for document in swapped:
        source = sources[source_document(document.document)]
        if not document.source_lines and document.text.strip():
            raise InputError(
                f"{path}: {document.document} does not name the lines it was swapped from; take {DUPLICATED} out of "
                "swapping.recognition.data"
            )
        text, entities = "", []
        for line, found_there in (source.line(line) for line in document.source_lines if line < len(source.lines)):
            entities += [entity.moved(len(text)) for entity in found_there]
            text += line + "\n"
        found.append(replace(document, text=text, entities=entities))
    return found


def outer_entities(entities: Iterable[Entity]) -> list[Entity]:
    """Keep the entities that overlap no earlier or longer one, in the order of the text."""
    kept: list[Entity] = []
    for entity in sorted(entities, key=lambda item: (item.start, -item.end)):
        if not kept or entity.start >= kept[-1].end:
            kept.append(entity)
    return kept


def published_sentences(documents: Iterable[EntityDocument], counts: Counter[str]) -> Iterator[NerSentence]:
    """Iterate over the sentences that the paper's conversion to IOB makes; see the top of this module."""
    current = NerSentence()
    for document in documents:
        end, text = 0, document.text
        for entity in [*_count_outer(document, counts), None]:
            between = text[end : entity.start if entity else None]
            # A text's last character is lost if only that character follows an entity.
            for number, words in enumerate(_stretches(between if entity or len(between) > 1 else "")):
                if number:
                    yield from _finished(current, counts)
                    current = NerSentence()
                current.words += words
            if entity is None:
                continue
            start, words = len(current.words), entity.text.split()
            current.words += words
            place = (start, start + len(words))
            current.marked.append(Marked(*place, entity.label, document.document, entity.id))
            end = entity.end
            around = text[max(entity.start - 1, 0) : entity.start] + text[end : end + 1]
            counts["inside_word"] += any(not character.isspace() for character in around)
            counts["crossing_line"] += "\n" in entity.text
    yield from _finished(current, counts)


def corrected_sentences(documents: Iterable[EntityDocument], counts: Counter[str]) -> Iterator[NerSentence]:
    """Iterate over sentences: one per line of documents, or several joined lines if an entity crosses their end."""
    tokenizer = spacy.blank("uk").make_doc
    for document in documents:
        entities = _count_outer(document, counts)
        for start, end in _joined_lines(document, entities, counts):
            doc = tokenizer(document.text[start:end].replace("\n", " "))
            marked: list[Marked] = []
            for entity in entities:
                if not start <= entity.start < end:
                    continue
                blank = len(entity.text) - len(entity.text.lstrip())
                place = (entity.start + blank - start, entity.start + len(entity.text.rstrip()) - start)
                span = doc.char_span(*place, alignment_mode="expand")
                counts["inside_word"] += (span.start_char, span.end_char) != place
                if marked and span.start < marked[-1].end:
                    counts["collided"] += 1
                else:
                    marked.append(Marked(span.start, span.end, entity.label, document.document, entity.id))
            yield from _finished(NerSentence([token.text for token in doc], marked, doc), counts)


def _check_sources(original: list[EntityDocument], swapped: list[EntityDocument], path: Path) -> None:
    splits = {document.document: document.split for document in original}
    for document in swapped:
        source = source_document(document.document)
        if source == document.document or splits.get(source) != document.split:
            raise InputError(
                f"{path}: {document.document} ({document.split}) must be named as a {document.split} document of "
                f"the original corpus, with {ENDING}; rename it, or correct the split"
            )


def _of_split(
    documents: list[EntityDocument], split: str, procedure: str, dev_share: float, seed: int, data: str
) -> list[EntityDocument]:
    if split == TEST:
        return [document for document in documents if document.split == TEST]
    documents = [document for document in documents if document.split == TRAIN]
    # The paper draws from the files of each model's training data; we draw from the documents of the original corpus.
    unit = str if procedure == "published" else source_document
    units = sorted({unit(document.document) for document in documents})
    drawn_for = BALANCED if data == DUPLICATED else data
    draw = random_generator(seed, "dev", procedure, drawn_for if procedure == "published" else "")
    dev = set(draw.permutation(units)[: round(len(units) * dev_share)])
    return [document for document in documents if (unit(document.document) in dev) == (split == DEV)]


def _count_outer(document: EntityDocument, counts: Counter[str]) -> list[Entity]:
    outer = outer_entities(document.entities)
    counts["entities"] += len(document.entities)
    counts["nested"] += len(document.entities) - len(outer)
    return outer


def _stretches(text: str) -> list[list[str]]:
    """Split a text between entities into sentences of words; a line end or two white spaces end a sentence."""
    return [part.split() for part in re.split(r"\n|\s{2,}", text.strip())]


def _joined_lines(document: EntityDocument, entities: list[Entity], counts: Counter[str]) -> Iterator[tuple[int, int]]:
    crossing = [(entity.start, entity.end) for entity in entities if "\n" in entity.text.strip()]
    counts["crossing_line"] += len(crossing)
    first: int | None = None
    for start, end in document.lines:
        first = start if first is None else first
        if any(began < end < finished for began, finished in crossing):
            continue
        if document.text[first:end].strip():
            yield first, end
        first = None


def _finished(sentence: NerSentence, counts: Counter[str]) -> Iterator[NerSentence]:
    if sentence.words:
        counts["sentences"] += 1
        counts["words"] += len(sentence.words)
        counts["kept"] += len(sentence.marked)
        yield sentence


def _write_corpus(sentences: list[NerSentence], path: Path, vocab: Vocab) -> None:
    corpus = DocBin(attrs=["ENT_IOB", "ENT_TYPE"])
    for sentence in sentences:
        # Without `spaces`, spaCy trains and tests on these words unchanged, not on those of its tokenizer.
        doc = sentence.doc if sentence.doc is not None else Doc(vocab, words=sentence.words)
        doc.ents = [Span(doc, marked.start, marked.end, marked.label) for marked in sentence.marked]
        corpus.add(doc)
    with atomic_path(path) as part:
        part.write_bytes(corpus.to_bytes())
