"""Fine-tune a sequence-to-sequence model on parallel sentences, and swap with it (Nahurna 2025, §4.1.4, §4.1.5).

The settings are those of the authors' notebooks: the input is an instruction and a sentence, the output is the swapped
sentence, and each token is the likeliest one. Entities and names are not offered.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from textparity.corpora.rows import write_batches
from textparity.errors import InputError
from textparity.files import write_rows
from textparity.progress import progress_bar
from textparity_studies.llm.adapters import Example, Training, train
from textparity_studies.llm.weights import SEQUENCE_TO_SEQUENCE, find_adapter_folder, load_to_write
from textparity_studies.measures.encoders import repeatable
from textparity_studies.swapping.candidates.asking import (
    ANSWER_COLUMNS,
    SWAP_ANSWERS_SCHEMA,
    read_items,
    select_sentences,
)
from textparity_studies.swapping.candidates.outputs import OUTPUT_COLUMNS, read_cells
from textparity_studies.swapping.entity_corpora import read_documents
from textparity_studies.swapping.sequence_models import SequenceModelRow

# Sentences per batch.
BATCH = 16
Answer = dict[str, Any]
"""The cells of an answer, as a language model's server would give them (`answering.ANSWER_FIELDS`)."""


def train_swapper(
    pairs: Path, adapters: Path, training_log: Path, state: Path, sequence_model: dict[str, Any], seed: int
) -> None:
    """Train an adapter on pairs (CSV `inputs,targets`, with the instruction before each input), and write its loss.

    An epoch has as many whole steps as the pairs fill, as in the authors' run. Raises `InputError` for a different
    header.
    """
    row = SequenceModelRow(**sequence_model)
    cells = read_cells(pairs)
    if list(cells.columns) != ["inputs", "targets"]:
        raise InputError(f"{pairs}: the header is {','.join(cells.columns)}; it must be inputs,targets")

    def examples_of(tokenizer: Any) -> list[Example]:
        limits = {"truncation": True, "max_length": row.sequence_tokens}
        sources = tokenizer(cells["inputs"].tolist(), **limits).input_ids
        targets = tokenizer(text_target=cells["targets"].tolist(), **limits).input_ids
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
    sequence_model: dict[str, Any],
    procedure: str,
    seed: int,
) -> None:
    """Write the model's answer to every sentence with a job title, in the form of `asking.ask_swapper`."""
    row = SequenceModelRow(**sequence_model)
    sentences = select_sentences(read_documents(documents, entities), procedure)

    def rows() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        prompts = [f"{row.instruction.strip()} {sentence.text}" for sentence in sentences]
        answered = write_answers(row, prompts, adapters, seed)
        yield [
            {
                "document": sentence.document,
                "line": sentence.line,
                "original": sentence.text,
                "entities": sentence.entities_json,
                "feminine_names": [],
                "masculine_names": [],
            }
            | answer
            for sentence, answer in zip(sentences, answered, strict=True)
        ]
        return {"swapper": row.name, "answers": len(answered), "missing": 0, "reason": ""}

    write_batches(answers, SWAP_ANSWERS_SCHEMA, rows())


def swap_items(
    test_items: Path,
    adapters: list[Path],
    outputs: Path,
    answers: Path,
    sequence_model: dict[str, Any],
    seed: int,
) -> None:
    """Write the model's output for each test item, there and back, in the form of `asking.ask_swapper_on_items`.

    The items have their own instructions. Answers are not changed, as the authors do not change Aya's.
    """
    row, items = SequenceModelRow(**sequence_model), read_items(test_items)
    there = write_answers(row, [item.instruction + item.input for item in items], adapters, seed)
    swapped = {item.number: answer["answer"].strip() for item, answer in zip(items, there, strict=True)}
    returning = [item for item in items if swapped[item.number]]
    back = write_answers(row, [item.instruction + swapped[item.number] for item in returning], adapters, seed)
    returned = {item.number: answer["answer"].strip() for item, answer in zip(returning, back, strict=True)}
    write_rows(
        outputs,
        OUTPUT_COLUMNS,
        (
            [item.number, item.kind, item.input, item.reference, swapped[item.number], returned.get(item.number, "")]
            for item in items
        ),
    )
    steps = [*((item, "there", answer) for item, answer in zip(items, there, strict=True))]
    steps += [(item, "back", answer) for item, answer in zip(returning, back, strict=True)]
    rows: list[Answer] = [{"item": item.number, "step": step} | answer for item, step, answer in steps]
    rows.sort(key=lambda cells: cells["item"])
    write_rows(answers, ANSWER_COLUMNS, ([cells[name] for name in ANSWER_COLUMNS] for cells in rows))


def write_answers(row: SequenceModelRow, prompts: list[str], adapters: list[Path], seed: int) -> list[Answer]:
    """Generate the model's answer to each prompt, with the likeliest token each time.

    For a model that is trained here, `adapters` has the folder of its training; otherwise it is empty.
    """
    from transformers import GenerationConfig

    found: list[Answer] = []
    with repeatable(seed) as torch, torch.inference_mode(), progress_bar(len(prompts), row.name, "sentences") as bar:
        model, tokenizer = load_to_write(row, SEQUENCE_TO_SEQUENCE, _adapter(row, adapters))
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


def _adapter(row: SequenceModelRow, adapters: list[Path]) -> Path | None:
    if row.is_trained:
        # Only the adapter of the last step is kept.
        return next(adapters[0].glob("step*"))
    return find_adapter_folder(row.adapter) if row.adapter else None
