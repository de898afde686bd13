"""Scores of a set of swapped outputs, one way and back again (Nahurna 2025, Tables 3 and 8)."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import Bootstrap, Interval, bootstrap_ratios, random_generator
from textparity.report.ledger import NOT_HERE
from textparity.report.tables import write_csv
from textparity.studies.swapping.candidates.outputs import (
    SENTENCE,
    WORD,
    SentenceEntities,
    load_outputs,
    load_sentence_entities,
)
from textparity.studies.swapping.names import ALL
from textparity.studies.swapping.scoring.metrics import (
    Pair,
    bert_scores,
    bleu_counts,
    corpus_bleu,
    exact_match,
    match_without_persons,
    matched_titles,
    missing_bert_score,
    rouge_l,
    same_token_count,
    tidy,
)
from textparity.workflow.registry_rows import TIDIED, TITLES_PER_ITEM

ONE_WAY, ROUND_TRIP = "one_way", "round_trip"
SENTENCES, WORDS = "sentences", "words"
WITH_PERSONS, WITHOUT_PERSONS = "sentences with persons", "sentences without persons"
# Which items are scored together. Of persons, a sentence that is in no corpus says nothing.
STRATA: dict[str, Callable[[Pair], bool]] = {
    ALL: lambda pair: True,
    SENTENCES: lambda pair: pair.kind == SENTENCE,
    WITH_PERSONS: lambda pair: pair.kind == SENTENCE and bool(pair.persons),
    WITHOUT_PERSONS: lambda pair: pair.kind == SENTENCE and pair.persons == (),
    WORDS: lambda pair: pair.kind == WORD,
}
TITLE_MATCH, BLEU_METRIC, BERT_METRIC = "job_match", "bleu", "bert_score"
PERSONS_METRIC, BLANK = "exact_match_without_persons", "blank_outputs"
METRICS = ["exact_match", PERSONS_METRIC, TITLE_MATCH, BLEU_METRIC, "rouge_l", BERT_METRIC, "token_count_match", BLANK]
SCORE_COLUMNS = ["direction", "items", "metric", "procedure", "value", "low", "high", "count", "reason"]
_LANGUAGES = {"published": "en", "corrected": "uk"}
# The bootstrap takes whole numbers.
_MILLION = 1_000_000
_SHARES: dict[str, Callable[[Pair, bool], float]] = {
    "exact_match": exact_match,
    PERSONS_METRIC: match_without_persons,
    "rouge_l": rouge_l,
    "token_count_match": same_token_count,
    BLANK: lambda pair, corrected: not pair.output.strip(),
}
Value = tuple[float, Interval, int, str]
_NONE = Interval(math.nan, math.nan)


def score_outputs(
    outputs: Path,
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    scores: Path,
    published_steps: list[str],
    bootstrap: Bootstrap,
) -> None:
    """Write each score as a row of `SCORE_COLUMNS`, of all items and of each of the other `STRATA`.

    `outputs` is in the form of `read_outputs`, `published_steps` as in the registry. `count` is what a share is of:
    items, or annotated titles. Intervals are percentile bootstraps over items. Blank outputs count as wrong and in a
    row of their own; a direction without any output has no value, and its reason.
    """
    rows = load_outputs(outputs)
    known = load_sentence_entities(parallel, documents, entities)
    found = []
    for direction in (ONE_WAY, ROUND_TRIP):
        pairs = read_pairs(rows, direction, known, TIDIED in published_steps)
        for items, is_chosen in STRATA.items():
            chosen = list(filter(is_chosen, pairs))
            reason = _why_nothing(chosen, direction, items)
            for procedure in PROCEDURES:
                generator = random_generator(bootstrap.seed, "swap_scores", direction, items, procedure)
                # The authors divide by all items; of fewer, it would be a share above 1.
                per_item = TITLES_PER_ITEM in published_steps and items == ALL and procedure == "published"
                scorer = _Scorer(procedure, per_item, bootstrap, generator)
                values = scorer.score(chosen) if not reason else {}
                for metric in METRICS:
                    value, interval, count, why = values.get(metric, (math.nan, _NONE, len(chosen), reason))
                    cells = (direction, items, metric, procedure, value, interval.low, interval.high, count, why)
                    found.append(dict(zip(SCORE_COLUMNS, cells, strict=True)))
    write_csv(pd.DataFrame(found), scores)


class _Scorer:
    """Scores pairs by one procedure."""

    def __init__(self, procedure: str, per_item: bool, bootstrap: Bootstrap, generator: np.random.Generator) -> None:
        self._procedure = procedure
        self._corrected = procedure == "corrected"
        self._titles_per_item = per_item
        self._bootstrap = bootstrap
        self._generator = generator

    def score(self, pairs: list[Pair]) -> dict[str, Value]:
        """Return value, interval, count and reason of each metric."""
        shares, wholes = measure_items(pairs, self._corrected)
        unknown = dict.fromkeys(shares, "")
        unknown[PERSONS_METRIC] = _unannotated(pairs, "persons")
        if TITLE_MATCH in shares and self._titles_per_item:
            wholes[TITLE_MATCH] = np.ones(len(pairs), dtype=int)
            unknown[TITLE_MATCH] = "titles are divided by items, not by titles, as the authors do for this system alone"
        elif TITLE_MATCH in shares:
            unknown[TITLE_MATCH] = _unannotated(pairs, "titles")
        intervals = bootstrap_ratios(
            np.stack([*shares.values()]), np.stack([*wholes.values()]), self._bootstrap, self._generator
        )
        found: dict[str, Value] = {}
        for (metric, part), interval in zip(shares.items(), intervals, strict=True):
            whole = wholes[metric].sum()
            count = int(whole if metric == TITLE_MATCH else len(pairs))
            found[metric] = (part.sum() / whole, interval, count, unknown[metric])
        if TITLE_MATCH not in found:
            found[TITLE_MATCH] = (math.nan, _NONE, 0, "there is no annotated title in these items")
        return found | {BLEU_METRIC: self._bleu(pairs), BERT_METRIC: self._bert(pairs)}

    def _bleu(self, pairs: list[Pair]) -> Value:
        counts = np.array([bleu_counts(pair, self._corrected) for pair in pairs])
        sums = counts.sum(axis=0)
        if all(pair.kind == WORD for pair in pairs):
            return math.nan, _NONE, len(pairs), "BLEU is of up to four words together; these are single ones"
        tail = (1 - self._bootstrap.confidence_level) / 2
        drawn = self._generator.integers(len(pairs), size=(self._bootstrap.resamples, len(pairs)))
        values = [corpus_bleu(counts[chosen].sum(axis=0)) for chosen in drawn]
        low, high = np.quantile(values, [tail, 1 - tail])
        return corpus_bleu(sums), Interval(float(low), float(high)), len(pairs), ""

    def _bert(self, pairs: list[Pair]) -> Value:
        lang = _LANGUAGES[self._procedure]
        if reason := missing_bert_score(lang):
            return math.nan, _NONE, len(pairs), f"{NOT_HERE}: {reason}"
        values = np.array(bert_scores([pair.output for pair in pairs], [pair.reference for pair in pairs], lang))
        whole = np.full((1, len(pairs)), _MILLION)
        part = np.round(values * _MILLION).astype(int)[None, :]
        (interval,) = bootstrap_ratios(part, whole, self._bootstrap, self._generator)
        return float(values.mean()), interval, len(pairs), ""


def measure_items(pairs: list[Pair], corrected: bool) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return for each metric but BLEU and BERTScore what each item adds to its sum, and what the sum is divided by."""
    parts = {
        metric: np.array([round(_MILLION * measure(pair, corrected)) for pair in pairs])
        for metric, measure in _SHARES.items()
    }
    wholes = {metric: np.full(len(pairs), _MILLION) for metric in parts}
    titles = np.array([len(pair.titles or ()) for pair in pairs])
    if titles.any():
        parts[TITLE_MATCH], wholes[TITLE_MATCH] = np.array([matched_titles(pair, corrected) for pair in pairs]), titles
    return parts, wholes


def read_pairs(rows: pd.DataFrame, direction: str, known: SentenceEntities, is_tidied: bool) -> list[Pair]:
    """Return the outputs of a set beside what they should be, one way or back."""
    pairs = []
    for row in rows.to_dict("records"):
        reference, output = row["reference"], row["output"]
        tidied = tidy(output, row["input"]) if is_tidied else output
        if direction == ROUND_TRIP:
            # The source of the way back is the first output, tidied before it.
            source, reference, output = tidied, row["input"], row["round_trip"]
            tidied = tidy(output, source) if is_tidied else output
        pairs.append(
            Pair(row["kind"], reference, output, tidied, known.titles_of(reference), known.persons_of(reference))
        )
    return pairs


def _why_nothing(pairs: list[Pair], direction: str, items: str) -> str:
    if not pairs:
        return f"there are no {'items' if items == ALL else items} in this set"
    if all(not pair.output.strip() for pair in pairs):
        return f"there is no output {'back' if direction == ROUND_TRIP else 'one way'} in this set"
    return ""


def _unannotated(pairs: list[Pair], what: str) -> str:
    sentences = [pair for pair in pairs if pair.kind == SENTENCE]
    missing = sum(getattr(pair, what) is None for pair in sentences)
    return f"{missing} of {len(sentences)} references have no annotated {what}" if missing else ""


def read_scores(paths: list[Path]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of several sets by system, which is the file's name."""
    return {path.stem: pd.read_csv(path, keep_default_na=False, na_values=[""]).to_dict("records") for path in paths}
