"""Read the table of base models: the place of each, its training, and its settings for writing.

Rule files import this module while they are parsed, so it loads no tool. `prepare_base_model` reads a GGUF file once,
and stores the model in full precision.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textparity.errors import TableError
from textparity.files import atomic_folder
from textparity_studies.llm.weights import CAUSAL, WeightsRow, load_rows, load_to_write, load_weights

# A piece of text is one sentence, as in the authors' notebook, or as many sentences as fill it.
SENTENCE, PACKED = "sentence", "packed"


@dataclass(frozen=True, kw_only=True)
class BaseModelRow(WeightsRow):
    """Describe one base model.

    `published_name` is its name in the paper's tables, or empty. `steps` is the length of its training for the paper's
    tables: a number, or one for each language (`eng:9 spa:12`). A piece (`pieces`) is a `sentence`, or `packed` with
    consecutive sentences. `temperature`, `top_p` and `top_k` (0: no limit) apply when it writes.
    """

    published_name: str
    steps: str
    temperature: float
    top_p: float
    pieces: str = PACKED
    top_k: int = 0

    def steps_in(self, lang: str) -> int | None:
        """Look up the number of training steps in a language; None if the row has none."""
        if self.steps.isdigit():
            return int(self.steps)
        return {name: int(number) for name, number in _pairs(self.steps)}.get(lang)


def load_base_models(path: str | Path) -> dict[str, BaseModelRow]:
    """Read the table of base models by name; `TableError` names the line and column of an invalid cell."""
    rows = load_rows(path, BaseModelRow, {"pieces": (SENTENCE, PACKED)}, may_be_zero=["top_k"])
    for line, row in enumerate(rows.values(), start=2):
        where = f"{path}, line {line}"
        if row.top_p > 1:
            raise TableError(f"{where}, column top_p: '{row.top_p:g}' is above 1, which is no limit")
        numbers = [row.steps] if ":" not in row.steps else [number for _, number in _pairs(row.steps)]
        if not all(number.isdigit() and int(number) for number in numbers):
            raise TableError(
                f"{where}, column steps: {row.steps!r} is neither a number nor one for each language, like eng:9 spa:12"
            )
    return rows


def _pairs(steps: str) -> list[tuple[str, str]]:
    return [(name, number) for name, _, number in (part.partition(":") for part in steps.split())]


def load_language_model(
    row: BaseModelRow, adapter: Path | None = None, prepared: Path | None = None
) -> tuple[Any, Any]:
    """Load a base model, ready to write, and its tokenizer; `prepared` is the output of `prepare_base_model`."""
    return load_to_write(row, CAUSAL, adapter, prepared)


def prepare_base_model(folder: Path, base_model: dict[str, Any]) -> None:
    """Write the model of a GGUF file to `folder`, dequantised, with its tokenizer."""
    model, tokenizer = load_weights(BaseModelRow(**base_model), CAUSAL)
    with atomic_folder(folder) as part:
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)
