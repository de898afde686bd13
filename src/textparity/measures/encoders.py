"""Sentence encoders, and other transformers, whose files are on this machine.

Rules are parsed with this module, so it loads no tool.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from textparity.sources.model_files import find_model, not_here

# Sentences have some twenty words.
LONGEST = 128


def missing_encoder(model: str) -> str:
    """Return why a transformer cannot run here, or an empty string; nothing is loaded or fetched to find out."""
    for tool in ("torch", "transformers"):
        if find_spec(tool) is None:
            return f"{tool} is not installed; install the extra: pip install 'textparity[encoder]'"
    if find_model(model) is None:
        return not_here(model)
    return ""


def longest_text(folder: Path) -> int:
    """Return how many tokens of a text a sentence encoder is made for, by its own files."""
    file = folder / "sentence_bert_config.json"
    return json.loads(file.read_text("utf-8"))["max_seq_length"] if file.is_file() else LONGEST
