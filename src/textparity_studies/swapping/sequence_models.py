"""Read the table of sequence-to-sequence models that swap (Nahurna 2025, §4.1.4, fine-tunes one of them, Aya-101).

Rule files import this module while they are parsed, so it loads no tool.
"""

from dataclasses import dataclass
from pathlib import Path

from textparity.errors import TableError
from textparity_studies.llm.weights import WeightsRow, find_adapter_folder, load_rows, missing_weights

# This value in place of an adapter's name stands for an adapter that is trained here.
TRAIN = "train"


@dataclass(frozen=True, kw_only=True)
class SequenceModelRow(WeightsRow):
    """Describe one model that swaps.

    `adapter` is `train` for one that is trained here, the name of a published one on the Hugging Face hub, a folder, or
    empty for the model without an adapter. `epochs` is the length of its training. `instruction` precedes a sentence to
    swap, and an answer has at most `answer_tokens` tokens.
    """

    adapter: str
    epochs: int
    answer_tokens: int
    instruction: str

    @property
    def is_trained(self) -> bool:
        """True if its adapter is trained here."""
        return self.adapter == TRAIN


def load_sequence_models(path: str | Path) -> dict[str, SequenceModelRow]:
    """Read the table by name; `TableError` names the line and column of an invalid cell."""
    rows = load_rows(path, SequenceModelRow)
    for line, row in enumerate(rows.values(), start=2):
        if not row.instruction.strip():
            raise TableError(f"{path}, line {line}, column instruction: is empty; write what the model is to do")
    return rows


def missing_sequence_model(row: SequenceModelRow) -> str:
    """Explain why a model or its adapter cannot be loaded here, or return an empty string; the check loads nothing."""
    if reason := missing_weights(row):
        return reason
    if not row.adapter or row.is_trained or find_adapter_folder(row.adapter):
        return ""
    return (
        f"the adapter {row.adapter} is not on this machine: neither a folder with an adapter_config.json, nor in the "
        f"Hugging Face cache (hf download {row.adapter})"
    )
