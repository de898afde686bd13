"""Count a batch of texts and add batches up: the work of one process, and the tallies that are kept of it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa

from textparity.auditing import languages
from textparity.auditing.contexts import Contexts, digest_context
from textparity.auditing.copies import DistinctTexts
from textparity.auditing.groups import SEPARATOR, ShownGroups, choose_shown
from textparity.auditing.records import (
    Example,
    Sample,
    cut_example,
    find_spans,
    in_field,
    make_ids,
    make_records,
    spans_of_mentions,
)
from textparity.auditing.reliability import count_writing, share_columns
from textparity.auditing.settings import AuditSettings
from textparity.corpora.content_language import Choice, may_have_script
from textparity.corpora.identifier import MILLION
from textparity.counting import CLASSES, GENDERS, REVISED
from textparity.counting.icu_counter import MatchTable
from textparity.counting.lexicon import Lexicon, read_lexicon, revised_terms, terms_of
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import Match, Term, TermMatcher, fix_form
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import Tokenizer, load_tokenizer
from textparity.counting.totals import summarise_totals
from textparity.errors import InputError
from textparity.estimating.estimates import MINIMUM_UNITS, UNDEFINED
from textparity.estimating.gaps import EvidenceThreshold, GenderGap
from textparity.estimating.seeds import Ranks, random_generator
from textparity.estimating.streaming_bootstrap import Generator, StreamingBootstrap
from textparity.folding import load_folding
from textparity.persons.mentions import INCLUSIVE, PERSONS, Mention
from textparity.reading.documents import Texts

TOTALS = ("texts", "blank_texts", "matched_texts", "words", *CLASSES, "feminine_and_masculine")
# With --detect file, the language of a file is detected from about this many of its texts.
TEXTS_SAMPLED = 200
IDENTIFIER_UNSURE = "language not sure"
MIXED = "of several languages, none of which has more than half"
# The name of a corpus that consists of several files.
ALL = "all"
# The maximum number of groups of a language in memory, and of bins per group, which is far lower than per language.
MOST_GROUPS, KINDS_OF_GROUP = 1000, 1000
# The maximum number of different codes, among those that records name, of languages without a lexicon.
MOST_CODES = 1000


@dataclass
class Tally:
    """The counts of one language of some texts, or of one group of them. Memory does not grow with the number of texts.

    The counts do not depend on the order of texts and batches. `certainty` is the sum, in millionths, of the
    probabilities of the texts whose language was detected.
    """

    samples: dict[str, Sample[Example]]
    resamples: StreamingBootstrap
    totals: Counter[str] = field(default_factory=Counter)
    gap: GenderGap = field(default_factory=GenderGap)
    distinct: DistinctTexts = field(default_factory=DistinctTexts)
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    layers: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Surnames that the texts show: the matches by class, form, and the name that shows it.
    learned: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    contexts: Contexts = field(default_factory=Contexts)
    detected: int = 0
    certainty: int = 0
    tokenizer: str = ""
    stand_in: bool = False
    # Set only for the tally of a part. Otherwise it is computed with the result.
    counted_with: str = ""
    # Tallies of the same texts, grouped by a field of their records.
    groups: dict[str, "Tally"] = field(default_factory=dict)

    @classmethod
    def empty(
        cls, settings: AuditSettings, generator: Generator = np.random.default_rng, is_group: bool = False
    ) -> "Tally":
        """Make a tally of no texts. `generator` is that of `StreamingBootstrap`; computing the summary requires it.

        The tally of a group has no examples.
        """
        size = 0 if is_group else settings.showing.examples
        samples: dict[str, Sample[Example]] = {name: Sample(size) for name in CLASSES}
        most_kinds = KINDS_OF_GROUP if is_group else None
        return cls(samples, StreamingBootstrap(settings.estimating.resamples, generator, most_kinds))

    def add(self, other: "Tally") -> None:
        """Add the texts of another tally, but not its groups."""
        self.totals.update(other.totals)
        self.gap += other.gap
        self.distinct.merge(other.distinct)
        self.forms.update(other.forms)
        self.layers.update(other.layers)
        self.learned.update(other.learned)
        self.contexts.add(other.contexts)
        for name, sample in other.samples.items():
            self.samples[name].merge(sample)
        self.resamples.merge(other.resamples)
        self.detected += other.detected
        self.certainty += other.certainty
        self.tokenizer, self.stand_in, self.counted_with = other.tokenizer, other.stand_in, other.counted_with

    def source_of(self, name: str, form: str) -> tuple[int, str]:
        """Count the matches of a form that the texts show to be a name, and find the most frequent name showing it."""
        sources = {source: number for (of, one, source), number in self.learned.items() if (of, one) == (name, form)}
        if not sources:
            return 0, ""
        commonest = min(sources, key=lambda source: (-sources[source], source))
        return sum(sources.values()), commonest

    def summary(self, settings: AuditSettings, unit: str = "") -> dict[str, Any]:
        """Compute the workflow's summary, except the columns of `decide_family`. `unit` is the unit of a text."""
        totals = {name: self.totals[name] for name in TOTALS}
        is_enough = self.gap.units >= MINIMUM_UNITS
        intervals = self.resamples.intervals(settings.estimating.confidence_level) if is_enough else [UNDEFINED] * 4
        minimum = EvidenceThreshold(settings.estimating.minimum_matches, settings.estimating.minimum_units)
        row = summarise_totals(totals, intervals, self.gap, unit, settings.counting.procedure, minimum)
        columns = share_columns(self.resamples.women_share().interval(settings.estimating.confidence_level))
        # The columns of the share come first, because they are the headline.
        return columns | row | columns | {"tokenizer": self.tokenizer, "stand_in": self.stand_in}


@dataclass(frozen=True)
class RowTally:
    """The counts of one row of a result: a language of a corpus, or a group of it, and the tools that counted it.

    `group` has the values of the fields by which texts are grouped; it is empty for a language as a whole.
    """

    corpus: str
    lang: str
    group: str
    tally: Tally
    counted_with: str


def new_tally(settings: AuditSettings, lang: str, group: str = "") -> Tally:
    """Make an empty tally of a language, or of a group of it, to which others can be added.

    Its random draws do not depend on the names of files, so that renaming a file changes no interval.
    """
    names = (ALL, lang, settings.counting.engine, settings.counting.method, *([group] if group else []))
    return Tally.empty(settings, partial(random_generator, settings.estimating.seed, *names), bool(group))


def add_tally(tallies: dict[str, Tally], tally: Tally, settings: AuditSettings, lang: str, group: str = "") -> None:
    """Add a language's tally, with its groups, to those of a corpus, or a group's to those of a language."""
    name = group or lang
    if name not in tallies:
        tallies[name] = new_tally(settings, lang, group)
    together = tallies[name]
    together.add(tally)
    for one, of_group in tally.groups.items():
        add_tally(together.groups, of_group, settings, lang, one)
    check_groups(together.groups, settings)


def check_groups(groups: Collection[str], settings: AuditSettings) -> None:
    """Raise `InputError` if a language has too many groups."""
    if len(groups) > MOST_GROUPS:
        raise InputError(
            f"field {settings.reading.group_by} has more than {MOST_GROUPS:,} values, such as "
            f"{min(groups).replace(SEPARATOR, ', ')[:40]!r}; choose a field with fewer, such as a year or a domain, or "
            "give the form of dates with --date-format"
        )


def check_codes(left_out: Iterable[str], settings: AuditSettings) -> None:
    """Raise `InputError` if the reasons name too many codes of languages without a lexicon."""
    if not settings.reading.lang_field:
        return
    codes = [
        reason.removeprefix(languages.OTHER_LANGUAGE)
        for reason in left_out
        if reason.startswith(languages.OTHER_LANGUAGE)
    ]
    if len(codes) > MOST_CODES:
        raise InputError(
            f"field {settings.reading.lang_field} has more than {MOST_CODES:,} values that are not in the table of "
            f"languages, such as {min(codes)!r}; name the field with the language by --lang-field"
        )


@dataclass
class Batch:
    """The counts of a batch: its languages, and the number of texts left out by reason."""

    languages: dict[str, Tally]
    left_out: Counter[str]
    mentions: list[dict[str, Any]] = field(default_factory=list)
    records: pa.Table | None = None


def tally_batch(settings: AuditSettings, lang: str | None, file: str, texts: Texts) -> Batch:
    """Count texts of a file. If `lang` is None, each is counted in its own language."""
    pipeline = settings.counting.pipeline
    left_out: Counter[str] = Counter()
    certainties = np.zeros(len(texts.texts), np.int64)
    if lang:
        by_lang = {lang: list(range(len(texts.texts)))}
    elif settings.reading.lang_field:
        by_lang = _take_languages(texts, left_out)
    else:
        by_lang = _detect_languages(settings, texts.texts, left_out, certainties)
    tallies: dict[str, Tally] = {}
    kept: list[dict[str, Any]] = []
    records: list[pa.Table] = []
    for name, numbers in by_lang.items():
        counter = _counter(settings, name)
        if counter is None:
            left_out[f"no lexicon for {languages.language_row(name).name} ({name})"] += len(numbers)
            continue
        if not lang and settings.counting.method == PERSONS and (reason := languages.why_no_pipeline(pipeline, name)):
            left_out[reason] += len(numbers)
            continue
        of_lang = texts.select(numbers) if len(numbers) < len(texts.texts) else texts
        mentions = None
        if settings.counting.method == PERSONS:
            from textparity.persons.methods import find_in_documents

            finder = languages.load_finder(PERSONS, name, pipeline)
            mentions = list(find_in_documents(finder, of_lang.texts, of_lang.documents))
            if settings.showing.keep_mentions:
                kept += _rows(mentions, {"corpus": file, "lang": name}, of_lang)
        groups = [label.group for label in of_lang.labels] if settings.reading.group_by else []
        check_groups(set(groups), settings)
        (found,) = counter.count(of_lang.texts).values()
        if mentions is not None:
            contexts = [
                digest_context(text, one.start, one.end)
                for text, of_text in zip(of_lang.texts, mentions, strict=True)
                for one in of_text
            ]
            found = MatchTable.of(found.words, dict(enumerate(map(_as_matches, mentions))))
            found.contexts = np.array(contexts, np.uint64)
        if settings.showing.keep_records:
            records.append(make_records(found, of_lang, name, file, counter, mentions))
        counted = _CountedTexts(settings, name, file, of_lang, counter, mentions, found)
        tally = tallies[name] = counted.tally(groups)
        if not lang and not settings.reading.lang_field:
            for place, number in enumerate(numbers):
                for one in (tally, tally.groups[groups[place]]) if groups else (tally,):
                    one.detected += 1
                    one.certainty += int(certainties[number])
    # Sort records by the order of the texts, whatever their languages.
    table = pa.concat_tables(records).sort_by("place") if records else None
    return Batch(tallies, left_out, kept, table)


def _take_languages(texts: Texts, left_out: Counter[str]) -> dict[str, list[int]]:
    """List the numbers of the texts by the language that records name; `left_out` gets the others' reasons."""
    by_lang: dict[str, list[int]] = {}
    for number, (text, label) in enumerate(zip(texts.texts, texts.labels, strict=True)):
        lang, reason = label.language or ("", "")
        if lang and not may_have_script(text, languages.language_row(lang).script):
            reason = languages.another_script(lang)
        if reason:
            left_out[reason] += 1
        else:
            by_lang.setdefault(lang, []).append(number)
    return by_lang


def _detect_languages(
    settings: AuditSettings, texts: Sequence[str], left_out: Counter[str], certainties: np.ndarray
) -> dict[str, list[int]]:
    """List the numbers of the texts in each detected language. `left_out` gets the reasons for leaving out others.

    `certainties` gets the probability of each text in millionths.
    """
    by_lang: dict[str, list[int]] = {}
    for number, (text, choice) in enumerate(zip(texts, languages.load_chooser().choose_by_text(texts), strict=True)):
        if reason := _why_none(settings, text, choice):
            left_out[reason] += 1
        else:
            by_lang.setdefault(choice.lang, []).append(number)
            certainties[number] = round(MILLION * choice.certainty)
    return by_lang


def find_language_of_all(settings: AuditSettings, texts: Sequence[str]) -> tuple[str, int, str]:
    """Detect the language of most of the text, with its mean certainty in millionths, or the reason if there is none.

    If there are many texts, a sample spread evenly over them is examined. Each text counts by its length.
    """
    sizes: Counter[tuple[str, str]] = Counter()
    sure: defaultdict[str, list[float]] = defaultdict(list)
    some = texts[:: max(1, len(texts) // TEXTS_SAMPLED)]
    for text, choice in zip(some, languages.load_chooser().choose_by_text(some), strict=True):
        reason = _why_none(settings, text, choice)
        found = "" if reason else choice.lang
        sizes[found, reason] += len(text)
        sure[found].append(choice.certainty)
    ((lang, reason), size), *_ = sizes.most_common(1)
    if 2 * size <= sizes.total() and lang:
        return "", 0, MIXED if len({one for one, _ in sizes if one}) > 1 else IDENTIFIER_UNSURE
    if lang and settings.counting.method == PERSONS:
        missing = languages.why_no_pipeline(settings.counting.pipeline, lang)
        if missing:
            return "", 0, missing
    return lang, round(MILLION * float(np.mean(sure[lang]))), reason


def _why_none(settings: AuditSettings, text: str, choice: Choice) -> str:
    """Name the reason for leaving out a text whose language was detected. Empty if it is kept."""
    if not text.strip():
        return "blank"
    if choice.code and choice.certainty < settings.counting.minimum_certainty:
        return IDENTIFIER_UNSURE
    return f"{languages.OTHER_LANGUAGE}{choice.code}" if choice.reason == "another language" else choice.reason


def _counter(settings: AuditSettings, lang: str) -> TextCounter | None:
    """Make the counter of a language. Returns None if the language has no lexicon."""
    files = languages.find_lexicon(settings.counting.lexicon, lang, settings.counting.lexicon_folder)
    if files is None:
        return None
    if settings.counting.method == PERSONS:
        # The pipeline finds the mentions. This counter only counts the words.
        tokenizer, folding = _tokenizer(settings.counting.engine, lang), load_folding(lang)
        return TextCounter(tokenizer, Lexicon([]), False, procedures=[settings.counting.procedure], folding=folding)
    # A lexicon may be edited between two audits of one session.
    changed = tuple(path.stat().st_mtime_ns for path in files if path)
    words = settings.counting.layers_in(lang), settings.counting.exclude_words, settings.counting.include_words
    return _load_counter(files, changed, lang, settings.counting.engine, settings.counting.procedure, *words)


@cache
def _tokenizer(engine: str, lang: str) -> Tokenizer:
    return load_tokenizer(*languages.find_tokenizer(engine, lang))


@lru_cache(maxsize=128)
def _load_counter(
    files: languages.LexiconFiles,
    changed: tuple[int, ...],
    lang: str,
    engine: str,
    procedure: str,
    layers: tuple[str, ...],
    exclude_words: tuple[str, ...],
    include_words: tuple[str, ...],
) -> TextCounter:
    row = languages.language_row(lang)
    tokenizer, first_sentence = _tokenizer(engine, lang), row.published_uses_stanza
    entries, folding = read_lexicon(files.nouns) if files.nouns else [], load_folding(lang)
    if files.table is None and (layers, exclude_words, include_words) == (("nouns",), (), ()):
        forms = Lexicon(entries, folding)
        return TextCounter(tokenizer, forms, first_sentence, procedures=[procedure], folding=folding)
    names = row.first_names if "names" in layers else ""
    terms = revised_terms(entries, files.table, names) if files.table else terms_of(entries)
    named = (word.partition(":") for word in include_words)
    included = [Term(fix_form(form), name, layers[0]) for name, _, form in named]
    removed = {folding.fold(form) for form in (*map(fix_form, exclude_words), *(term.form for term in included))}
    kept = [term for term in terms if folding.fold(term.form) not in removed] if removed else terms
    name_rules = load_name_rules(lang, frozenset(map(fix_form, exclude_words)))
    matcher = TermMatcher([*kept, *included], layers, folding, name_rules)
    return TextCounter(tokenizer, Lexicon([]), first_sentence, matcher, [REVISED], folding)


def _rows(mentions: list[list[Mention]], where: dict[str, str], texts: Texts) -> Iterator[dict[str, Any]]:
    ids = make_ids(texts, where["corpus"])
    for number, of_text in enumerate(mentions):
        row = where | {"place": texts.places[number], "id": ids[number]}
        yield from (row | asdict(one) | in_field(texts, number, one.start, one.end, True) for one in of_text)


def _as_matches(mentions: list[Mention]) -> list[Match]:
    """Convert mentions to matches, with their kind as layer. People of all genders are unspecified in three classes."""
    genders = ("unspecified" if mention.gender == INCLUSIVE else mention.gender for mention in mentions)
    return [
        Match(fix_form(mention.text), frozenset({gender}), f"{mention.kind}s")
        for mention, gender in zip(mentions, genders, strict=True)
    ]


@dataclass(frozen=True)
class _CountedTexts:
    """Texts of one language of a batch, the tools that counted them, and what was found in them."""

    settings: AuditSettings
    lang: str
    file: str
    texts: Texts
    counter: TextCounter
    mentions: list[list[Mention]] | None
    found: MatchTable

    def tally(self, groups: Sequence[str]) -> Tally:
        """Make the tally of the texts, and of each group of them."""
        tally = _summed(Tally.empty(self.settings), self.found, self.counter)
        tally.totals.update(count_writing(self.lang, self.counter.letters, self.texts.texts))
        tally.samples = self._examples()
        tally.distinct = DistinctTexts.of(compress(self.texts.texts, self.found.words.tolist()))
        numbers: defaultdict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(groups):
            numbers[name].append(number)
        for name, of_group in numbers.items():
            empty = Tally.empty(self.settings, is_group=True)
            tally.groups[name] = group = _summed(empty, self.found.of_texts(np.array(of_group)), self.counter)
            if self.mentions is not None:
                # With this method any name can be a form, so their number has no limit. Only warnings about a lexicon
                # use the forms of a group.
                group.forms.clear()
                group.learned.clear()
        return tally

    def _examples(self) -> dict[str, Sample[Example]]:
        """Choose examples of each class."""
        places, texts = self.texts.places, self.texts.texts
        samples: dict[str, Sample[int]] = {name: Sample(self.settings.showing.examples) for name in CLASSES}
        for name, sample in samples.items():
            rank_of = Ranks(self.settings.estimating.seed, name)
            for number in np.unique(self.found.texts[self.found.has_class(name)]).tolist():
                if sample.wants(rank := rank_of(texts[number])):
                    sample.take(rank, number)
        taken = sorted({number for sample in samples.values() for number in sample.kept.values()})
        matches = self.found.of_texts(np.array(taken, int)).matches
        these = [texts[number] for number in taken]
        if self.mentions is None:
            # An example of a long text is its first match, with those after it.
            matches = {
                index: _first_matches(of_text) if self.counter.uses_windows(these[index]) else of_text
                for index, of_text in matches.items()
            }
            spans = find_spans(these, matches, self.counter)
        else:
            spans = spans_of_mentions(these, [self.mentions[number] for number in taken])
        locale = languages.language_row(self.lang).icu_locale

        def cut(number: int, name: str) -> Example:
            index = taken.index(number)
            of_class = [
                (start, end)
                for match, (start, end) in zip(matches[index], spans[index], strict=True)
                if name in match.classes and start is not None and end is not None
            ]
            file = self.texts.files[number] if self.texts.files else self.file
            example = cut_example(texts[number], of_class, locale, file, places[number])
            # The lines of a joined text are fields of one record.
            is_joined = self.texts.labels and self.texts.labels[number].parts
            return replace(example, place=places[number]) if is_joined else example

        return {name: sample.map(partial(cut, name=name)) for name, sample in samples.items()}


# A sentence shown as an example has fewer tokens.
_TOKENS_SHOWN = 1000


def _first_matches(matches: Sequence[Match]) -> list[Match]:
    """Select the first match of each class, and those shortly after it."""
    firsts = {name: match.start for match in reversed(matches) for name in match.classes}.values()
    return [match for match in matches if any(0 <= match.start - first < _TOKENS_SHOWN for first in firsts)]


def _summed(tally: Tally, found: MatchTable, counter: TextCounter) -> Tally:
    """Fill an empty tally with the sums of what was found, except the examples."""
    tally.tokenizer, tally.stand_in = counter.tokenizer.label, counter.tokenizer.stand_in
    for kind, number in enumerate(np.bincount(found.kinds, minlength=len(found.known)).tolist()):
        if number:
            match = found.known[kind]
            tally.forms.update({(name, match.form): number for name in match.classes})
            tally.layers.update({(match.layer, name): number for name in match.classes})
            if match.learned:
                tally.learned.update({(name, match.form, match.learned): number for name in match.classes})
    tally.contexts = Contexts.of(found.contexts, tuple(map(found.has_class, GENDERS)))
    columns = {"words": found.words} | found.by_class()
    counts = [columns[name] for name in ("words", *CLASSES)]
    tally.resamples.add(np.column_stack(counts)[found.words > 0].astype(np.int64))
    tally.gap = GenderGap.of(*(columns[name] for name in ("words", "feminine", "masculine", "feminine_and_masculine")))
    tally.totals.update({name: int(column.sum()) for name, column in columns.items()})
    matched = len(np.unique(found.texts))
    blank = int((found.words == 0).sum())
    tally.totals.update({"texts": len(found.words), "blank_texts": blank, "matched_texts": matched})
    return tally


def choose_groups(settings: AuditSettings, corpora: Mapping[str, Mapping[str, Tally]]) -> ShownGroups:
    """Merge the groups of each language into those that are shown, in their order."""
    found: Counter[str] = Counter()
    for tallies in corpora.values():
        for tally in tallies.values():
            found.update({name: group.totals["texts"] for name, group in tally.groups.items()})
    shown = choose_shown(found, settings.showing.max_groups)
    for tallies in corpora.values():
        for lang, tally in tallies.items():
            together: dict[str, Tally] = {}
            for name, group in tally.groups.items():
                add_tally(together, group, settings, lang, shown.names[name])
            tally.groups = {name: together[name] for name in shown.order if name in together}
    return shown
