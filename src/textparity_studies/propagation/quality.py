"""Measure other effects of training on a model: story diversity (Derner 2025, App. F), copying, and perplexity.

Semantic diversity is 1 minus the mean cosine of all pairs of stories, as vectors of a sentence encoder. `published`
sets each story's cosine with itself to 0 and averages the whole matrix, so the sum over n * (n - 1) pairs is divided by
n * n. The result is too high by the mean cosine over n. Its stories also begin with the prompt, which ten stories
share, because the authors' notebook keeps it. `corrected` averages over pairs, and compares only the model's own text.

A model that collapses repeats the same words, and one that memorises its training text copies it. Perplexity measures
how well the model still predicts neutral text that it was not trained on.
"""

import logging
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.counting.statistics import random_generator
from textparity.counting.tokenizers.icu import split_words
from textparity.errors import InputError, MissingResourceError
from textparity.progress import progress_bar
from textparity.sources.model_files import model_folder
from textparity.tables import write_csv
from textparity_studies.measures.encoders import longest_text, missing_encoder, repeatable
from textparity_studies.propagation.base_models import BaseModelRow, load_language_model
from textparity_studies.propagation.variants import CONDITIONS, find_adapter

log = logging.getLogger(__name__)

Ngram = tuple[str, ...]
# The shortest run of words that counts as repeated; the next constant is the shortest that counts as copied.
REPEATED_WORDS = 4
COPIED_WORDS = 8
# Sentences have about thirty tokens. A longer text is cut, because each token needs a number per vocabulary entry.
LONGEST = 512


def semantic_diversity(vectors: np.ndarray) -> tuple[float, float]:
    """Compute 1 minus the mean cosine of unit vectors, `published` and `corrected`; NaN for fewer than two."""
    texts = len(vectors)
    if texts < 2:
        return math.nan, math.nan
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, 0)
    return 1 - cosines.sum() / texts**2, 1 - cosines.sum() / (texts * (texts - 1))


def measure_diversity(
    stories: Path,
    story_sets: list[Path],
    diversity: Path,
    conditions: list[str],
    encoder: str,
    icu_locale: str,
    not_available: str,
) -> None:
    """Write the diversity of the stories, a row per repetition.

    Columns: `diversity_published` and `diversity_corrected`, empty with a reason in `not_available`; `distinct_words`,
    `distinct_bigrams` and `distinct_trigrams`, the share of distinct ones in the repetition; `repeated_words`, the
    share of runs of four words that occur earlier in the same story; `copied_*`, the share of stories with eight words
    in a row from that set of stories. `encoder` is a folder, a package, or a name on the Hugging Face hub. Raises
    `MissingResourceError` if it is not on this machine.
    """
    frame = read_rows(stories, ["repetition", "prompt", "text"]).to_pandas()
    if frame.empty:
        raise InputError(f"{stories}: has no stories; delete it and run again, which writes them anew")
    with_prompts = [" ".join(f"{row.prompt} {row.text}".split()) for row in frame.itertuples()]
    published = _vectors(encoder, with_prompts, not_available)
    corrected = _vectors(encoder, frame["text"].tolist(), not_available)
    frame["words"] = split_words(frame["text"].tolist(), icu_locale)
    known = {
        condition: runs_of(split_words(read_rows(path, ["text"])["text"].to_pylist(), icu_locale))
        for condition, path in zip(conditions, story_sets, strict=True)
    }
    rows = []
    for repetition, part in frame.groupby("repetition"):
        words = part["words"].tolist()
        rows.append(
            {
                "repetition": repetition,
                "stories": len(part),
                "blank_stories": sum(not any(of_story) for of_story in words),
                "same_stories": int(part["text"].duplicated().sum()),
                "words": sum(map(len, words)),
                "diversity_published": _diversity(published, part.index)[0],
                "diversity_corrected": _diversity(corrected, part.index)[1],
                "distinct_words": distinct_share(words, 1),
                "distinct_bigrams": distinct_share(words, 2),
                "distinct_trigrams": distinct_share(words, 3),
                "repeated_words": repeated_share(words),
            }
            | {f"copied_{condition}": copied_share(words, known[condition]) for condition in CONDITIONS}
        )
    write_csv(pd.DataFrame(rows), diversity)


def _diversity(vectors: np.ndarray | None, places: pd.Index) -> tuple[float, float]:
    return (math.nan, math.nan) if vectors is None else semantic_diversity(vectors[places])


def _vectors(encoder: str, texts: list[str], not_available: str) -> np.ndarray | None:
    if not_available:
        log.warning("no semantic diversity: %s", not_available)
        return None
    if reason := missing_encoder(encoder):
        raise MissingResourceError(f"propagation.encoder: {reason}")
    from textparity_studies.measures.encoders import embed_texts

    folder = model_folder(encoder)
    return embed_texts(folder, texts, longest_text(folder))


def ngrams(words: list[str], size: int) -> Iterator[Ngram]:
    """List all runs of `size` words."""
    return zip(*(words[place:] for place in range(size)), strict=False)


def distinct_share(texts: list[list[str]], size: int) -> float:
    """Compute distinct-n, the share of distinct runs of `size` words in all texts together; NaN without any."""
    found = [ngram for words in texts for ngram in ngrams(words, size)]
    return len(set(found)) / len(found) if found else math.nan


def repeated_share(texts: list[list[str]], size: int = REPEATED_WORDS) -> float:
    """Compute the share of runs of `size` words that occur earlier in the same text; NaN without any."""
    every = repeated = 0
    for words in texts:
        found = list(ngrams(words, size))
        every += len(found)
        repeated += len(found) - len(set(found))
    return repeated / every if every else math.nan


def copied_share(texts: list[list[str]], known: set[Ngram]) -> float:
    """Compute the share of texts with a run of words in `known`; NaN without texts."""
    copies = sum(any(ngram in known for ngram in ngrams(words, COPIED_WORDS)) for words in texts)
    return copies / len(texts) if texts else math.nan


def runs_of(sentences: Iterable[list[str]]) -> set[Ngram]:
    """Collect the runs of eight words that can be copied from sentences; none crosses two sentences."""
    return {ngram for words in sentences for ngram in ngrams(words, COPIED_WORDS)}


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
    """Write the natural log-likelihood of each chosen text as CSV: id, tokens, log_likelihood.

    The seed alone draws the texts, so that all variants see the same ones; a smaller sample is the beginning of a
    larger one. Raises `InputError` if there is no text.
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
    """Choose at most `wanted` texts that are not empty, as `id` and `text`, in the order of the corpus."""
    rows = read_rows(texts, columns=["id", "text"]).to_pandas()
    rows = rows[rows["text"].str.strip() != ""]
    if rows.empty:
        raise InputError(f"{texts}: has no text; name another corpus as propagation.neutral_corpus")
    order = random_generator(seed, "neutral texts").permutation(len(rows))
    return rows.iloc[sorted(order[:wanted])]


def log_likelihood(torch: Any, model: Any, tokenizer: Any, text: str) -> tuple[int, float, bool]:
    """Compute a text's number of tokens, its log-likelihood, and whether it was cut.

    The token that begins a text is not counted; models without one use the end-of-text token.
    """
    tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
    begin = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    kept = tokens[:LONGEST]
    ids = torch.tensor([[begin, *kept]], device=model.device)
    with torch.inference_mode():
        # There is no token after the last one to predict.
        logits = model(input_ids=ids[:, :-1], use_cache=False).logits[0].float()
        found = -torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none").double().sum()
    return len(kept), float(found), len(tokens) > LONGEST


def _measure(torch: Any, model: Any, tokenizer: Any, texts: pd.DataFrame, bar: Any) -> Iterator[tuple[str, int, float]]:
    """Measure the texts one at a time; batches would need padding and save no time on a CPU."""
    cut = 0
    for name, text in zip(texts["id"], texts["text"], strict=True):
        tokens, found, is_cut = log_likelihood(torch, model, tokenizer, text)
        cut += is_cut
        bar.update()
        yield name, tokens, found
    if cut:
        log.warning("%d texts were cut after %d tokens", cut, LONGEST)
