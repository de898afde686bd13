"""How well a swapped sentence matches its reference: one number an item, by the paper's procedure and corrected.

Nahurna 2025, §3.5 and §4.1.5. Published are the authors' notebooks: the texts as they are, BLEU and ROUGE-L as the
package `evaluate` has them, and tokens by spaCy's Ukrainian rules. Their entities come from a model that is not here;
the annotations of the references stand in for it. Corrected compares what a reader sees: white space does not count
(half the references are tokenised, with spaces before full stops, and outputs are not), letters of any script do.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import regex

from textparity.errors import MissingResourceError
from textparity.studies.swapping.language.words import UnicodeWords, pieces, rule_tokens

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics import BLEU

# Of a name: a word with a capital, an initial's full stop, what joins two names.
_NAME_TOKENS = r"(?: (?:\p{Lu}\S*|[.'’ʼ-])){0,8}?"
_UNICODE_WORDS = UnicodeWords()
CORRECTED_BLEU, PUBLISHED_BLEU = "intl", "13a"
# What the package bert-score takes for English, which the authors ask for, and for Ukrainian.
MODELS = {"en": "roberta-large", "uk": "bert-base-multilingual-cased"}
_FILES = (("config.json",), ("model.safetensors", "pytorch_model.bin"))


@dataclass(frozen=True)
class Pair:
    """An output and what it should be; `tidied` is the output as the published procedure takes it for entities.

    `titles` and `persons` are those of the reference, None where they are not known.
    """

    kind: str
    reference: str
    output: str
    tidied: str
    titles: tuple[str, ...] | None
    persons: tuple[str, ...] | None


def tidy(output: str, source: str) -> str:
    """Return an output with a lower-case beginning and without a full stop at the end, where its source has it so."""
    if not source.strip().endswith("."):
        output = output.removesuffix(".")
    return output[:1].lower() + output[1:] if source[:1].islower() else output


def exact_match(pair: Pair, corrected: bool) -> bool:
    """Whether output and reference are equal; corrected: but for white space."""
    if corrected:
        return pieces(pair.output) == pieces(pair.reference)
    return pair.output == pair.reference


def match_without_persons(pair: Pair, corrected: bool) -> bool:
    """Whether they are equal but for white space and the persons annotated in the reference.

    In the place of a person may stand anything that looks like a name, or nothing. The authors take away what their
    model takes for a person, on either side.
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
    """Return how many of the reference's annotated titles stand in the output, each place used once.

    Corrected: whatever their white space and capitals. The authors compare the titles that their model finds on both
    sides in order, so that one that it misses shifts all that follow.
    """
    if corrected:
        text = _join([piece.lower() for piece in pieces(pair.output)])
        titles = [_join([piece.lower() for piece in pieces(title)]) for title in pair.titles or ()]
    else:
        text, titles = pair.tidied, list(pair.titles or ())
    count = 0
    # The longest first, so that a title does not take the place of another that it is part of.
    for title in sorted(titles, key=len, reverse=True):
        found = _compile(rf"(?<!\w){regex.escape(title.strip())}(?!\w)").search(text)
        if found:
            count += 1
            text = f"{text[: found.start()]}\0{text[found.end() :]}"
    return count


def same_token_count(pair: Pair, corrected: bool) -> bool:
    """Whether both have as many tokens by spaCy's rules, spaces and line ends included; corrected: as many words."""
    if corrected:
        return len(_UNICODE_WORDS.tokenize(pair.output)) == len(_UNICODE_WORDS.tokenize(pair.reference))
    return len(rule_tokens(pair.tidied)) == len(rule_tokens(pair.reference))


def rouge_l(pair: Pair, corrected: bool) -> float:
    """Return ROUGE-L (F) of what is ASCII, which is 0 for a text without; corrected: of words of any script."""
    return _rouge(corrected).score(pair.reference, pair.output)["rougeL"].fmeasure


def bleu_counts(pair: Pair, corrected: bool) -> list[int]:
    """Return what corpus BLEU adds up: matched and all n-grams of each length, then the words of both sides."""
    # Items are stripped by the tokenizer; 13a knows no punctuation but ASCII's.
    found = _bleu(CORRECTED_BLEU if corrected else PUBLISHED_BLEU).sentence_score(pair.output, [pair.reference])
    return [*found.counts, *found.totals, found.sys_len, found.ref_len]


def corpus_bleu(sums: Sequence[int]) -> float:
    """Return BLEU (from 0 to 1, without smoothing) of the sums of `bleu_counts`."""
    *grams, output_words, reference_words = (int(number) for number in sums)
    # What the tokenizer left is counted already.
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
    # The counts alone are used, which the order does not change; without it, each sentence would be warned about.
    return BLEU(tokenize=tokenizer, smooth_method="none", effective_order=True)


def _missing(error: ImportError) -> MissingResourceError:
    return MissingResourceError(f"{error.name} is not installed; install the extra: pip install 'textparity[swapping]'")


def missing_bert_score(lang: str) -> str:
    """Return why BERTScore with the model for `lang` cannot be had here, or an empty string."""
    if find_spec("bert_score") is None:
        return "the package bert-score is not installed (pip install 'textparity[bert-score]')"
    from huggingface_hub import try_to_load_from_cache

    model = MODELS[lang]
    if all(any(isinstance(try_to_load_from_cache(model, name), str) for name in names) for names in _FILES):
        return ""
    return f"the model {model} is not in the Hugging Face cache (hf download {model})"


def bert_scores(outputs: list[str], references: list[str], lang: str) -> list[float]:
    """Return the F1 of each output; raises `MissingResourceError` where it cannot be had."""
    if reason := missing_bert_score(lang):
        raise MissingResourceError(reason)
    with _offline():
        import bert_score

        return [float(value) for value in bert_score.score(outputs, references, lang=lang)[2]]


@contextmanager
def _offline() -> Iterator[None]:
    """Keep the Hub's client from asking for newer models."""
    before = os.environ.get("HF_HUB_OFFLINE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["HF_HUB_OFFLINE"]
        else:
            os.environ["HF_HUB_OFFLINE"] = before
