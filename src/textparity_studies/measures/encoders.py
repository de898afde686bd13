"""Load local transformers, compute vectors of sentence encoders, and make PyTorch repeatable.

Rule files import this module while they are parsed, so it loads no tool. Vectors depend only on the texts: we use one
thread and deterministic algorithms, because sums in another order differ.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import MissingResourceError, how_to_install
from textparity.progress import progress_bar

if TYPE_CHECKING:
    import numpy as np

# Sentences have about twenty words.
LONGEST = 128
BATCH = 16
GGUF = ".gguf"
# Weights in one file or, with an index, in several.
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")


def missing_encoder(model: str) -> str:
    """Explain why a transformer cannot run here, or return an empty string; the check loads and fetches nothing."""
    for tool in ("torch", "transformers"):
        if find_spec(tool) is None:
            return f"{tool} is not installed; install the extra: {how_to_install('encoder')}"
    if find_model(model) is None:
        return not_here(model)
    return ""


def longest_text(folder: Path) -> int:
    """Read the number of tokens for which a sentence encoder is made, from its own files."""
    file = folder / "sentence_bert_config.json"
    return json.loads(file.read_text("utf-8"))["max_seq_length"] if file.is_file() else LONGEST


def tokenize(tokenizer: Any, texts: list[str], longest: int = LONGEST) -> Any:
    """Tokenize texts as one batch for a transformer, none longer than `longest` tokens."""
    return tokenizer(texts, padding=True, truncation=True, max_length=longest, return_tensors="pt")


def embed_texts(folder: Path, texts: list[str], longest: int = LONGEST) -> "np.ndarray":
    """Compute a unit vector for each text: the mean of its tokens' last states, as intended for all-MiniLM-L6-v2."""
    import numpy as np

    with repeatable(0) as torch, torch.inference_mode(), progress_bar(len(texts), "vectors") as bar:
        from transformers import AutoModel, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        vectors = []
        for start in range(0, len(texts), BATCH):
            batch = tokenize(tokenizer, texts[start : start + BATCH], longest)
            states = model(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)
            means = (states * mask).sum(1) / mask.sum(1)
            vectors.append(torch.nn.functional.normalize(means, dim=1).numpy())
            bar.update(len(means))
    return np.concatenate(vectors).astype(np.float64)


@contextmanager
def repeatable(seed: int, threads: int = 1) -> Iterator[Any]:
    """Provide PyTorch with its random state, threads and algorithms set, and restore them afterwards.

    Sums in another order differ in their last digits, and the number of threads changes the order.
    """
    stay_offline()
    # Without this, cuBLAS is not deterministic, and PyTorch refuses to run.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    import torch

    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), torch.get_rng_state()
    try:
        torch.set_num_threads(threads)
        # Some GPU operations have no deterministic algorithm; PyTorch then warns.
        torch.use_deterministic_algorithms(True, warn_only=torch.cuda.is_available())
        torch.manual_seed(seed)
        yield torch
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        torch.set_rng_state(before[2])


def stay_offline() -> None:
    """Keep the Hugging Face client from requesting files, which costs minutes of retries per file without a network."""
    # Processes that this one starts read the variable. The client reads it once, at import.
    os.environ["HF_HUB_OFFLINE"] = "1"
    if constants := sys.modules.get("huggingface_hub.constants"):
        constants.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]


def cached_file(model: str, name: str) -> Path | None:
    """Find a file of a model in the hub's cache on this machine. Returns None if it is missing."""
    if find_spec("huggingface_hub") is None:
        return None
    stay_offline()
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(model, name)
    return Path(found) if isinstance(found, str) else None


def find_model(model: str) -> Path | None:
    """Find the folder with the files of a transformer: a given folder, that of a package, or one in the hub's cache."""
    folders = [Path(model)]
    if is_package(model) and (spec := find_spec(_module(model))) and spec.origin:
        folders.append(Path(spec.origin).parent / "model")
    # A name on the hub is no path.
    if not model.startswith((".", "/")) and model.count("/") < 2 and (config := cached_file(model, "config.json")):
        folders.append(config.parent)
    complete = (folder for folder in folders if (folder / "config.json").is_file())
    return next((folder for folder in complete if any((folder / name).is_file() for name in WEIGHTS)), None)


def model_folder(model: str) -> Path:
    """Find the folder as `find_model` does. Raises `MissingResourceError` if the model is not on this machine."""
    if folder := find_model(model):
        return folder
    raise MissingResourceError(not_here(model))


def not_here(model: str) -> str:
    """Explain that a transformer is not on this machine, and how to get it."""
    return (
        f"the model {model} is not on this machine: neither a folder with a config.json and weights, nor an installed "
        f"package, nor in the Hugging Face cache (hf download {model})"
    )


def is_package(model: str) -> bool:
    """Check whether a package is installed under this name (its name on the package index)."""
    return _module(model).isidentifier() and find_spec(_module(model)) is not None


def find_gguf(model: str, folder: Path) -> Path | None:
    """Find a GGUF file: `model` itself, or that of a model package, assembled in `folder`. None if it has none."""
    if model.endswith(GGUF):
        return Path(model)
    # Model packages hold their file in parts that are small enough for the package index.
    package = import_module(_module(model))
    return package.assemble(folder / "model.gguf") if hasattr(package, "assemble") else None


def _module(model: str) -> str:
    return model.replace("-", "_")
