"""How well a model still knows neutral text after training: the likelihood of text that it did not train on."""

import logging
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.errors import InputError
from textparity.measures.repeatable import repeatable
from textparity.measures.statistics import random_generator
from textparity.progress import progress_bar
from textparity.report.tables import write_csv
from textparity.studies.propagation.base_models import BaseModelRow, load_language_model
from textparity.studies.propagation.variants import find_adapter

log = logging.getLogger(__name__)

# Sentences have some thirty; a longer text is cut, since each token takes a number for every word of the vocabulary.
LONGEST = 512


def measure_perplexity(
    texts: Path,
    perplexity: Path,
    base_model: dict[str, Any],
    variant: str,
    neutral_texts: int,
    seed: int,
    torch_threads: int,
    adapters: Path | None = None,
    prepared: Path | None = None,
) -> None:
    """Write the log-likelihood (natural) of each of some texts as CSV: id, tokens, log_likelihood.

    The texts are drawn by the seed alone, so that all variants are asked about the same; fewer are the beginning of
    more. Raises `InputError` if there is no text.
    """
    row, adapter = BaseModelRow(**base_model), find_adapter(adapters, variant)
    chosen = choose_texts(texts, neutral_texts, seed)
    with repeatable(seed, torch_threads) as torch:
        model, tokenizer = load_language_model(row, adapter, prepared)
        with progress_bar(len(chosen), f"{row.name} {variant}, neutral texts") as bar:
            found = list(_measure(torch, model, tokenizer, chosen, bar))
    frame = pd.DataFrame(found, columns=["id", "tokens", "log_likelihood"])
    log.info("perplexity %.2f", math.exp(-frame["log_likelihood"].sum() / frame["tokens"].sum()))
    write_csv(frame, perplexity)


def choose_texts(texts: Path, wanted: int, seed: int) -> pd.DataFrame:
    """Return `id` and `text` of at most `wanted` texts that are not empty, in the order of the corpus."""
    rows = read_rows(texts, columns=["id", "text"]).to_pandas()
    rows = rows[rows["text"].str.strip() != ""]
    if rows.empty:
        raise InputError(f"{texts}: has no text; name another corpus as propagation.neutral_corpus")
    order = random_generator(seed, "neutral texts").permutation(len(rows))
    return rows.iloc[sorted(order[:wanted])]


def log_likelihood(torch: Any, model: Any, tokenizer: Any, text: str) -> tuple[int, float, bool]:
    """Return the number of tokens of a text, its log-likelihood after the beginning of text, and whether it was cut.

    What begins a text is not counted; models without a token for that have the end of text begin it.
    """
    tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
    begin = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    kept = tokens[:LONGEST]
    ids = torch.tensor([[begin, *kept]], device=model.device)
    with torch.inference_mode():
        # The last token has nothing to foretell.
        logits = model(input_ids=ids[:, :-1], use_cache=False).logits[0].float()
        found = -torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none").double().sum()
    return len(kept), float(found), len(tokens) > LONGEST


def _measure(torch: Any, model: Any, tokenizer: Any, texts: pd.DataFrame, bar: Any) -> Iterator[tuple[str, int, float]]:
    """Yield what is found for each text, one at a time: together, they would be filled up, for no gain on a CPU."""
    cut = 0
    for name, text in zip(texts["id"], texts["text"], strict=True):
        tokens, found, is_cut = log_likelihood(torch, model, tokenizer, text)
        cut += is_cut
        bar.update()
        yield name, tokens, found
    if cut:
        log.warning("%d texts were cut after %d tokens", cut, LONGEST)
