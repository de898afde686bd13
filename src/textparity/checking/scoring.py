"""What follows from a reader's judgements: how often the method is right, and the corrected share."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from textparity.checking.judgements import (
    UNCLEAR,
    ReadText,
    context_of,
    first_read,
    read_judgements,
)
from textparity.checking.samples import Design, Stratum, TextSample
from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.estimating.agreement import ReaderAgreement
from textparity.estimating.corrected_shares import (
    CorrectedShare,
    DrawnTexts,
    correct_share,
    draws_for_half_width,
)
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.estimating.intervals import clustered_interval

# The number of examples of each kind of error.
_EXAMPLES = 3
MISSED, SAME_PERSON = "missed", "the same person"
# What a reader says of words that only the other one marked.
_NOTHING = "nothing"


@dataclass(frozen=True)
class Error:
    """A kind of error: what was found (`found`, empty if it was missed), what it is, and examples in context.

    `kind` is the kind of what was found: names, nouns, pronouns …
    """

    found: str
    said: str
    kind: str
    number: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class GenderScore:
    """How often the method is right about one gender, in the texts that were read.

    `found`, `right` and `missed` are numbers in these; `precision` and `recall` are estimates for all texts.
    """

    gender: str
    found: int
    right: int
    missed: int
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True)
class CheckScore:
    """What a check says about an audit.

    `draws` are those of which all texts are read, `wanted` all. `share` is that of all texts together, None for a
    sample of matches; `of_strata` has that of each stratum. `to_halve` is the number of draws that would halve its
    interval.
    """

    design: Design
    draws: int
    wanted: int
    texts: int
    genders: tuple[GenderScore, ...]
    share: CorrectedShare | None
    raw_share: float
    of_strata: Mapping[Stratum, CorrectedShare] = field(default_factory=dict)
    errors: tuple[Error, ...] = ()
    unclear: int = 0
    to_halve: int = 0


class Check:
    """A sample with the judgements of one reader."""

    def __init__(self, sample: TextSample, texts: Sequence[ReadText]) -> None:
        self.sample = sample
        self.texts = texts
        self._draws = first_read(sample, texts)

    @classmethod
    def read(cls, folder: Path) -> "Check":
        """Read the check in a folder. Raises `InputError` if a file of it is missing or damaged."""
        sample = TextSample.read(folder)
        return cls(sample, read_judgements(sample))

    @property
    def read_texts(self) -> list[ReadText]:
        """The texts that count: those of the first draws that are all read, each once."""
        counting = {text.drawn.number: text for draws in self._draws for text in draws}
        return [counting[number] for number in sorted(counting)]

    def share_of(self, strata: Iterable[Stratum], level: float) -> CorrectedShare:
        """Correct women's share of some strata together. Undefined if too few of their texts are read."""
        numbers = list(map(self.sample.design.strata.index, strata))
        return correct_share([self._drawn_texts(number) for number in numbers], level)

    def score(self, level: float) -> CheckScore:
        """CheckScore the method by the judgements. Raises `InputError` if no text is read."""
        texts = self.read_texts
        if not texts:
            raise InputError(
                f"{self.sample.folder}: no text is read yet; read some with textparity check mark "
                f"{self.sample.folder}, or fill in the judgements of sample.csv"
            )
        design = self.sample.design
        draws = sum(map(len, self._draws))
        wanted = sum(stratum.draws for stratum in design.strata)
        women = sum(stratum.women for stratum in design.strata)
        men = sum(stratum.men for stratum in design.strata)
        share = None
        of_strata = {}
        to_halve = 0
        if not self.sample.design.is_of_matches:
            share = self.share_of(design.strata, level)
            of_strata = {stratum: self.share_of([stratum], level) for stratum in design.strata}
            to_halve = draws_for_half_width(share, level) if share.corrected != UNDEFINED else 0
        return CheckScore(
            design=design,
            draws=draws,
            wanted=wanted,
            texts=len(texts),
            genders=tuple(self._score_gender(gender, texts, level) for gender in GENDERS),
            share=share,
            raw_share=women / (women + men) if women + men else float("nan"),
            of_strata=of_strata,
            errors=tuple(_find_errors(texts)),
            unclear=sum(_count_unclear(text) for text in texts),
            to_halve=to_halve,
        )

    def _drawn_texts(self, number: int) -> DrawnTexts:
        """Collect the draws of a stratum for the estimator."""
        stratum = self.sample.design.strata[number]
        in_all = np.array([stratum.women, stratum.men], float)
        marked = []
        found = []
        chances = []
        for text in self._draws[number]:
            marked.append(text.marked())
            found.append(text.drawn.found_by_gender())
            chances.append(text.drawn.chance)
        return DrawnTexts(_pairs(marked), _pairs(found), np.array(chances), in_all)

    def _score_gender(self, gender: str, texts: Sequence[ReadText], level: float) -> GenderScore:
        in_texts = [_counts_of(text, gender) for text in texts]
        found, right, missed = np.sum(in_texts, axis=0).tolist()
        in_draws = []
        for draws in self._draws:
            in_draws += [_counts_of(text, gender) for text in draws]
        weights = np.fromiter(self._weights(), float)
        weighted = np.array(in_draws).T * weights
        weighted_right = weighted[1]
        precision = _estimate_part(weighted_right, weighted[0], found, level)
        recall = UNDEFINED
        if not self.sample.design.is_of_matches:
            recall = _estimate_part(weighted_right, weighted_right + weighted[2], right + missed, level)
        return GenderScore(gender, found, right, missed, precision, recall)

    def _weights(self) -> Iterator[float]:
        """Weight each draw by one over its chance and the draws of its stratum. Single matches all had one chance."""
        for draws in self._draws:
            for text in draws:
                yield 1.0 if self.sample.design.is_of_matches else 1 / (text.drawn.chance * len(draws))


def _pairs(counts: list[tuple[int, int]]) -> np.ndarray:
    return np.array(counts, float).reshape(-1, len(GENDERS))


def _estimate_part(parts: np.ndarray, wholes: np.ndarray, items: int, level: float) -> Estimate:
    """Estimate a part in all texts from weighted numbers of draws, which stand for so many `items` that were read."""
    if not items:
        return UNDEFINED
    scale = items / wholes.sum()
    return clustered_interval(parts * scale, wholes * scale, level)


def _counts_of(text: ReadText, gender: str) -> tuple[int, int, int]:
    """Count what was found of a gender and is clear, what of it is right, and what there was in addition."""
    found = right = missed = 0
    for item in text.drawn.found:
        said = text.judgement(item)
        if item.gender == gender and said != UNCLEAR:
            found += 1
            right += said == gender
        elif said == gender:
            missed += 1
    missed += sum(added.gender == gender for added in text.missed.values())
    return found, right, missed


def _count_unclear(text: ReadText) -> int:
    of_found = sum(text.judgement(item) == UNCLEAR and item.gender in GENDERS for item in text.drawn.found)
    return of_found + sum(missed.gender == UNCLEAR for missed in text.missed.values())


class _ErrorKind(NamedTuple):
    found: str
    said: str
    kind: str


def _find_errors(texts: Sequence[ReadText]) -> list[Error]:
    """Put the errors about women and men in order of their number."""
    contexts: defaultdict[_ErrorKind, list[str]] = defaultdict(list)
    for text in texts:
        for kind, context in _errors_in(text):
            contexts[kind].append(context)
    errors = []
    for kind, examples in contexts.items():
        errors.append(Error(*kind, number=len(examples), examples=tuple(examples[:_EXAMPLES])))
    return sorted(errors, key=lambda error: (-error.number, error.found, error.said, error.kind))


def _errors_in(text: ReadText) -> Iterator[tuple[_ErrorKind, str]]:
    """List each error with the words around it."""
    whole = text.drawn.text
    for item in text.drawn.found:
        said = text.judgement(item)
        if not _is_error(item.gender, said):
            continue
        if item.number in text.same_as:
            said = SAME_PERSON
        context = context_of(whole, item.spans) or item.words
        yield _ErrorKind(item.gender, said, item.kind), context
    for missed in text.missed.values():
        if missed.gender in GENDERS:
            place = (missed.start, missed.end)
            yield _ErrorKind("", missed.gender, MISSED), context_of(whole, [place])


def _is_error(found: str, said: str) -> bool:
    """Check whether a woman or man was found wrongly, or is somebody found as neither."""
    if found in GENDERS:
        return said not in (found, UNCLEAR)
    return said in GENDERS


def compare_readers(first: Check, second: Check) -> ReaderAgreement:
    """Compare two readers of one sample on the texts that both have read.

    They are compared on each thing found, and on words that at least one of them marked as missed. Raises `InputError`
    if they did not read the same sample.
    """
    if first.sample.digest != second.sample.digest:
        raise InputError(
            f"{second.sample.folder}: is another sample than {first.sample.folder}; copy the folder before the first "
            "reader begins"
        )
    pairs: list[tuple[str, str]] = []
    for text, other in zip(first.texts, second.texts, strict=True):
        if not (text.is_read and other.is_read):
            continue
        pairs += [(text.judgement(item), other.judgement(item)) for item in text.drawn.found]
        pairs += _pair_missed(text, other)
    return ReaderAgreement.of(pairs)


def _pair_missed(text: ReadText, other: ReadText) -> Iterator[tuple[str, str]]:
    """Pair the words that two readers added, one to one, if they overlap."""
    left = list(other.missed.values())
    for missed in text.missed.values():
        same = [added for added in left if added.start < missed.end and missed.start < added.end]
        if same:
            left.remove(same[0])
        yield missed.gender, same[0].gender if same else _NOTHING
    for added in left:
        yield _NOTHING, added.gender


def positions(check: Check) -> Iterator[dict[str, object]]:
    """List what was found and missed in the texts that are read, with judgements and without a word of the texts."""
    for text in check.texts:
        if not text.is_read:
            continue
        drawn = text.drawn
        names = {"text": drawn.number, "corpus": drawn.corpus, "place": drawn.place, "id": drawn.id, "lang": drawn.lang}
        names |= {"draws": " ".join(map(str, drawn.draws)), "chance": drawn.chance}
        for item in drawn.found:
            for start, end in item.spans or ((None, None),):
                place = {"start": start, "end": end, "number": item.number}
                said = SAME_PERSON if item.number in text.same_as else text.judgement(item)
                same_as = text.same_as.get(item.number)
                yield {**names, **place, "found": item.gender, "judgement": said, "same_as": same_as}
        for missed in text.missed.values():
            place = {"start": missed.start, "end": missed.end, "number": None}
            yield {**names, **place, "found": "", "judgement": missed.gender, "same_as": None}
