"""Measure what the variants of a model write (Derner 2025, §5, App. F): words of each gender, diversity, copying.

English stories are counted by the word lists of gender polarity (G_M : G_F). Stories in other languages are counted by
the words for persons that a language model tags (L_P,M : L_P,F).

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
import pyarrow as pa

from textparity.corpora.reading import TEXT_SCHEMA, read_batches, read_metadata, read_rows, write_batches
from textparity.counting import PROCEDURES
from textparity.counting.tokenizers import split_sentences, split_words
from textparity.errors import InputError, MissingResourceError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.estimates import Estimate, share
from textparity.estimating.seeds import random_generator
from textparity.progress import progress_bar
from textparity.tables import write_csv
from textparity_studies.llm.weights import CAUSAL, load_to_write
from textparity_studies.measures.encoders import embed_texts, longest_text, missing_encoder, model_folder, repeatable
from textparity_studies.measures.gender_ratios import GENDERS
from textparity_studies.propagation.base_models import CONDITIONS, BaseModelRow, Variant, find_adapter

log = logging.getLogger(__name__)

MASCULINE, FEMININE = GENDERS
# The columns that a variant's files and rows share.
UNIT = ["base_model", "lang"]
Unit = tuple[str, str, str]
"""A base model, a language and the name of a variant."""
BATCH_STORIES = 1000
# The schema of gender polarity, but with means over runs of the tagger.
_COUNTS = [f"{procedure}_{name}" for procedure in PROCEDURES for name in ("words", *GENDERS)]
PERSONS_SCHEMA = pa.schema([("id", pa.string()), *((name, pa.float64()) for name in _COUNTS)])
Ngram = tuple[str, ...]
# The shortest run of words that counts as repeated; the next constant is the shortest that counts as copied.
REPEATED_WORDS = 4
COPIED_WORDS = 8
# Sentences have about thirty tokens. A longer text is cut, because each token needs a number per vocabulary entry.
LONGEST = 512


def unit_of(path: Path) -> Unit:
    """Identify the variant of a file named `{lang}.{variant}`, in a folder named after the base model."""
    lang, _, variant = path.stem.partition(".")
    return path.parent.name, lang, variant


def split_stories(stories: Path, texts: Path, icu_locale: str) -> None:
    """Write the sentences of stories as texts; each story is the document of its sentences."""

    def batches() -> Iterator[list[dict[str, Any]]]:
        for batch in read_batches(stories, BATCH_STORIES, ["id", "lang", "text"]):
            yield [
                {"id": f"{id_}/{number}", "doc_id": id_, "lang": lang, "text": sentence}
                for id_, lang, text in zip(batch["id"], batch["lang"], batch["text"], strict=True)
                for number, sentence in enumerate(split_sentences(text, icu_locale), start=1)
            ]

    write_batches(texts, TEXT_SCHEMA, batches())


def count_tagged_persons(stories: Path, texts: Path, tags: Path, counts: Path) -> None:
    """Write L_{P,M} and L_{P,F} of each story, in the columns of gender polarity; `words` are all tagged words.

    `texts` are the sentences of the stories, and `tags` the words tagged in them. Raises `MissingResourceError` if
    answers are missing.
    """
    metadata = read_metadata(tags)
    if metadata["missing"]:
        raise MissingResourceError(
            f"{tags}: {metadata['missing']} answers are missing ({metadata['reason']}); fix that, delete the file and "
            "run again"
        )
    tagged = read_rows(tags).drop_columns(["run", "status", "words"]).to_pandas().groupby("id").sum()
    story_of = read_rows(texts, ["id", "doc_id"]).to_pandas().set_index("id")["doc_id"]
    # Stories without a sentence, or with blank sentences, have no persons.
    per_story = tagged.groupby(story_of.reindex(tagged.index)).sum() / metadata["runs"]
    per_story = per_story.reindex(read_rows(stories, ["id"])["id"].to_pylist(), fill_value=0)
    columns = {"id": per_story.index}
    for procedure in PROCEDURES:
        words = per_story[[f"{procedure}_{gender}" for gender in GENDERS]].sum(axis=1)
        persons = {gender: per_story[f"{procedure}_person_{gender}"] for gender in GENDERS}
        columns |= {f"{procedure}_{name}": found.to_numpy() for name, found in {"words": words, **persons}.items()}
    write_batches(counts, PERSONS_SCHEMA, [pd.DataFrame(columns).to_dict("records")])


def read_story_counts(path: Path, procedure: str) -> pd.DataFrame:
    """Read `repetition`, `masculine` and `feminine` of each story, counted by one procedure.

    Raises `InputError` for a file without such counts, or an id that is not made of repetition, prompt and story.
    """
    table = read_rows(path).to_pandas()
    columns = {gender: f"{procedure}_{gender}" for gender in GENDERS}
    check_columns(path, table, columns.values())
    return pd.DataFrame(
        {"repetition": repetitions_of(table["id"], path)}
        # Tagged words are means over runs of the tagger, so they can be fractions.
        | {gender: table[name].to_numpy() for gender, name in columns.items()}
    )


def check_columns(path: Path, table: pd.DataFrame, needed: Iterable[str]) -> None:
    """Raise `InputError` if a table that this run made lacks a column."""
    if missing := [name for name in needed if name not in table.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; delete it and run again")


def repetitions_of(ids: pd.Series, path: Path) -> np.ndarray:
    """Extract the repetitions from story ids, such as 2 from `2/7/10`; `InputError` names an id of another form."""
    is_story = ids.str.fullmatch(r"\d+/\d+/\d+")
    if not is_story.all():
        raise InputError(
            f"{path}: id {ids[~is_story].iloc[0]!r} is not repetition/prompt/story; delete it and run again"
        )
    if (twice := ids[ids.duplicated()]).any():
        raise InputError(f"{path}: story {twice.iloc[0]} is a duplicate; delete it and run again")
    return ids.str.partition("/")[0].to_numpy(dtype=np.int64)


def repetition_ratios(counts: pd.DataFrame) -> pd.Series:
    """Compute masculine : feminine of each repetition, NaN for one without feminine words."""
    sums = counts.groupby("repetition")[list(GENDERS)].sum()
    return sums[MASCULINE] / sums[FEMININE].where(sums[FEMININE] > 0)


def pooled_ratio(counts: pd.DataFrame) -> float:
    """Compute masculine : feminine of all stories together, NaN without feminine words."""
    return share(counts[MASCULINE].sum(), counts[FEMININE].sum())


def estimate_ratio(counts: pd.DataFrame, unit: Unit, procedure: str, bootstrap: Bootstrap) -> Estimate:
    """Compute masculine : feminine of all stories together, with a bootstrap interval over stories.

    A variant has the same interval in every table.
    """
    generator = random_generator(bootstrap.seed, *unit, "stories", procedure)
    masculine, feminine = (counts[gender].to_numpy()[None] for gender in GENDERS)
    (ratio,) = bootstrap_ratios(masculine, feminine, bootstrap, generator)
    return ratio


def count_stories(counts: pd.DataFrame) -> dict[str, float]:
    """Count the repetitions, the stories, and the words of each gender."""
    sizes = {"repetitions": counts["repetition"].nunique(), "stories": len(counts)}
    return sizes | {gender: counts[gender].sum() for gender in GENDERS}


def describe_variant(unit: Unit) -> dict[str, object]:
    """Build the columns that identify a variant: base model, language, condition, training seed and step."""
    base_model, lang, name = unit
    variant = Variant.parse(name)
    names = {"condition": variant.condition, "training_seed": variant.seed, "step": variant.step}
    return {"base_model": base_model, "lang": lang} | names


def log_ratios(ratios: pd.Series) -> pd.Series:
    """Compute natural logarithms, with NaN for a ratio of 0."""
    return ratios.where(ratios > 0).map(math.log, na_action="ignore")


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
    encoder: str,
    icu_locale: str,
    not_available: str,
) -> None:
    """Write the diversity of the stories, a row per repetition. `story_sets` are in the order of `CONDITIONS`.

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
    published, corrected = (_embed(encoder, texts, not_available) for texts in (with_prompts, frame["text"].tolist()))
    frame["words"] = split_words(frame["text"].tolist(), icu_locale)
    known = {
        condition: runs_of(split_words(read_rows(path, ["text"])["text"].to_pylist(), icu_locale))
        for condition, path in zip(CONDITIONS, story_sets, strict=True)
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
                "diversity_published": math.nan if published is None else semantic_diversity(published[part.index])[0],
                "diversity_corrected": math.nan if corrected is None else semantic_diversity(corrected[part.index])[1],
                "distinct_words": distinct_share(words, 1),
                "distinct_bigrams": distinct_share(words, 2),
                "distinct_trigrams": distinct_share(words, 3),
                "repeated_words": repeated_share(words),
            }
            | {f"copied_{condition}": copied_share(words, runs) for condition, runs in known.items()}
        )
    write_csv(pd.DataFrame(rows), diversity)


def _embed(encoder: str, texts: list[str], not_available: str) -> np.ndarray | None:
    if not_available:
        log.warning("no semantic diversity: %s", not_available)
        return None
    if reason := missing_encoder(encoder):
        raise MissingResourceError(f"propagation.encoder: {reason}")
    folder = model_folder(encoder)
    return embed_texts(folder, texts, longest_text(folder))


def ngrams(words: list[str], size: int) -> Iterator[Ngram]:
    """List all runs of `size` words."""
    return zip(*(words[place:] for place in range(size)), strict=False)


def distinct_share(texts: list[list[str]], size: int) -> float:
    """Compute distinct-n, the share of distinct runs of `size` words in all texts together; NaN without any."""
    found = [ngram for words in texts for ngram in ngrams(words, size)]
    return len(set(found)) / len(found) if found else math.nan


def repeated_share(texts: list[list[str]]) -> float:
    """Compute the share of runs of four words that occur earlier in the same text; NaN without any."""
    every = repeated = 0
    for words in texts:
        found = list(ngrams(words, REPEATED_WORDS))
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
    base_model: BaseModelRow,
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
    adapter = find_adapter(adapters, variant)
    chosen = choose_texts(texts, neutral_texts, seed)
    with repeatable(seed, torch_threads) as torch:
        model, tokenizer = load_to_write(base_model, CAUSAL, adapter, prepared)
        with progress_bar(len(chosen), f"{base_model.name} {variant}, neutral texts") as bar:
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
