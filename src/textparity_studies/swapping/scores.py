"""Score sets of swapped outputs, one way and back again, and compare them (Nahurna 2025, §3.5 and §4.1.5, Tables 3, 8).

Published follows the authors' notebooks: unchanged texts, BLEU and ROUGE-L from the package `evaluate`, and tokens by
spaCy's Ukrainian rules. Their entities come from a model that is not available, so the annotations of the references
replace it. Corrected compares what a reader sees. White space does not count: half the references are tokenised, with
spaces before full stops, and outputs are not. Letters of any script count.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import regex

from textparity.counting import PROCEDURES
from textparity.errors import MissingResourceError, how_to_install
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios, percentile_intervals, resample_sums
from textparity.estimating.estimates import MINIMUM_UNITS, UNDEFINED, Estimate
from textparity.estimating.seeds import random_generator
from textparity.tables import Table, show_interval, write_csv
from textparity_studies.measures.encoders import cached_file, stay_offline
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.swapping.outputs import SENTENCE, WORD, SentenceEntities, load_outputs, tidy
from textparity_studies.swapping.settings import ALL
from textparity_studies.swapping.word_forms import UnicodeWords, pieces, rule_tokens
from textparity_studies.workflow.registry import TIDIED, TITLES_PER_ITEM

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
_KEYS = ["direction", "items", "metric", "procedure"]
# The bootstrap requires whole numbers.
_MILLION = 1_000_000


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


@dataclass(frozen=True)
class Score:
    """Hold a score with its interval, the number of items or titles behind it, and a remark or the reason for none."""

    estimate: Estimate
    count: int
    reason: str = ""


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
    cut = pieces if corrected else _visible_tokens
    wanted, pattern, place = cut(pair.reference), "", 0
    for person in map(cut, pair.persons or ()):
        starts = range(place, len(wanted) - len(person) + 1)
        found = next((start for start in starts if person and wanted[start : start + len(person)] == person), None)
        if found is not None:
            pattern += _escape(wanted[place:found]) + _NAME_TOKENS
            place = found + len(person)
    pattern += _escape(wanted[place:])
    return _compile(pattern).fullmatch(_join(cut(pair.output if corrected else pair.tidied))) is not None


def matched_titles(pair: Pair, corrected: bool) -> int:
    """Count the reference's annotated titles that occur in the output, using each place once.

    Corrected ignores their white space and capitals. The authors compare, in order, the titles that their model finds
    on both sides, so that a single missed title shifts all that follow.
    """
    text, titles = pair.tidied, list(pair.titles or ())
    if corrected:
        text, *titles = (_join(pieces(part)).lower() for part in (pair.output, *titles))
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


def corpus_bleu(sums: Sequence[float]) -> float:
    """Compute BLEU (from 0 to 1, without smoothing) from the sums of `bleu_counts`."""
    *grams, output_words, reference_words = (int(number) for number in sums)
    # The tokenizer's output is already counted.
    score = _bleu(PUBLISHED_BLEU).compute_bleu(
        grams[:4], grams[4:], output_words, reference_words, smooth_method="none"
    )
    return score.score / 100


def _visible_tokens(text: str) -> list[str]:
    return [token for token in rule_tokens(text) if token.strip()]


def _join(tokens: Sequence[str]) -> str:
    return "".join(f" {token}" for token in tokens)


def _escape(tokens: Sequence[str]) -> str:
    return regex.escape(_join(tokens), special_only=True)


_compile = cache(regex.compile)


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
    """Write each score as a row, for all items and for each of the other `STRATA`.

    `outputs` is in the form of `read_outputs`, and `published_steps` as in the registry. `count` is the number behind a
    share: items, or annotated titles. Intervals are percentile bootstraps over items. Blank outputs count as wrong, and
    have a row of their own. A direction without any output has no value, but a reason.
    """
    rows = load_outputs(outputs)
    known = SentenceEntities.load(parallel, documents, entities)
    found = []
    for direction, (items, is_chosen) in itertools.product((ONE_WAY, ROUND_TRIP), STRATA.items()):
        chosen = list(filter(is_chosen, pair_outputs(rows, direction, known, TIDIED in published_steps)))
        reason = _why_nothing(chosen, direction, items)
        for procedure in PROCEDURES:
            generator = random_generator(bootstrap.seed, "swap_scores", direction, items, procedure)
            # The authors divide by all items; with fewer items, the share would exceed 1.
            per_item = TITLES_PER_ITEM in published_steps and items == ALL and procedure == "published"
            values = {} if reason else _score(chosen, procedure == "corrected", per_item, bootstrap, generator)
            for metric in METRICS:
                score = values.get(metric, Score(UNDEFINED, len(chosen), reason))
                keys = direction, items, metric, procedure
                found.append([*keys, *astuple(score.estimate), score.count, score.reason])
    write_csv(pd.DataFrame(found, columns=[*_KEYS, "value", "low", "high", "count", "reason"]), scores)


def _score(
    pairs: list[Pair], corrected: bool, per_item: bool, bootstrap: Bootstrap, generator: np.random.Generator
) -> dict[str, Score]:
    """Compute each metric by one procedure; the share of titles is divided by items if `per_item` is true."""
    parts, wholes = measure_items(pairs, corrected)
    remarks = dict.fromkeys(parts, "")
    remarks[PERSONS_METRIC] = _count_unannotated(pairs, "persons")
    if TITLE_MATCH in parts and per_item:
        wholes[TITLE_MATCH] = np.ones(len(pairs), dtype=int)
        remarks[TITLE_MATCH] = "titles are divided by items, not by titles, as the authors do for this system alone"
    elif TITLE_MATCH in parts:
        remarks[TITLE_MATCH] = _count_unannotated(pairs, "titles")
    estimates = bootstrap_ratios(np.stack([*parts.values()]), np.stack([*wholes.values()]), bootstrap, generator)
    found = {TITLE_MATCH: Score(UNDEFINED, 0, "there is no annotated title in these items")}
    for metric, estimate in zip(parts, estimates, strict=True):
        count = int(wholes[metric].sum()) if metric == TITLE_MATCH else len(pairs)
        found[metric] = Score(estimate, count, remarks[metric])
    found[BLEU_METRIC] = _score_bleu(pairs, corrected, bootstrap, generator)
    found[BERT_METRIC] = _score_bert(pairs, "uk" if corrected else "en", bootstrap, generator)
    return found


def _score_bleu(pairs: list[Pair], corrected: bool, bootstrap: Bootstrap, generator: np.random.Generator) -> Score:
    counts = np.array([bleu_counts(pair, corrected) for pair in pairs])
    if all(pair.kind == WORD for pair in pairs):
        return Score(UNDEFINED, len(pairs), "BLEU is of up to four words together; these are single ones")
    estimate = Estimate(corpus_bleu(counts.sum(axis=0)))
    if len(pairs) >= MINIMUM_UNITS:
        sums = resample_sums(counts, bootstrap.resamples, generator)
        resampled = np.array([[corpus_bleu(of_resample)] for of_resample in sums])
        (estimate,) = percentile_intervals([estimate.value], resampled, bootstrap.confidence_level)
    return Score(estimate, len(pairs))


def _score_bert(pairs: list[Pair], lang: str, bootstrap: Bootstrap, generator: np.random.Generator) -> Score:
    if reason := missing_bert_score(lang):
        return Score(UNDEFINED, len(pairs), Need(Reason.NOT_DOWNLOADED, reason))
    values = np.array(bert_scores([pair.output for pair in pairs], [pair.reference for pair in pairs], lang))
    part = np.round(values * _MILLION).astype(int)[None, :]
    (estimate,) = bootstrap_ratios(part, np.full((1, len(pairs)), _MILLION), bootstrap, generator)
    blank = sum(not pair.output.strip() for pair in pairs)
    remark = f"{blank} blank outputs count as 0" if blank else ""
    return Score(replace(estimate, value=float(values.mean())), len(pairs), remark)


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
        source, reference, output = row["input"], row["reference"], row["output"]
        if direction == ROUND_TRIP:
            # The source of the way back is the first output, tidied beforehand.
            first = tidy(output, source) if is_tidied else output
            source, reference, output = first, row["input"], row["round_trip"]
        tidied = tidy(output, source) if is_tidied else output
        entities = known.titles_of(reference), known.persons_of(reference)
        pairs.append(Pair(row["kind"], reference, output, tidied, *entities))
    return pairs


def _why_nothing(pairs: list[Pair], direction: str, items: str) -> str:
    if not pairs:
        return f"there are no {'items' if items == ALL else items} in this set"
    if all(not pair.output.strip() for pair in pairs):
        return f"there is no output {'back' if direction == ROUND_TRIP else 'one way'} in this set"
    return ""


def _count_unannotated(pairs: list[Pair], what: str) -> str:
    sentences = [pair for pair in pairs if pair.kind == SENTENCE]
    missing = sum(getattr(pair, what) is None for pair in sentences)
    return f"{missing} of {len(sentences)} references have no annotated {what}" if missing else ""


def read_scores(paths: list[Path]) -> dict[str, pd.DataFrame]:
    """Read the scores of several sets by system, which is the file's name."""
    return {path.stem: pd.read_csv(path, keep_default_na=False, na_values=[""]) for path in paths}


def tabulate_swap_scores(scores: list[Path], names: dict[str, str]) -> list[Table]:
    """Tabulate the scores with the columns of each system; `names` are the systems' names in print.

    The printed table has all items and sentences.
    """
    frames = []
    for system, frame in read_scores(scores).items():
        others = {name: f"{system}_{name}" for name in ("low", "high", "count", "reason")}
        frames.append(frame.set_index(_KEYS).rename(columns={"value": system} | others))
    table = pd.concat(frames, axis="columns").reset_index()
    printed = _in_words(table[table["items"].isin([ALL, SENTENCES])])
    for path in scores:
        ends = zip(printed[f"{path.stem}_low"], printed[f"{path.stem}_high"], strict=True)
        printed[path.stem] = [
            "--" if pd.isna(value) else f"{value:.2f} ({show_interval(low, high)})"
            for value, (low, high) in zip(printed[path.stem], ends, strict=True)
        ]
    columns = {key: key for key in _KEYS} | {path.stem: names.get(path.stem, path.stem) for path in scores}
    return [Table("swap_scores", table, columns, printed=printed)]


def compare_outputs(
    outputs: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    tidied: list[str],
    names: dict[str, str],
    bootstrap: Bootstrap,
) -> list[Table]:
    """Tabulate the difference (system - other) of every two systems with the same items, with bootstrap intervals.

    Both systems' items are resampled together. Systems are the names of the files of `outputs`; those of `tidied` are
    tidied as published. Title scores are divided by the titles for all systems. BLEU and BERTScore are not compared,
    because they are not sums over items here. A direction without outputs of one system has no rows. The intervals are
    not corrected for multiple comparisons.
    """
    known = SentenceEntities.load(parallel, documents, entities)
    rows_of = {path.stem: load_outputs(path) for path in outputs}
    found: list[dict[str, Any]] = []
    for direction in (ONE_WAY, ROUND_TRIP):
        pairs_of = {system: pair_outputs(rows, direction, known, system in tidied) for system, rows in rows_of.items()}
        comparable = [
            both for both in itertools.combinations(pairs_of, 2) if _are_comparable(*(pairs_of[one] for one in both))
        ]
        for procedure in PROCEDURES:
            measured = {system: measure_items(pairs, procedure == "corrected") for system, pairs in pairs_of.items()}
            for system, other in comparable:
                for items, is_chosen in STRATA.items():
                    keys = {"direction": direction, "items": items, "procedure": procedure}
                    chosen = np.array([is_chosen(pair) for pair in pairs_of[system]])
                    generator = random_generator(bootstrap.seed, "swap_differences", direction, items, procedure)
                    found += [
                        keys | {"system": system, "other": other} | row
                        for row in _compare(measured[system], measured[other], chosen, bootstrap, generator)
                    ]
    columns = ["direction", "items", "metric", "procedure", "system", "other"]
    numbers = ["difference", "difference_low", "difference_high", "count"]
    table = pd.DataFrame(found, columns=columns + numbers)
    shown = table[
        (table["direction"] == ONE_WAY)
        & (table["procedure"] == "corrected")
        & table["items"].isin([ALL, SENTENCES])
        & table["metric"].isin(["exact_match", PERSONS_METRIC, TITLE_MATCH, "rouge_l"])
    ]
    printed = _in_words(shown).assign(system=shown["system"].replace(names), other=shown["other"].replace(names))
    heads = {name: name for name in ("system", "other", "items", "metric", "difference")}
    heads["difference_interval"] = "interval"
    return [Table("swap_differences", table, heads, {"difference": "{:+z.2f}"}, printed=printed)]


Measured = tuple[dict[str, np.ndarray], dict[str, np.ndarray]]


def _compare(
    first: Measured, second: Measured, chosen: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator
) -> Iterator[dict[str, Any]]:
    (parts, wholes), (others, _) = first, second
    metrics = [name for name in parts if name != BLANK and wholes[name][chosen].any()]
    if not metrics:
        return
    differences = np.stack([(parts[name] - others[name])[chosen] for name in metrics])
    divisors = np.stack([wholes[name][chosen] for name in metrics])
    estimates = bootstrap_ratios(differences, divisors, bootstrap, generator)
    for name, divisor, estimate in zip(metrics, divisors, estimates, strict=True):
        count = int(divisor.sum()) if name == TITLE_MATCH else int(chosen.sum())
        yield {"metric": name} | estimate.columns("difference") | {"count": count}


def _are_comparable(first: list[Pair], second: list[Pair]) -> bool:
    """Check that both have the same items, and any output."""
    return [pair.reference for pair in first] == [pair.reference for pair in second] and all(
        any(pair.output.strip() for pair in pairs) for pairs in (first, second)
    )


def _in_words(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(**{name: table[name].str.replace("_", " ") for name in ("direction", "metric")})
