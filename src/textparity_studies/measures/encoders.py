"""Load local transformers, compute vectors of sentence encoders, and make PyTorch repeatable.

Rule files import this module while they are parsed, so it loads no tool. Vectors depend only on the texts: we use one
thread and deterministic algorithms, because sums in another order differ.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import how_to_install
from textparity.progress import progress_bar
from textparity.sources.model_files import find_model, not_here, stay_offline

if TYPE_CHECKING:
    import numpy as np

# Sentences have about twenty words.
LONGEST = 128
BATCH = 16


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
