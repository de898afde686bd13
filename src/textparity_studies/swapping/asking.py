"""Ask models to swap the sentences of a corpus and the test items, and turn their answers into candidates.

Language models (Nahurna 2025, §4.1.2): a question about a sentence has its entities, names and the prompt. `published`
is the authors' notebook: it asks about a line if the text of any JOB entity of its document occurs in it as a word, and
sends all of the document's JOB and PERS texts that occur in it. `corrected` sends the entities that are annotated in
the line itself, and draws three different names.

As in the authors' notebook, a test item (§4.1.5) is the whole question: an instruction and a word or sentence, without
prompt, entities or names. The scores of Tables 3 and 8 are therefore those of a model without the few-shot prompt. We
then ask the model to swap its answer back.

Sequence-to-sequence models (§4.1.4) are fine-tuned on parallel sentences, with the settings of the authors' notebooks:
the input is an instruction and a sentence, the output is the swapped sentence, and each token is the likeliest one.
Entities and names are not offered.
"""

import json
import logging
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.reading import read_metadata, read_rows, write_batches
from textparity.errors import InputError
from textparity.estimating.seeds import random_generator
from textparity.files import write_rows
from textparity.persons.ukrainian_genders import GenderLists, load_gender_lists
from textparity.progress import progress_bar
from textparity_studies.llm.adapters import Example, Training, train
from textparity_studies.llm.answering import (
    ANSWER_FIELDS,
    Asking,
    Cells,
    Question,
    Questions,
    ask,
    estimate,
    write_estimate,
)
from textparity_studies.llm.models import Answer, ModelRow, Request, check_placeholders, fill, read_part, to_prompt
from textparity_studies.llm.weights import SEQUENCE_TO_SEQUENCE, find_adapter_folder, load_to_write
from textparity_studies.measures.encoders import repeatable
from textparity_studies.swapping.candidates import Candidate
from textparity_studies.swapping.corpora import EntityDocument, read_documents, recorded_text
from textparity_studies.swapping.outputs import OUTPUT_COLUMNS, SENTENCE, WORD, read_cells, tidy
from textparity_studies.swapping.settings import JOB, LABELS, LIST_SEPARATOR, SequenceModelRow
from textparity_studies.swapping.titles_and_names import draw_names
from textparity_studies.swapping.word_forms import FEMININE, MASCULINE

log = logging.getLogger(__name__)
FEMININE_NAMES, MASCULINE_NAMES = "{female_names}", "{male_names}"
# The file has the prompt in two languages; the study uses the second.
_VERSION = re.compile(r"^-+ (\w+) VERSION -+$", re.MULTILINE)
_LANGUAGE = "UKRAINIAN"
SWAP_ANSWERS_SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("line", pa.int32()),
        ("original", pa.string()),
        # JSON that maps text to label.
        ("entities", pa.string()),
        ("feminine_names", pa.list_(pa.string())),
        ("masculine_names", pa.list_(pa.string())),
        *ANSWER_FIELDS,
    ]
)
CANDIDATE_COLUMNS = (
    "document", "line", "original", "swapped", "feminine_names", "masculine_names", "entities", "model", "raw",
    "repairs",
)  # fmt: skip
# The two steps of a test item. They have separate numbers of runs, so an item that came back unchanged is requested
# again.
THERE, BACK = "there", "back"
_RUNS = {THERE: 0, BACK: 1}
ANSWER_COLUMNS = ("item", "step", "answer", "finish_reason", "model", "error")
PAIR_COLUMNS = ("inputs", "targets")
_KINDS = {"слово": WORD, "речення": SENTENCE}
_ITEM = re.compile(r"(Перефразуй це (слово|речення),[^:]*: )(.*)", re.DOTALL)
# Sentences per batch of a sequence-to-sequence model.
BATCH = 16


def select_sentences(documents: list[EntityDocument], procedure: str) -> list[Candidate]:
    """Select the lines to swap, in the order of the documents; their candidates are still empty.

    Entities are a dictionary, as in the paper: one whose text occurs twice is sent once.
    """
    find_entities = _annotated_entities if procedure == "corrected" else _mentioned_entities
    found = []
    for document in documents:
        for line, ((start, end), entities) in enumerate(zip(document.lines, find_entities(document), strict=True)):
            gendered = {text: label for text, label in entities.items() if label in LABELS}
            found.append(Candidate(document.document, line, document.text[start:end].strip(), "", gendered))
    if procedure != "corrected":
        # The notebook keeps sentences in a dictionary, so for a text in several documents the last one counts.
        last = {sentence.original: sentence.entities for sentence in found}
        found = [replace(sentence, entities=last[sentence.original]) for sentence in found]
    return [sentence for sentence in found if JOB in sentence.entities.values()]


def _annotated_entities(document: EntityDocument) -> Iterator[dict[str, str]]:
    """Iterate over the lines of a document: the entities that begin there."""
    entities = sorted(document.entities, key=lambda entity: entity.start)
    for start, end in document.lines:
        yield {recorded_text(entity.text): entity.label for entity in entities if start <= entity.start < end}


def _mentioned_entities(document: EntityDocument) -> Iterator[dict[str, str]]:
    """Iterate over the lines of a document: the entities of the document whose text occurs there as a word."""
    # A later entity with the same text replaces an earlier one, whatever its label.
    recorded = {recorded_text(entity.text): entity.label for entity in document.entities}
    for start, end in document.lines:
        line = document.text[start:end].strip()
        yield {
            text: label
            for text, label in recorded.items()
            # A plain search for the text is much faster, and nearly always sufficient.
            if text in line and re.search(rf"\b{re.escape(text)}\b", line)
        }


def offer_names(sentence: Candidate, lists: GenderLists, seed: int, procedure: str) -> Candidate:
    """Draw the names for a sentence by the seed and its text; in the published procedure, one may be drawn twice."""
    generator = random_generator(seed, "names", sentence.original)
    names = draw_names(lists, generator, repeats=procedure == "published", first=MASCULINE)
    return replace(sentence, feminine_names=names[FEMININE], masculine_names=names[MASCULINE])


def _question_cells(sentence: Candidate) -> Cells:
    """Build the cells of a row of answers that describe the question."""
    return {
        "document": sentence.document,
        "line": sentence.line,
        "original": sentence.original,
        "entities": json.dumps(sentence.entities, ensure_ascii=False),
        "feminine_names": list(sentence.feminine_names),
        "masculine_names": list(sentence.masculine_names),
    }


def read_swap_prompt(prompt: Path) -> str:
    """Read the part of a prompt that the study uses, and check that it has a place for names of both genders."""
    template = _select_version(read_part(prompt), prompt)
    check_placeholders(prompt, template, [FEMININE_NAMES, MASCULINE_NAMES])
    return template


def swap_request(row: ModelRow, template: str, sentence: Candidate) -> Request:
    """Build the request: the prompt as the system's message, sentence and entities as the user's.

    For a model that completes texts, they become one more of the prompt's examples.
    """
    # The notebook inserts lists and dictionaries into its strings as Python prints them.
    names = {FEMININE_NAMES: sentence.feminine_names, MASCULINE_NAMES: sentence.masculine_names}
    instructions = fill(template, {place: str(list(offered)) for place, offered in names.items()})
    question = f"{sentence.original}\n{sentence.entities}"
    prompt: Any = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
    if row.mode == "completion":
        prompt = f"{instructions}\n\nInput:\n{question}\n\nOutput:\n"
    return Request(row, prompt)


def _select_version(text: str, path: Path) -> str:
    before, *versions = _VERSION.split(text)
    if not versions:
        return before.strip()
    for language, version in zip(versions[::2], versions[1::2], strict=True):
        if language == _LANGUAGE:
            return version.strip()
    raise InputError(f"{path}: has no part --- {_LANGUAGE} VERSION ---; add it, or leave out the headings")


def swap_questions(
    asking: Asking, documents: Path, entities: Path, prompt: Path, procedure: str, seed: int, **word_lists: Path
) -> Questions:
    """Build the questions about every sentence with a job title (see `select_sentences` for the `procedure`)."""
    template, lists = read_swap_prompt(prompt), load_gender_lists(**word_lists)
    offered = (
        offer_names(sentence, lists, seed, procedure)
        for sentence in select_sentences(read_documents(documents, entities), procedure)
    )
    return Questions((_question_cells(sentence), swap_request(asking.row, template, sentence)) for sentence in offered)


def ask_swapper(
    documents: Path,
    entities: Path,
    prompt: Path,
    recorded: list[Path],
    answers: Path,
    asking: Asking,
    procedure: str,
    seed: int,
    **word_lists: Path,
) -> None:
    """Write the model's answer to every sentence with a job title (`SWAP_ANSWERS_SCHEMA`)."""
    questions = swap_questions(asking, documents, entities, prompt, procedure, seed, **word_lists)
    write_batches(answers, SWAP_ANSWERS_SCHEMA, ask(questions, asking, recorded, swapper=asking.row.name))


def estimate_swapping(
    documents: Path,
    entities: Path,
    prompt: Path,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    procedure: str,
    seed: int,
    **word_lists: Path,
) -> None:
    """Write one row: the requests that `ask_swapper` would send with the same arguments, without sending them."""
    questions = swap_questions(asking, documents, entities, prompt, procedure, seed, **word_lists)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


# Test items.


@dataclass(frozen=True)
class SwapItem:
    """Hold a word or sentence to swap, its reference, and the instruction before it."""

    number: int
    kind: str
    instruction: str
    input: str
    reference: str


def read_items(path: Path) -> list[SwapItem]:
    """Read the items (CSV, `PAIR_COLUMNS`), numbered from 1; `InputError` for an item without a known instruction."""
    items = []
    for number, cells in enumerate(read_cells(path, PAIR_COLUMNS), start=1):
        found = _ITEM.fullmatch(cells["inputs"])
        if not found:
            raise InputError(
                f"{path}, item {number}: {cells['inputs'][:60]!r} does not begin with an instruction to change the "
                "gender of a word or sentence"
            )
        items.append(SwapItem(number, _KINDS[found[2]], found[1], found[3], cells["targets"]))
    return items


class ItemQuestions(Questions):
    """Ask about all items, then about their answers; an item without an answer is assumed to come back unchanged.

    `texts` has the answers by number and step, in the notebook's form: without a full stop that the item lacks, and in
    the item's case.
    """

    def __init__(self, row: ModelRow, test_items: Path) -> None:
        self._row = row
        self.items = {item.number: item for item in read_items(test_items)}
        self.texts: dict[tuple[int, str], str] = {}
        self._batch = [self._question(item, THERE, item.input) for item in self.items.values()]

    def _question(self, item: SwapItem, step: str, text: str) -> Question:
        request = Request(self._row, to_prompt(item.instruction + text, self._row.mode), _RUNS[step])
        return {"item": item.number, "step": step}, request

    def next_batch(self) -> list[Question]:
        """Return the items, and then their answers to be swapped back."""
        batch, self._batch = self._batch, []
        return batch

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Keep the answers, and request the way back for those that are not blank."""
        for cells, answer in answered:
            item = self.items[cells["item"]]
            text = tidy(answer.text.strip(), item.input) if answer and not answer.error else ""
            self.texts[item.number, cells["step"]] = text
            swapped = text if answer else item.input
            if cells["step"] == THERE and swapped:
                self._batch.append(self._question(item, BACK, swapped))


def ask_swapper_on_items(test_items: Path, recorded: list[Path], outputs: Path, answers: Path, asking: Asking) -> None:
    """Write one row (`OUTPUT_COLUMNS`) per item, and every original answer (`ANSWER_COLUMNS`).

    `outputs` has no rows if an answer is missing, because the scores of a part are not those of the whole.
    """
    questions = ItemQuestions(asking.row, test_items)
    asked = [row for batch in ask(questions, asking, recorded) for row in batch]
    answered = [row for row in asked if "answer" in row]
    if len(answered) < len(asked):
        log.warning("%s: %s: nothing is scored, as answers are missing", asking.row.name, outputs)
    items = questions.items.values() if len(answered) == len(asked) else ()
    _write_items(outputs, answers, items, questions.texts, answered)


def _write_items(
    outputs: Path, answers: Path, items: Iterable[SwapItem], texts: dict[tuple[int, str], str], rows: list[Cells]
) -> None:
    """Write the outputs of `items` by number and step (`texts`), and the answers (`rows`) in the order of the items."""
    swapped = ((item, texts[item.number, THERE], texts.get((item.number, BACK), "")) for item in items)
    cells = ([item.number, item.kind, item.input, item.reference, *both] for item, *both in swapped)
    write_rows(outputs, OUTPUT_COLUMNS, cells)
    in_order = sorted(rows, key=lambda row: row["item"])
    write_rows(answers, ANSWER_COLUMNS, ([row[name] for name in ANSWER_COLUMNS] for row in in_order))


def estimate_swapping_items(
    test_items: Path, recorded: list[Path], estimate_csv: Path, name: str, asking: Asking
) -> None:
    """Write one row: the requests of `ask_swapper_on_items`; a pending way back is estimated at the item's length."""
    questions = ItemQuestions(asking.row, test_items)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


# Sequence-to-sequence models.


def train_swapper(
    pairs: Path, adapters: Path, training_log: Path, state: Path, row: SequenceModelRow, seed: int
) -> None:
    """Train an adapter on pairs (CSV, `PAIR_COLUMNS`, with the instruction before each input), and write its loss.

    An epoch has as many whole steps as the pairs fill, as in the authors' run.
    """
    cells = read_cells(pairs, PAIR_COLUMNS)

    def examples_of(tokenizer: Any) -> list[Example]:
        limits = {"truncation": True, "max_length": row.sequence_tokens}
        sources = tokenizer([pair["inputs"] for pair in cells], **limits).input_ids
        targets = tokenizer(text_target=[pair["targets"] for pair in cells], **limits).input_ids
        return list(zip(sources, targets, strict=True))

    def steps_of(examples: list[Example]) -> list[int]:
        return [row.epochs * max(1, len(examples) // (row.batch_size * row.gradient_accumulation))]

    training = Training(row, SEQUENCE_TO_SEQUENCE, pairs, threads=1, seed=seed, training_seed=0)
    train(training, examples_of, steps_of, adapters, training_log, state)


def swap_sentences(
    documents: Path,
    entities: Path,
    adapters: list[Path],
    answers: Path,
    row: SequenceModelRow,
    procedure: str,
    seed: int,
) -> None:
    """Write the model's answer to every sentence with a job title, in the form of `ask_swapper`."""
    sentences = select_sentences(read_documents(documents, entities), procedure)

    def rows() -> Generator[list[Cells], None, Cells]:
        answered = write_answers(
            row, [f"{row.instruction.strip()} {item.original}" for item in sentences], adapters, seed
        )
        yield [_question_cells(sentence) | answer for sentence, answer in zip(sentences, answered, strict=True)]
        return {"swapper": row.name, "answers": len(answered), "missing": 0, "reason": ""}

    write_batches(answers, SWAP_ANSWERS_SCHEMA, rows())


def swap_items(
    test_items: Path,
    adapters: list[Path],
    outputs: Path,
    answers: Path,
    row: SequenceModelRow,
    seed: int,
) -> None:
    """Write the model's output for each test item, there and back, in the form of `ask_swapper_on_items`.

    The items have their own instructions. Answers are not changed, as the authors do not change Aya's.
    """
    items = read_items(test_items)
    texts: dict[tuple[int, str], str] = {}
    rows: list[Cells] = []
    for step in (THERE, BACK):
        # A blank answer is not swapped back.
        asked = items if step == THERE else [item for item in items if texts[item.number, THERE]]
        prompts = [item.instruction + (item.input if step == THERE else texts[item.number, THERE]) for item in asked]
        for item, answer in zip(asked, write_answers(row, prompts, adapters, seed), strict=True):
            texts[item.number, step] = answer["answer"].strip()
            rows.append({"item": item.number, "step": step} | answer)
    _write_items(outputs, answers, items, texts, rows)


def write_answers(row: SequenceModelRow, prompts: list[str], adapters: list[Path], seed: int) -> list[Cells]:
    """Generate the model's answer to each prompt, with the likeliest token each time: the cells of `ANSWER_FIELDS`.

    For a model that is trained here, `adapters` has the folder of its training; otherwise it is empty.
    """
    from transformers import GenerationConfig

    found: list[Cells] = []
    with repeatable(seed) as torch, torch.inference_mode(), progress_bar(len(prompts), row.name, "sentences") as bar:
        # Only the adapter of the last step is kept.
        adapter = next(adapters[0].glob("step*")) if row.is_trained else None
        if row.adapter and not row.is_trained:
            adapter = find_adapter_folder(row.adapter)
        model, tokenizer = load_to_write(row, SEQUENCE_TO_SEQUENCE, adapter)
        end = tokenizer.eos_token_id
        # Replace the model's own configuration, whose settings apply even if we pass ours. This also covers a model
        # beneath an adapter that is not merged.
        whole = model.get_base_model() if hasattr(model, "get_base_model") else model
        whole.generation_config = GenerationConfig(
            do_sample=False,
            num_beams=1,
            max_new_tokens=row.answer_tokens,
            eos_token_id=end,
            pad_token_id=tokenizer.pad_token_id,
            decoder_start_token_id=model.config.decoder_start_token_id,
        )
        for first in range(0, len(prompts), BATCH):
            some = prompts[first : first + BATCH]
            inputs = tokenizer(
                some, padding=True, truncation=True, max_length=row.sequence_tokens, return_tensors="pt"
            ).to(model.device)
            written = model.generate(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
            for mask, tokens in zip(inputs["attention_mask"].tolist(), written[:, 1:].tolist(), strict=True):
                length = tokens.index(end) if end in tokens else len(tokens)
                found.append(
                    {
                        "answer": tokenizer.decode(tokens[:length], skip_special_tokens=True),
                        "finish_reason": "stop" if end in tokens else "length",
                        "prompt_tokens": sum(mask),
                        "completion_tokens": length,
                        "model": f"{row.model} with {row.adapter}" if row.adapter else row.model,
                        "error": "",
                    }
                )
            bar.update(len(some))
    return found


# Answers become candidates. Each answer gives one candidate sentence, repaired if the intended sentence is clear. The
# repairs and the original answer are stored with it. The candidate is empty if the answer is not a single sentence.

FENCE, WENT_ON, LABEL, ENTITIES, QUOTES, JOINED, COMMENTARY = (
    "code fence", "went on", "label", "entities repeated", "quotes", "lines joined", "commentary",
)  # fmt: skip
UNCLEAR, BLANK, CUT = "no single sentence", "blank answer", "cut at max_tokens"
# A swapped sentence shares most of its words with the original; commentary does not.
_ALIKE = 0.6
_FENCE = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_NEXT_EXAMPLE = re.compile(r"\n\s*Input\s*:.*", re.DOTALL)
# Labels from the prompt's examples, one of which is misspelt upstream, and common prefixes of models' answers.
_LABEL = re.compile(r"^(?:Output|Otput|Вихід|Результат|Відповідь|Змінене речення)\s*:\s*", re.IGNORECASE)
_ENTITIES = re.compile(r"\s*\{[^{}]*['\"](?:JOB|PERS)['\"][^{}]*\}\s*$")
_QUOTES = ('""', "''", "«»", "“”", "„“", "‘’", "``")
_WORD = re.compile(r"\w+")


def parse_swaps(answers: Path, candidates: Path) -> None:
    """Write a row (`CANDIDATE_COLUMNS`) for every answer (`SWAP_ANSWERS_SCHEMA`)."""
    reason = read_metadata(answers).get("reason", "")
    repairs: Counter[str] = Counter()
    rows = []
    for cells in read_rows(answers).to_pylist():
        swapped, needed = "", [f"not asked: {reason}"]
        if cells["answer"] is not None and cells["error"]:
            needed = [cells["error"]]
        elif cells["answer"] is not None:
            swapped, needed = parse_swap(cells["answer"], cells["original"])
            needed += [CUT] if cells["finish_reason"] == "length" else []
        repairs.update(needed)
        lists = {name: LIST_SEPARATOR.join(cells[name]) for name in ("feminine_names", "masculine_names")}
        row = cells | lists | {"swapped": swapped, "raw": cells["answer"], "repairs": LIST_SEPARATOR.join(needed)}
        rows.append([row[name] for name in CANDIDATE_COLUMNS])
    write_rows(candidates, CANDIDATE_COLUMNS, rows)
    log.info("%d candidates, %d empty; repairs: %s", len(rows), sum(not row[3] for row in rows), dict(repairs))


def parse_swap(answer: str, original: str) -> tuple[str, list[str]]:
    """Extract the swapped sentence of an answer and the repairs it needed; an empty sentence if none is clear."""
    needed: list[str] = []

    def fix(repair: str, text: str, fixed: str) -> str:
        if fixed.strip() != text.strip():
            needed.append(repair)
        return fixed.strip()

    text = fix(FENCE, answer, _FENCE.sub("", answer))
    text = fix(WENT_ON, text, _NEXT_EXAMPLE.sub("", text))
    if not _LABEL.match(original):
        text = fix(LABEL, text, _LABEL.sub("", text))
    if not _ENTITIES.search(original):
        text = fix(ENTITIES, text, _ENTITIES.sub("", text))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return "", [*needed, BLANK]
    if len(lines) > 1:
        text, repair = _select_sentence(lines, original)
        needed.append(repair)
        text = fix(LABEL, text, _LABEL.sub("", text))
    quotes = text[:1] + text[-1:]
    if quotes in _QUOTES and quotes != original[:1] + original[-1:] and len(text) > 1:
        text = fix(QUOTES, text, text[1:-1])
    return text, needed


def _select_sentence(lines: list[str], original: str) -> tuple[str, str]:
    similarities = [_similarity(line, original) for line in lines]
    whole = " ".join(lines)
    # Long commentary makes the whole answer unlike the original; a sentence broken into lines stays similar.
    if (similarity := _similarity(whole, original)) > max(similarities):
        return (whole, JOINED) if similarity >= _ALIKE else ("", UNCLEAR)
    alike = [line for line, found in zip(lines, similarities, strict=True) if found >= _ALIKE]
    return (alike[0], COMMENTARY) if len(alike) == 1 else ("", UNCLEAR)


def _similarity(text: str, original: str) -> float:
    # Compare the beginnings of words, because swapping changes endings.
    stems, others = ([word[:3].lower() for word in _WORD.findall(one)] for one in (text, original))
    return SequenceMatcher(None, stems, others, autojunk=False).ratio()
