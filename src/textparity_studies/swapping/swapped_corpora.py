"""Make candidates for the sentences of a corpus, decide about them, and write the accepted ones as a corpus.

Each system has a folder with `candidates.csv`, `checks.csv`, `reviews.csv` and the swapped corpus.
"""

import json
import logging
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

from textparity.errors import InputError
from textparity.estimating.seeds import random_generator
from textparity.files import write_rows
from textparity.persons.ukrainian_genders import load_gender_lists
from textparity.progress import progress_bar
from textparity_studies.swapping.candidates import (
    CHECK_COLUMNS,
    FAILED,
    Candidate,
    CandidateChecker,
    Review,
    place_candidates,
    read_candidates,
    read_checks,
    read_review_file,
    write_review_file,
)
from textparity_studies.swapping.corpora import (
    Entity,
    EntityDocument,
    read_documents,
    reanchor,
    write_brat_folder,
    write_documents,
)
from textparity_studies.swapping.outputs import (
    OUTPUT_COLUMNS,
    SENTENCE,
    kind_of,
    read_cells,
    read_pairs,
    read_published_reviews,
)
from textparity_studies.swapping.rule_swapper import RuleSwapper
from textparity_studies.swapping.sentences import Token, find_annotations
from textparity_studies.swapping.settings import (
    ACCEPT,
    DECISIONS,
    DISMISS,
    ENDING,
    JOB,
    LABELS,
    LIST_SEPARATOR,
    RULES,
    UNDECIDED,
)
from textparity_studies.swapping.word_forms import FEMININE, MASCULINE, sentence_key

log = logging.getLogger(__name__)


def swap_by_rules(documents: Path, entities: Path, candidates: Path, seed: int, **word_lists: Path) -> None:
    """Write a candidate for every line of a corpus with a job title, lines from 0.

    `changes` lists each changed word with the kind of change. Names depend on the seed and the line's text.
    """
    swapper = RuleSwapper(load_gender_lists(**word_lists))
    header = (
        "document", "line", "original", "swapped", "feminine_names", "masculine_names", "changes", "system",
    )  # fmt: skip
    rows = []
    corpus = read_documents(documents, entities)
    with progress_bar(len(corpus), "swapping by rules", "documents") as bar:
        for document in corpus:
            for line in range(len(document.lines)):
                text, found = document.line(line)
                if not any(entity.label == JOB for entity in found):
                    continue
                annotations = [entity for entity in found if entity.label in LABELS]
                swapped = swapper.swap(text, random_generator(seed, RULES, text), annotations)
                changes = [f"{change.text} > {change.new} ({change.kind})" for change in swapped.changes]
                lists = (swapped.offered[FEMININE], swapped.offered[MASCULINE], changes)
                rows.append([document.document, line, text, swapped.text, *map(LIST_SEPARATOR.join, lists), RULES])
            bar.update()
    write_rows(candidates, header, rows)


def swap_test_items(
    test_set: Path, parallel: list[Path], published_reviews: list[Path], outputs: Path, seed: int, **word_lists: Path
) -> None:
    """Swap each item of a test set (CSV with `inputs` and `references`) by rules, and swap the output back.

    Entities are those annotated for the sentence in `parallel` or the reviews. In other sentences, and in single words,
    the lists find them. Names depend on the seed and the sentence, not on its place.
    """
    items = read_cells(test_set, ("inputs", "references"))
    swapper, words = RuleSwapper(load_gender_lists(**word_lists)), annotated_words(parallel, published_reviews)
    rows = []
    for number, cells in enumerate(items, start=1):
        text = cells["inputs"]
        known = words.get(sentence_key(text)) if kind_of(text) == SENTENCE else None
        annotations = None if known is None else find_annotations(text, list(dict.fromkeys(known)))
        swapped = swapper.swap(text, random_generator(seed, RULES, text), annotations)
        moved = annotations and [
            replace(
                entity,
                start=_move(entity.start, swapped.changes, at_end=False),
                end=_move(entity.end, swapped.changes, at_end=True),
            )
            for entity in annotations
        ]
        back = swapper.swap(swapped.text, random_generator(seed, RULES, "back", text), moved)
        rows.append([number, kind_of(text), text, cells["references"], swapped.text, back.text])
    write_rows(outputs, OUTPUT_COLUMNS, rows)


def annotated_words(parallel: list[Path], reviews: list[Path]) -> dict[str, list[tuple[str, str]]]:
    """Collect the entities (text and label) of sentences by `sentence_key`, whatever white space and apostrophes.

    They are the titles of parallel sentences, of both sides, and the titles and persons of reviewed originals. Raises
    `InputError` with file and row.
    """
    words: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair in read_pairs(parallel):
        words[sentence_key(pair.original)] += [(title, JOB) for title in pair.titles]
        words[sentence_key(pair.swapped)] += [(title, JOB) for title in pair.swapped_titles]
    for review in read_published_reviews(reviews):
        words[sentence_key(review.original)] += review.entities.items()
    return words


def _move(place: int, changes: tuple[Token, ...], at_end: bool) -> int:
    moved = place
    for change in changes:
        # A place within a changed word moves to the word's new start or end.
        if change.end <= place:
            moved += len(change.new) - (change.end - change.start)
        elif change.start < place:
            moved += (len(change.new) if at_end else 0) - (place - change.start)
    return moved


def import_reviews(
    documents: Path,
    entities: Path,
    published_reviews: list[Path],
    candidates: Path,
    reviews: Path,
    reviewed_candidates: Path,
) -> None:
    """Write the authors' candidates and reviews like those of a language model, in the order of the corpus.

    A sentence that occurs in several places appears with each. `reviewed_candidates` are the final forms of the
    accepted or corrected sentences, for the same checks.
    """
    rows = read_published_reviews(published_reviews)
    rows_of = defaultdict(list)
    for row in rows:
        rows_of[sentence_key(row.original)].append(row)
    made, decided, kept = [], {}, []
    for document in read_documents(documents, entities):
        for line, place in enumerate(document.lines):
            key = sentence_key(document.text[slice(*place)])
            if key not in rows_of:
                continue
            row, *others = rows_of[key]
            if others:
                raise InputError(
                    f"{published_reviews[0].parent}: {row.original[:80]!r} is reviewed twice; keep one row"
                )
            original = row.original.strip()
            candidate = Candidate(document.document, line, original, row.generated.strip(), row.entities)
            made.append(candidate)
            if row.decision != UNDECIDED:
                decided[candidate.key] = Review(*candidate.key, original, row.final.strip(), row.decision)
            if row.is_kept:
                kept.append(replace(candidate, swapped=row.final.strip()))
    for path, chosen in ((candidates, made), (reviewed_candidates, kept)):
        cells = (
            [*item.key, item.original, item.swapped, json.dumps(item.entities, ensure_ascii=False)] for item in chosen
        )
        write_rows(path, ("document", "line", "original", "swapped", "entities"), cells)
    write_review_file(reviews, decided, made)
    lost = len(rows_of.keys() - {sentence_key(candidate.original) for candidate in made})
    log.info("%d reviewed sentences in %d places; %d are not in the corpus", len(rows), len(made), lost)


def check_candidates(documents: Path, entities: Path, candidates: Path, checks: Path, **word_lists: Path) -> None:
    """Write the result of each check for each candidate (`CHECK_COLUMNS`)."""
    checker = CandidateChecker(load_gender_lists(**word_lists))
    rows = [
        [*placed[0].key, *result]
        for placed in place_candidates(candidates, read_documents(documents, entities))
        for result in checker.check(*placed)
    ]
    write_rows(checks, CHECK_COLUMNS, rows)


def review_by_checks(candidates: Path, checks: Path, reviews: Path, required: list[str]) -> None:
    """Accept the candidates that fail none of the `required` checks, and dismiss the others."""
    results = read_checks(checks)
    wrong = results[(results["verdict"] == FAILED) & results["check"].isin(required)]
    failed = set(zip(wrong["document"], wrong["line"], strict=True))
    known = read_candidates(candidates)
    decided = {
        row.key: Review(*row.key, row.original, row.swapped, DISMISS if row.key in failed else ACCEPT) for row in known
    }
    write_review_file(reviews, decided, known)


def read_reviews(candidates: Path, people: list[Path], reviews: Path, system: str, expected: str) -> None:
    """Check people's decisions, write them as `reviews`, and log their numbers.

    `people` is their file, or empty as long as there is none. Without it nothing is accepted, and the log explains how
    to make the file `expected`. Candidates without a decision are counted as undecided.
    """
    known = read_candidates(candidates)
    decided = read_review_file(people[0], known) if people else {}
    if not people:
        log.warning(
            "%s: nobody has reviewed these candidates, so none is accepted. Copy %s to %s, add the column decision "
            "(docs/swapping.md), and run again",
            system, candidates, expected,
        )  # fmt: skip
    write_review_file(reviews, decided, known)
    numbers = Counter(review.decision for review in decided.values())
    numbers[UNDECIDED] = len(known) - len(decided)
    log.info("%s: %s", system, ", ".join(f"{numbers[name]} {name}" for name in (*DECISIONS, UNDECIDED)))


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

    Documents are named as in the published corpus (`-swapped`), lines keep their order, and documents their split.
    `left_out` lists the candidates that are dismissed, undecided or unchanged, and those with an entity that could not
    be anchored.
    """
    originals = read_documents(documents, entities)
    placed = list(place_candidates(candidates, originals))
    decided = read_review_file(reviews, [candidate for candidate, _, _ in placed])
    accepted: dict[str, dict[int, tuple[str, list[Entity]]]] = defaultdict(dict)
    rows = []
    for candidate, original, annotated in placed:
        name, line = candidate.key
        if reason := _reason_to_omit(original, decided.get(candidate.key)):
            rows.append([name, line, reason, ""])
            continue
        text = decided[candidate.key].swapped.strip()
        anchored, lost = reanchor(original, annotated, text)
        if lost:
            rows.append([name, line, "not anchored", "; ".join(map(str, lost))])
        else:
            accepted[name][line] = text, anchored
    corpus = [_join(document, accepted[document.document]) for document in originals if accepted[document.document]]
    write_documents(corpus, swapped_documents, swapped_entities)
    write_rows(left_out, ("document", "line", "reason", "detail"), rows)
    write_brat_folder(folder, corpus)


def _reason_to_omit(original: str, review: Review | None) -> str:
    if review is None:
        return UNDECIDED
    if review.decision == DISMISS:
        return "dismissed"
    if "\n" in review.swapped.strip():
        return "more than one line"
    return "unchanged" if sentence_key(review.swapped) == sentence_key(original) else ""


def _join(original: EntityDocument, lines: dict[int, tuple[str, list[Entity]]]) -> EntityDocument:
    """Join swapped lines, with the number of each in the original, into a document."""
    document = EntityDocument(original.document + ENDING, original.subcorpus, original.split, "", sorted(lines))
    texts = [lines[line][0] for line in document.source_lines]
    document.text = "\n".join(texts)
    start = 0
    for line, text in zip(document.source_lines, texts, strict=True):
        for entity in lines[line][1]:
            document.entities.append(replace(entity.moved(start), id=f"T{len(document.entities) + 1}"))
        start += len(text) + 1
    return document
