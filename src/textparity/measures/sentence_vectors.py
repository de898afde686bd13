"""Vectors of texts by a sentence encoder from this machine, on the CPU.

They follow from the texts alone: one thread and deterministic algorithms, since sums in another order differ.
"""

from pathlib import Path
from typing import Any

import numpy as np

from textparity.measures.encoders import LONGEST
from textparity.measures.repeatable import repeatable
from textparity.progress import progress_bar

BATCH = 16


def tokenize(tokenizer: Any, texts: list[str], longest: int = LONGEST) -> Any:
    """Return texts as one batch for a transformer, none longer than `longest` tokens."""
    return tokenizer(texts, padding=True, truncation=True, max_length=longest, return_tensors="pt")


def embed_texts(folder: Path, texts: list[str], longest: int = LONGEST) -> np.ndarray:
    """Return a vector of length 1 for each text: the mean of its tokens' last states, as all-MiniLM-L6-v2 is meant."""
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
