"""Score a set of swapped outputs, one way and back again (Nahurna 2025, §3.5 and §4.1.5, Tables 3 and 8).

Published follows the authors' notebooks: unchanged texts, BLEU and ROUGE-L from the package `evaluate`, and tokens by
spaCy's Ukrainian rules. Their entities come from a model that is not available, so the annotations of the references
replace it. Corrected compares what a reader sees. White space does not count: half the references are tokenised, with
spaces before full stops, and outputs are not. Letters of any script count.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import regex

from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import MINIMUM_UNITS, Bootstrap, Interval, bootstrap_ratios, random_generator
from textparity.errors import MissingResourceError, how_to_install
from textparity.persons.ukrainian.words import UnicodeWords, pieces, rule_tokens
from textparity.sources.model_files import cached_file, stay_offline
from textparity.tables import write_csv
from textparity_studies.report.ledger import NOT_HERE
from textparity_studies.swapping.candidates.outputs import (
    SENTENCE,
    WORD,
    SentenceEntities,
    load_outputs,
    load_sentence_entities,
)
from textparity_studies.swapping.names import ALL
from textparity_studies.workflow.registry_rows import TIDIED, TITLES_PER_ITEM

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics import BLEU

# The tokens of a name: a capitalised word, the full stop of an initial, a character that joins two names.
_NAME_TOKENS = r"(?: (?:\p{Lu}\S*|[.'’ʼ-])){0,8}?"
_UNICODE_WORDS = UnicodeWords()
CORRECTED_BLEU, PUBLISHED_BLEU = "intl", "13a"
# The defaults of the package bert-score for English, which the authors request, and for Ukrainian.
MODELS = {"en": "roberta-large", "uk": "bert-base-multilingual-cased"}
_FILES = (("config.json",), ("model.safetensors", "pytorch_model.bin"))
ONE_WAY, ROUND_TRIP = "one_way", "round_trip"
SENTENCES, WORDS = "sentences", "words"
WITH_PERSONS, WITHOUT_PERSONS = "sentences with persons", "sentences without persons"
TITLE_MATCH, BLEU_METRIC, BERT_METRIC = "job_match", "bleu", "bert_score"
PERSONS_METRIC, BLANK = "exact_match_without_persons", "blank_outputs"
METRICS = ["exact_match", PERSONS_METRIC, TITLE_MATCH, BLEU_METRIC, "rouge_l", BERT_METRIC, "token_count_match", BLANK]
SCORE_COLUMNS = ["direction", "items", "metric", "procedure", "value", "low", "high", "count", "reason"]
_LANGUAGES = {"published": "en", "corrected": "uk"}
# The bootstrap requires whole numbers.
_MILLION = 1_000_000
Value = tuple[float, Interval, int, str]
_NONE = Interval(math.nan, math.nan)


@dataclass(frozen=True)
class Pair:
    """Hold an output and its reference; `tidied` is the output as the published procedure takes it for entities.

    `titles` and `persons` are those of the reference, None if they are unknown.
    """

    kind: str
    reference: str
    output: str
    tidied: str
    titles: tuple[str, ...] | None
    persons: tuple[str, ...] | None


def tidy(output: str, source: str) -> str:
    """Lower-case the beginning of an output and remove its final full stop, if its source has them so."""
    if not source.strip().endswith("."):
        output = output.removesuffix(".")
    return output[:1].lower() + output[1:] if source[:1].islower() else output


def exact_match(pair: Pair, corrected: bool) -> bool:
    """Check that output and reference are equal; corrected ignores white space."""
    if corrected:
        return pieces(pair.output) == pieces(pair.reference)
    return pair.output == pair.reference


def match_without_persons(pair: Pair, corrected: bool) -> bool:
    """Check that they are equal except for white space and the persons annotated in the reference.

    A person may be replaced by anything that looks like a name, or by nothing. The authors remove what their model
    takes for a person, on either side.
    """
    tokens = (lambda text: tuple(pieces(text))) if corrected else _visible_tokens
    output = pair.output if corrected else pair.tidied
    wanted, persons = tokens(pair.reference), [tokens(person) for person in pair.persons or ()]
    pattern, place = "", 0
    for person in persons:
        found = _find(wanted, person, place)
        if found is None:
            continue
        pattern += _escape(wanted[place:found]) + _NAME_TOKENS
        place = found + len(person)
    pattern += _escape(wanted[place:])
    return _compile(pattern).fullmatch(_join(tokens(output))) is not None


def matched_titles(pair: Pair, corrected: bool) -> int:
    """Count the reference's annotated titles that occur in the output, using each place once.

    Corrected ignores their white space and capitals. The authors compare, in order, the titles that their model finds
    on both sides, so that a single missed title shifts all that follow.
    """
    if corrected:
        text = _join([piece.lower() for piece in pieces(pair.output)])
        titles = [_join([piece.lower() for piece in pieces(title)]) for title in pair.titles or ()]
    else:
        text, titles = pair.tidied, list(pair.titles or ())
    count = 0
    # The longest come first, so that a title does not take the place of a longer one that contains it.
    for title in sorted(titles, key=len, reverse=True):
        found = _compile(rf"(?<!\w){regex.escape(title.strip())}(?!\w)").search(text)
        if found:
            count += 1
            text = f"{text[: found.start()]}\0{text[found.end() :]}"
    return count


def same_token_count(pair: Pair, corrected: bool) -> bool:
    """Check for equal numbers of tokens by spaCy's rules, including spaces and line ends; corrected counts words."""
    if corrected:
        return len(_UNICODE_WORDS.tokenize(pair.output)) == len(_UNICODE_WORDS.tokenize(pair.reference))
    return len(rule_tokens(pair.tidied)) == len(rule_tokens(pair.reference))


def rouge_l(pair: Pair, corrected: bool) -> float:
    """Compute ROUGE-L (F) of the ASCII part, 0 for a text without any; corrected uses words of any script."""
    return _rouge(corrected).score(pair.reference, pair.output)["rougeL"].fmeasure


def bleu_counts(pair: Pair, corrected: bool) -> list[int]:
    """Count the summands of corpus BLEU: matched and all n-grams of each length, then the words of both sides."""
    # The tokenizer strips items; 13a recognises only the punctuation of ASCII.
    found = _bleu(CORRECTED_BLEU if corrected else PUBLISHED_BLEU).sentence_score(pair.output, [pair.reference])
    return [*found.counts, *found.totals, found.sys_len, found.ref_len]


def corpus_bleu(sums: Sequence[int]) -> float:
    """Compute BLEU (from 0 to 1, without smoothing) from the sums of `bleu_counts`."""
    *grams, output_words, reference_words = (int(number) for number in sums)
    # The tokenizer's output is already counted.
    score = _bleu(PUBLISHED_BLEU).compute_bleu(
        grams[:4], grams[4:], output_words, reference_words, smooth_method="none"
    )
    return score.score / 100


def _visible_tokens(text: str) -> tuple[str, ...]:
    return tuple(token for token in rule_tokens(text) if token.strip())


def _find(tokens: tuple[str, ...], part: tuple[str, ...], start: int) -> int | None:
    places = range(start, len(tokens) - len(part) + 1)
    return next((place for place in places if part and tokens[place : place + len(part)] == part), None)


def _join(tokens: Sequence[str]) -> str:
    return "".join(f" {token}" for token in tokens)


def _escape(tokens: Sequence[str]) -> str:
    return regex.escape(_join(tokens), special_only=True)


@cache
def _compile(pattern: str) -> regex.Pattern:
    return regex.compile(pattern)


@cache
def _rouge(corrected: bool) -> "RougeScorer":
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise _missing(error) from None
    return RougeScorer(["rougeL"], tokenizer=_UNICODE_WORDS if corrected else None)


@cache
def _bleu(tokenizer: str) -> "BLEU":
    try:
        from sacrebleu.metrics import BLEU
    except ImportError as error:
        raise _missing(error) from None
    # Only the counts are used, and the setting does not change them; without it, each sentence would cause a warning.
    return BLEU(tokenize=tokenizer, smooth_method="none", effective_order=True)


def _missing(error: ImportError) -> MissingResourceError:
    return MissingResourceError(f"{error.name} is not installed; install the extra: {how_to_install('swapping')}")


def missing_bert_score(lang: str) -> str:
    """Explain why BERTScore with the model for `lang` is not available here, or return an empty string."""
    if find_spec("bert_score") is None:
        return f"the package bert-score is not installed ({how_to_install('bert-score')})"
    model = MODELS[lang]
    if all(any(cached_file(model, name) for name in names) for names in _FILES):
        return ""
    return f"the model {model} is not in the Hugging Face cache (hf download {model})"


def bert_scores(outputs: list[str], references: list[str], lang: str) -> list[float]:
    """Compute the F1 of each output, 0 for a blank one; raise `MissingResourceError` if it is not available.

    The package also scores a blank output as 0, but fails on it with transformers 5.
    """
    if reason := missing_bert_score(lang):
        raise MissingResourceError(reason)
    stay_offline()
    import bert_score

    pairs = [(output, reference) for output, reference in zip(outputs, references, strict=True) if output.strip()]
    scores = iter(bert_score.score(*map(list, zip(*pairs, strict=True)), lang=lang)[2]) if pairs else iter(())
    return [float(next(scores)) if output.strip() else 0.0 for output in outputs]


# Items that are scored together. A sentence that is in no corpus belongs to neither group about persons.
STRATA: dict[str, Callable[[Pair], bool]] = {
    ALL: lambda pair: True,
    SENTENCES: lambda pair: pair.kind == SENTENCE,
    WITH_PERSONS: lambda pair: pair.kind == SENTENCE and bool(pair.persons),
    WITHOUT_PERSONS: lambda pair: pair.kind == SENTENCE and pair.persons == (),
    WORDS: lambda pair: pair.kind == WORD,
}
_SHARES: dict[str, Callable[[Pair, bool], float]] = {
    "exact_match": exact_match,
    PERSONS_METRIC: match_without_persons,
    "rouge_l": rouge_l,
    "token_count_match": same_token_count,
    BLANK: lambda pair, corrected: not pair.output.strip(),
}


def score_outputs(
    outputs: Path,
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    scores: Path,
    published_steps: list[str],
    bootstrap: Bootstrap,
) -> None:
    """Write each score as a row of `SCORE_COLUMNS`, for all items and for each of the other `STRATA`.

    `outputs` is in the form of `read_outputs`, and `published_steps` as in the registry. `count` is the number behind a
    share: items, or annotated titles. Intervals are percentile bootstraps over items. Blank outputs count as wrong, and
    have a row of their own. A direction without any output has no value, but a reason.
    """
    rows = load_outputs(outputs)
    known = load_sentence_entities(parallel, documents, entities)
    found = []
    for direction in (ONE_WAY, ROUND_TRIP):
        pairs = pair_outputs(rows, direction, known, TIDIED in published_steps)
        for items, is_chosen in STRATA.items():
            chosen = list(filter(is_chosen, pairs))
            reason = _why_nothing(chosen, direction, items)
            for procedure in PROCEDURES:
                generator = random_generator(bootstrap.seed, "swap_scores", direction, items, procedure)
                # The authors divide by all items; with fewer items, the share would exceed 1.
                per_item = TITLES_PER_ITEM in published_steps and items == ALL and procedure == "published"
                scorer = _Scorer(procedure, per_item, bootstrap, generator)
                values = scorer.score(chosen) if not reason else {}
                for metric in METRICS:
                    value, interval, count, why = values.get(metric, (math.nan, _NONE, len(chosen), reason))
                    cells = (direction, items, metric, procedure, value, interval.low, interval.high, count, why)
                    found.append(dict(zip(SCORE_COLUMNS, cells, strict=True)))
    write_csv(pd.DataFrame(found), scores)


class _Scorer:
    """Score pairs by one procedure."""

    def __init__(self, procedure: str, per_item: bool, bootstrap: Bootstrap, generator: np.random.Generator) -> None:
        self._procedure = procedure
        self._corrected = procedure == "corrected"
        self._titles_per_item = per_item
        self._bootstrap = bootstrap
        self._generator = generator

    def score(self, pairs: list[Pair]) -> dict[str, Value]:
        """Compute value, interval, count and reason of each metric."""
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
        if len(pairs) < MINIMUM_UNITS:
            return corpus_bleu(sums), _NONE, len(pairs), ""
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
        blank = sum(not pair.output.strip() for pair in pairs)
        remark = f"{blank} blank outputs count as 0" if blank else ""
        return float(values.mean()), interval, len(pairs), remark


def measure_items(pairs: list[Pair], corrected: bool) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Compute each item's contribution and divisor for every metric except BLEU and BERTScore."""
    parts = {
        metric: np.array([round(_MILLION * measure(pair, corrected)) for pair in pairs])
        for metric, measure in _SHARES.items()
    }
    wholes = {metric: np.full(len(pairs), _MILLION) for metric in parts}
    titles = np.array([len(pair.titles or ()) for pair in pairs])
    if titles.any():
        parts[TITLE_MATCH], wholes[TITLE_MATCH] = np.array([matched_titles(pair, corrected) for pair in pairs]), titles
    return parts, wholes


def pair_outputs(rows: pd.DataFrame, direction: str, known: SentenceEntities, is_tidied: bool) -> list[Pair]:
    """Pair the outputs of a set with their references, in one direction."""
    pairs = []
    for row in rows.to_dict("records"):
        reference, output = row["reference"], row["output"]
        tidied = tidy(output, row["input"]) if is_tidied else output
        if direction == ROUND_TRIP:
            # The source of the way back is the first output, tidied beforehand.
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
    """Read the rows of several sets by system, which is the file's name."""
    return {path.stem: pd.read_csv(path, keep_default_na=False, na_values=[""]).to_dict("records") for path in paths}
