"""Sequence-to-sequence models that swap: rows of a table (Nahurna 2025, §4.1.4, fine-tunes one of them, Aya-101).

Rules are parsed with this module, so it loads no tool.
"""

from dataclasses import dataclass
from pathlib import Path

from textparity.errors import TableError
from textparity_studies.llm.weights import WeightsRow, find_adapter_folder, load_rows, missing_weights

# In place of an adapter's name: one that is trained here.
TRAIN = "train"


@dataclass(frozen=True, kw_only=True)
class SequenceModelRow(WeightsRow):
    """One model that swaps.

    `adapter` is `train` for one that is trained here, the name of a published one on the Hugging Face hub, a folder, or
    empty for the model as it is. It is trained for so many `epochs`. `instruction` stands before a sentence to swap,
    and an answer has at most `answer_tokens` tokens.
    """

    adapter: str
    epochs: int
    answer_tokens: int
    instruction: str

    @property
    def is_trained(self) -> bool:
        """Whether its adapter is trained here."""
        return self.adapter == TRAIN


def load_sequence_models(path: str | Path) -> dict[str, SequenceModelRow]:
    """Read the table by name; `TableError` naming the line and column of a cell that cannot be used."""
    rows = load_rows(path, SequenceModelRow)
    for line, row in enumerate(rows.values(), start=2):
        if not row.instruction.strip():
            raise TableError(f"{path}, line {line}, column instruction: is empty; write what the model is to do")
    return rows


def missing_sequence_model(row: SequenceModelRow) -> str:
    """Explain why a model or its adapter cannot be loaded here; empty if it can. Nothing is loaded to find out."""
    if reason := missing_weights(row):
        return reason
    if not row.adapter or row.is_trained or find_adapter_folder(row.adapter):
        return ""
    return (
        f"the adapter {row.adapter} is not on this machine: neither a folder with an adapter_config.json, nor in the "
        f"Hugging Face cache (hf download {row.adapter})"
    )
