"""Counting a batch of texts, and adding batches up: what a worker does, and what is kept of its work."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from textparity.auditing.examples import Candidate, Example, Sample
from textparity.auditing.languages import (
    LexiconFiles,
    find_lexicon,
    find_tokenizer,
    language_row,
    load_chooser,
)
from textparity.auditing.persons import load_finder
from textparity.auditing.settings import AuditSettings
from textparity.measures.counting import Counts, count_texts
from textparity.measures.lexicon import Lexicon, read_lexicon, terms_of
from textparity.measures.procedures import REVISED
from textparity.measures.revision import revised_terms
from textparity.measures.statistics import Gap, Minimum, Resamples
from textparity.measures.summary import summarise_totals
from textparity.measures.terms import CLASSES, Match, Term, TermMatcher, fix_form
from textparity.measures.tokenizers import Tokenizer, load_tokenizer
from textparity.persons.mentions import INCLUSIVE
from textparity.persons.methods import PERSONS, Method

TOTALS = ("texts", "blank_texts", "matched_texts", "words", *CLASSES, "feminine_and_masculine")
IDENTIFIER_UNSURE = "language not sure"
# The generator of each round of draws, by its number.
Generators = Callable[[int], np.random.Generator]


@dataclass
class Tally:
    """What is known of one language of some texts; memory does not grow with their number."""

    samples: dict[str, Sample[Example]]
    resamples: Resamples
    totals: Counter[str] = field(default_factory=Counter)
    gap: Gap = field(default_factory=Gap)
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    layers: Counter[tuple[str, str]] = field(default_factory=Counter)
    detected: int = 0
    certainty: float = 0.0
    tokenizer: str = ""
    stand_in: bool = False

    @classmethod
    def empty(cls, settings: AuditSettings, generator: Generators = np.random.default_rng) -> "Tally":
        """Return the tally of no text; `generator` is that of `Resamples`, needed by what is summed up."""
        samples: dict[str, Sample[Example]] = {name: Sample(settings.examples) for name in CLASSES}
        return cls(samples, Resamples(settings.resamples, generator))

    def add(self, other: "Tally") -> None:
        """Add the texts of another tally."""
        self.totals.update(other.totals)
        self.gap += other.gap
        self.forms.update(other.forms)
        self.layers.update(other.layers)
        for name, sample in other.samples.items():
            self.samples[name].merge(sample)
        self.resamples.merge(other.resamples)
        self.detected += other.detected
        self.certainty += other.certainty
        self.tokenizer, self.stand_in = other.tokenizer, other.stand_in

    def summary(self, settings: AuditSettings) -> dict[str, Any]:
        """Return the columns of the workflow's summary, but for those of `decide_family`."""
        totals = {name: self.totals[name] for name in TOTALS}
        intervals = self.resamples.intervals(settings.confidence_level)
        minimum = Minimum(settings.minimum_matches, settings.minimum_units)
        row = summarise_totals(totals, intervals, self.gap, "text", settings.procedure, minimum)
        return row | {"tokenizer": self.tokenizer, "stand_in": self.stand_in}


@dataclass
class Batch:
    """What became of a batch: its languages, and how many texts were left out for which reason."""

    languages: dict[str, Tally]
    left_out: Counter[str]
    mentions: list[dict[str, Any]] = field(default_factory=list)


def tally_batch(
    settings: AuditSettings, lang: str | None, file: str, texts: Sequence[str], places: Sequence[int]
) -> Batch:
    """Count texts of a file, each in its own language where `lang` is None; `places` are their lines or records."""
    left_out: Counter[str] = Counter()
    by_lang: dict[str, list[int]] = {lang: list(range(len(texts)))} if lang else {}
    certainties: dict[str, list[float]] = {}
    if not lang:
        for number, text in enumerate(texts):
            found, certainty = _identify(settings, text, left_out)
            if found:
                by_lang.setdefault(found, []).append(number)
                certainties.setdefault(found, []).append(certainty)
    languages: dict[str, Tally] = {}
    mentions: list[dict[str, Any]] = []
    for name, numbers in by_lang.items():
        tools = _tools(settings, name)
        if tools is None:
            left_out[f"no lexicon for {language_row(name).name} ({name})"] += len(numbers)
            continue
        batch = _tally([texts[number] for number in numbers], [places[number] for number in numbers],
                       tools, name, file, settings, mentions)  # fmt: skip
        batch.detected, batch.certainty = len(certainties.get(name, [])), sum(certainties.get(name, []))
        languages[name] = batch
    return Batch(languages, left_out, mentions)


def _identify(settings: AuditSettings, text: str, left_out: Counter[str]) -> tuple[str, float]:
    choice = load_chooser().choose("", text)
    reason = choice.reason
    if choice.code and choice.certainty < settings.minimum_certainty:
        reason = IDENTIFIER_UNSURE
    elif choice.reason == "another language":
        reason = f"language without a lexicon: {choice.code}"
    if not text.strip():
        reason = "blank"
    if reason:
        left_out[reason] += 1
        return "", 0.0
    return choice.lang, choice.certainty


class _Tools(NamedTuple):
    """What counts one language: a lexicon as it is, terms of a revision or of the user's choice, or a `finder`."""

    tokenizer: Tokenizer
    lexicon: Lexicon
    terms: TermMatcher | None
    finder: Method | None = None


def _tools(settings: AuditSettings, lang: str) -> _Tools | None:
    files = find_lexicon(settings, lang)
    if files is None:
        return None
    if settings.method == PERSONS:
        return _Tools(_tokenizer(settings.engine, lang), Lexicon([]), None, load_finder(settings, lang))
    # A lexicon may be edited between two audits of one session.
    changed = tuple(path.stat().st_mtime_ns for path in files if path)
    words = settings.layers, settings.exclude_words, settings.include_words
    return _Tools(_tokenizer(settings.engine, lang), *_lexicon(files, changed, lang, *words))


@cache
def _tokenizer(engine: str, lang: str) -> Tokenizer:
    return load_tokenizer(*find_tokenizer(engine, lang))


@lru_cache(maxsize=128)
def _lexicon(
    files: LexiconFiles,
    changed: tuple[int, ...],
    lang: str,
    layers: tuple[str, ...],
    exclude_words: tuple[str, ...],
    include_words: tuple[str, ...],
) -> tuple[Lexicon, TermMatcher | None]:
    entries = read_lexicon(files.lexicon) if files.lexicon else []
    if files.revision is None and (layers, exclude_words, include_words) == (("nouns",), (), ()):
        return Lexicon(entries), None
    names = language_row(lang).first_names if "names" in layers else ""
    terms = revised_terms(entries, files.revision, names) if files.revision else terms_of(entries)
    named = (word.partition(":") for word in include_words)
    included = [Term(fix_form(form), name, layers[0]) for name, _, form in named]
    left_out = {*map(fix_form, exclude_words), *(term.form for term in included)}
    kept = [term for term in terms if term.form not in left_out]
    # Nothing is counted twice: the terms stand for the lexicon.
    return Lexicon([]), TermMatcher([*kept, *included], layers)


def _found_by(
    finder: Method, texts: list[str], places: list[int], lang: str, file: str, kept: list[dict[str, Any]] | None
) -> Iterator[list[Match]]:
    """Yield what is found in each text as matches, and keep the mentions with their places."""
    for text_place, mentions in zip(places, finder.find(texts), strict=True):
        if kept is not None:
            where = {"corpus": file, "place": text_place, "lang": lang}
            kept += [where | asdict(mention) for mention in mentions]
        yield [
            # People of all genders are unspecified in a count of three classes.
            Match(fix_form(mention.text), frozenset({"unspecified" if mention.gender == INCLUSIVE else mention.gender}),
                  f"{mention.kind}s")
            for mention in mentions
        ]  # fmt: skip


def _tally(
    texts: list[str],
    places: list[int],
    tools: _Tools,
    lang: str,
    file: str,
    settings: AuditSettings,
    mentions: list[dict[str, Any]],
) -> Tally:
    found = Tally.empty(settings)
    found.tokenizer, found.stand_in = tools.tokenizer.label, tools.tokenizer.stand_in
    samples: dict[str, Sample[Candidate]] = {name: Sample(settings.examples) for name in CLASSES}
    row = language_row(lang)
    counted = count_texts(texts, tools.tokenizer, tools.lexicon, row.published_uses_stanza, tools.terms)
    procedure = REVISED if tools.terms else settings.procedure
    if tools.finder is not None:
        kept = mentions if settings.keep_mentions else None
        by_text = _found_by(tools.finder, texts, places, lang, file, kept)
        counted = [
            {procedure: Counts(both[procedure].words, matches)} for both, matches in zip(counted, by_text, strict=True)
        ]
    # Of each text: words, feminine, masculine, words of both genders.
    per_text: list[tuple[int, int, int, int]] = []
    for text, place, both in zip(texts, places, counted, strict=True):
        counts: Counts = both[procedure]
        forms: dict[str, list[str]] = {name: [] for name in CLASSES}
        of_both = 0
        for form, classes, layer, _ in counts.matches:
            for name in classes:
                forms[name].append(form)
                found.layers[layer, name] += 1
            of_both += {"feminine", "masculine"} <= classes
        feminine, masculine, unspecified = (len(forms[name]) for name in CLASSES)
        per_text.append((counts.words, feminine, masculine, of_both))
        if counts.words:
            found.resamples.kinds[(counts.words, feminine, masculine, unspecified)] += 1
        for name, these in forms.items():
            if these:
                found.totals[name] += len(these)
                found.forms.update((name, form) for form in these)
                samples[name].offer(settings.seed, name, Candidate(text, tuple(these), row.icu_locale, place))
        found.totals["feminine_and_masculine"] += of_both
        found.totals["matched_texts"] += bool(counts.matches)
        found.totals["blank_texts"] += not counts.words
    found.samples = {name: sample.shown(file) for name, sample in samples.items()}
    found.gap = Gap.of(*np.array(per_text).T)
    found.totals["texts"] = len(texts)
    found.totals["words"] = found.gap.words
    return found
