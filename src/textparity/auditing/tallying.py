"""Count a batch of texts and add batches up: the work of one process, and the tallies that are kept of it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from textparity.auditing import languages
from textparity.auditing.contexts import Contexts, digest_context
from textparity.auditing.copies import DistinctTexts, digest_text
from textparity.auditing.groups import SEPARATOR, ShownGroups, choose_shown
from textparity.auditing.people import (
    DocumentCounts,
    KnownNames,
    MentionCounts,
    NamedPerson,
    PeopleOfTexts,
    count_people,
    people_by_name,
)
from textparity.auditing.records import (
    Example,
    FoundMatches,
    Sample,
    cut_example,
    find_spans,
    in_field,
    make_ids,
    make_records,
    spans_of_mentions,
)
from textparity.auditing.reliability import count_writing
from textparity.auditing.row_statistics import PeopleNumbers, RowStatistics
from textparity.auditing.same_names import FirstMention, SameNames, TextCounts
from textparity.auditing.settings import AuditSettings
from textparity.corpora.content_language import Choice, may_have_script
from textparity.corpora.identifier import MILLION
from textparity.counting import CLASSES, GENDERS, REVISED, SPLIT_COLUMNS
from textparity.counting.icu_counter import MatchTable
from textparity.counting.lexicon import Lexicon, read_lexicon, revised_terms, terms_of
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import Match, Term, TermMatcher, fix_form
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import Tokenizer, load_tokenizer
from textparity.counting.totals import MATCHES, summarise_totals
from textparity.counting.unspecified import UnspecifiedForms
from textparity.errors import InputError
from textparity.estimating.estimates import MINIMUM_UNITS, UNDEFINED
from textparity.estimating.gaps import EvidenceThreshold, GenderGap
from textparity.estimating.seeds import Ranks, random_generator
from textparity.estimating.streaming_bootstrap import Generator, StreamingBootstrap
from textparity.folding import load_folding
from textparity.persons.mentions import IN_CORPUS, INCLUSIVE, MENTIONS, PERSONS, Mention
from textparity.reading.documents import Texts

# `groups` are mentions of several persons, if people are counted.
TOTALS = ("texts", "blank_texts", "matched_texts", "words", *MATCHES, *SPLIT_COLUMNS.values(), "groups")
# If the setting detect is file, the language of a file is detected from about this many of its texts.
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
    # If people are counted: women, their mentions, men, their mentions (speakers: their quoted words). Nothing is drawn
    # from it.
    people: StreamingBootstrap
    totals: Counter[str] = field(default_factory=Counter)
    gap: GenderGap = field(default_factory=GenderGap)
    distinct: DistinctTexts = field(default_factory=DistinctTexts)
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    layers: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Surnames that the texts show: the matches by class, form, and the name that shows it.
    learned: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    # The people with a name, if people are counted; names have no limit, as the forms of mentions have none.
    documents: DocumentCounts = field(default_factory=Counter)
    mentions: MentionCounts = field(default_factory=Counter)
    # Those who count once per corpus. They are in no other number until `count_same_names`.
    same_names: SameNames = field(default_factory=SameNames)
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
        resamples = StreamingBootstrap(settings.estimating.resamples, generator, most_kinds)
        people = StreamingBootstrap(settings.estimating.resamples, generator, most_kinds)
        return cls(samples, resamples, people)

    def add(self, other: "Tally") -> None:
        """Add the texts of another tally, but not its groups."""
        self.totals.update(other.totals)
        self.gap += other.gap
        self.distinct.merge(other.distinct)
        self.forms.update(other.forms)
        self.layers.update(other.layers)
        self.learned.update(other.learned)
        self.documents.update(other.documents)
        self.mentions.update(other.mentions)
        self.same_names.merge(other.same_names)
        self.contexts.add(other.contexts)
        for name, sample in other.samples.items():
            self.samples[name].merge(sample)
        self.resamples.merge(other.resamples)
        if len(other.people.bins):
            self.people.merge(other.people)
        self.detected += other.detected
        self.certainty += other.certainty
        self.tokenizer, self.stand_in, self.counted_with = other.tokenizer, other.stand_in, other.counted_with

    def count_same_names(self, has_forms: bool = True) -> None:
        """Count the people who count once per corpus, each in one text. No more texts can be added afterwards.

        The forms of a group are not kept.
        """
        if not self.same_names.firsts:
            return
        people = people_by_name(self.documents, self.mentions)
        changed = self.same_names.changed_texts(people)
        before = np.array([text.before for text in changed], np.int64)
        after = np.array([text.after for text in changed], np.int64)
        self._change_texts(before, after)
        for name, first in self.same_names.firsts.items():
            gender = people[name].gender
            self.totals[gender] += 1
            if has_forms:
                self.forms[gender, name] += 1
            self.layers["names", gender] += 1
            if gender in GENDERS:
                is_of_gender = tuple(np.array([gender == other]) for other in GENDERS)
                context = np.array([first.context], np.uint64)
                self.contexts.add(Contexts.of(context, is_of_gender))

    def _change_texts(self, before: np.ndarray, after: np.ndarray) -> None:
        """Change texts with these counts, as in `TextCounts`."""
        self.people.change(before[:, _OF_PEOPLE], after[:, _OF_PEOPLE])
        words = before[:, 0]
        rows = np.flatnonzero(words)
        resampled = np.ix_(rows, _OF_RESAMPLES)
        before = before[resampled]
        after = after[resampled]
        self.resamples.change(before, after)
        self.gap = self.gap - _gap_of(before) + _gap_of(after)

    def source_of(self, name: str, form: str) -> tuple[int, str]:
        """Count the matches of a form that the texts show to be a name, and find the most frequent name showing it."""
        sources: Counter[str] = Counter()
        for (learned_class, learned_form, source), count in self.learned.items():
            if (learned_class, learned_form) == (name, form):
                sources[source] = count
        if not sources:
            return 0, ""
        commonest = min(sources, key=lambda source: (-sources[source], source))
        return sources.total(), commonest

    def summary(self, settings: AuditSettings, unit: str = "") -> RowStatistics:
        """Compute the statistics, except what `decide_rows` adds. `unit` is the unit of a text."""
        level = settings.estimating.confidence_level
        is_enough = self.gap.units >= MINIMUM_UNITS
        intervals = self.resamples.intervals(level) if is_enough else [UNDEFINED] * 4
        summary = summarise_totals(
            self.totals,
            intervals,
            self.gap,
            unit,
            settings.counting.procedure,
            EvidenceThreshold(settings.estimating.minimum_matches, settings.estimating.minimum_units),
            self.tokenizer,
            self.stand_in,
        )
        women_share = self.resamples.women_share()
        statistics = RowStatistics.of(summary, women_share.interval(level), self.totals)
        if settings.counting.count == MENTIONS:
            return statistics
        people = PeopleNumbers.of(self.people, self.totals["groups"], level, settings.counting.count)
        return replace(statistics, people=people)


# The columns of `TextCounts` with the people and their mentions, and with what is resampled.
_OF_PEOPLE = [1, 2, 3, 4]
_OF_RESAMPLES = np.array([0, 1, 3, 5])


def _gap_of(counts: np.ndarray) -> GenderGap:
    """Compute the gap of texts from their words, women, men and unspecified people."""
    words, women, men, _ = counts.T
    return GenderGap.of(words, women, men, np.zeros_like(words))


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
    names = [ALL, lang, settings.counting.engine, settings.counting.method]
    if group:
        names.append(group)
    return Tally.empty(settings, partial(random_generator, settings.estimating.seed, *names), bool(group))


def add_tally(tallies: dict[str, Tally], tally: Tally, settings: AuditSettings, lang: str, group: str = "") -> None:
    """Add a language's tally, with its groups, to those of a corpus, or a group's to those of a language."""
    name = group or lang
    if name not in tallies:
        tallies[name] = new_tally(settings, lang, group)
    together = tallies[name]
    together.add(tally)
    for group_name, group_tally in tally.groups.items():
        add_tally(together.groups, group_tally, settings, lang, group_name)
    check_groups(together.groups, settings)


def check_groups(groups: Collection[str], settings: AuditSettings) -> None:
    """Raise `InputError` if a language has too many groups."""
    if len(groups) > MOST_GROUPS:
        example = min(groups).replace(SEPARATOR, ", ")[:40]
        raise InputError(
            f"field {settings.reading.group_by} has more than {MOST_GROUPS:,} values, such as {example!r}; choose a "
            "field with fewer, such as a year or a domain, or give the form of dates in the setting date_format"
        )


def check_codes(left_out: Iterable[str], settings: AuditSettings) -> None:
    """Raise `InputError` if the reasons name too many codes of languages without a lexicon."""
    if not settings.reading.lang_field:
        return
    prefix = languages.OTHER_LANGUAGE
    codes = [reason.removeprefix(prefix) for reason in left_out if reason.startswith(prefix)]
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


@dataclass
class ReadBatch:
    """A batch whose texts are read but not counted: those of each language, and the number left out by reason.

    With the method `persons`, `mentions` has those of each text by language.
    """

    languages: "_TextsByLanguage"
    left_out: Counter[str]
    mentions: dict[str, list[list[Mention]]] = field(default_factory=dict)


def tally_batch(settings: AuditSettings, lang: str | None, file: str, texts: Texts) -> Batch:
    """Count texts of a file. If `lang` is None, each is counted in its own language."""
    read = read_batch(settings, lang, texts)
    return tally_read_batch(settings, file, texts, read, {})


def read_batch(settings: AuditSettings, lang: str | None, texts: Texts) -> ReadBatch:
    """Find the languages of texts and, with the method `persons`, their mentions, which takes most of the time."""
    left_out: Counter[str] = Counter()
    found = _find_languages(settings, lang, texts, left_out)
    counted: dict[str, list[int]] = {}
    mentions: dict[str, list[list[Mention]]] = {}
    for name, indexes in found.indexes.items():
        if _counter(settings, name) is None:
            language = languages.language_row(name).name
            left_out[f"no lexicon for {language} ({name})"] += len(indexes)
            continue
        missing_pipeline = "" if lang else _why_no_pipeline(settings, name)
        if missing_pipeline:
            left_out[missing_pipeline] += len(indexes)
            continue
        counted[name] = indexes
        if settings.counting.method == PERSONS:
            own_texts = _select(texts, indexes)
            mentions[name] = _find_mentions(settings, name, own_texts)
    return ReadBatch(_TextsByLanguage(counted, found.certainties), left_out, mentions)


def tally_read_batch(
    settings: AuditSettings, file: str, texts: Texts, read: ReadBatch, known: dict[str, KnownNames]
) -> Batch:
    """Count texts of a file. `known` has the names of the document so far, by language; those of the texts are added.

    It has effect if the texts are parts of a document whose people are counted.
    """
    batch = Batch({}, read.left_out)
    by_lang = read.languages
    records: list[pa.Table] = []
    for name, indexes in by_lang.indexes.items():
        counter = _counter(settings, name)
        assert counter is not None
        own_texts = _select(texts, indexes)
        groups = [label.group for label in own_texts.labels] if settings.reading.group_by else []
        check_groups(set(groups), settings)
        names = known.setdefault(name, {})
        counted = _count_texts(settings, name, file, own_texts, counter, read.mentions.get(name), names)
        if settings.showing.keep_mentions:
            batch.mentions += counted.mention_rows()
        if settings.showing.keep_records:
            records.append(counted.records())
        tally = counted.tally(groups)
        batch.languages[name] = tally
        if by_lang.certainties is not None:
            _add_certainties(tally, by_lang.certainties[indexes], groups)
    if records:
        # Sort records by the order of the texts, whatever their languages.
        batch.records = pa.concat_tables(records).sort_by("place")
    return batch


def _select(texts: Texts, indexes: Sequence[int]) -> Texts:
    return texts.select(indexes) if len(indexes) < len(texts.texts) else texts


@dataclass(frozen=True)
class _TextsByLanguage:
    """The indexes of texts by language. If it was detected, `certainties` has the probability of each text in
    millionths."""

    indexes: dict[str, list[int]]
    certainties: np.ndarray | None = None


def _find_languages(
    settings: AuditSettings, lang: str | None, texts: Texts, left_out: Counter[str]
) -> _TextsByLanguage:
    """Find the language of each text. `left_out` gets the reasons for leaving out texts."""
    if lang:
        return _TextsByLanguage({lang: list(range(len(texts.texts)))})
    if settings.reading.lang_field:
        return _TextsByLanguage(_take_languages(texts, left_out))
    return _detect_languages(settings, texts.texts, left_out)


def _take_languages(texts: Texts, left_out: Counter[str]) -> dict[str, list[int]]:
    """List the indexes of the texts by the language that records name."""
    by_lang: dict[str, list[int]] = {}
    for index, (text, label) in enumerate(zip(texts.texts, texts.labels, strict=True)):
        lang, reason = label.language or ("", "")
        if lang and not may_have_script(text, languages.language_row(lang).script):
            reason = languages.another_script(lang)
        if reason:
            left_out[reason] += 1
        else:
            by_lang.setdefault(lang, []).append(index)
    return by_lang


def _detect_languages(settings: AuditSettings, texts: Sequence[str], left_out: Counter[str]) -> _TextsByLanguage:
    """Detect the language of each text."""
    by_lang: dict[str, list[int]] = {}
    certainties = np.zeros(len(texts), np.int64)
    choices = languages.load_chooser().choose_by_text(texts)
    for index, (text, choice) in enumerate(zip(texts, choices, strict=True)):
        reason = _why_none(settings, text, choice)
        if reason:
            left_out[reason] += 1
            continue
        by_lang.setdefault(choice.lang, []).append(index)
        certainties[index] = round(MILLION * choice.certainty)
    return _TextsByLanguage(by_lang, certainties)


def _add_certainties(tally: Tally, certainties: np.ndarray, groups: Sequence[str]) -> None:
    """Add texts whose language was detected to a tally and its groups. `groups` has the group of each, if any."""
    tally.detected += len(certainties)
    tally.certainty += int(certainties.sum())
    for group, certainty in zip(groups, certainties.tolist(), strict=False):
        tally.groups[group].detected += 1
        tally.groups[group].certainty += certainty


class FileLanguage(NamedTuple):
    """The language of a whole file, with its mean certainty in millionths, or the reason if there is none."""

    lang: str
    certainty: int = 0
    reason: str = ""


def find_language_of_all(settings: AuditSettings, texts: Sequence[str]) -> FileLanguage:
    """Detect the language of most of the text.

    If there are many texts, a sample spread evenly over them is examined. Each text counts by its length.
    """
    # The number of characters by language, and by the reason for which there is none.
    sizes: Counter[tuple[str, str]] = Counter()
    certainties: defaultdict[str, list[float]] = defaultdict(list)
    step = max(1, len(texts) // TEXTS_SAMPLED)
    sample = texts[::step]
    for text, choice in zip(sample, languages.load_chooser().choose_by_text(sample), strict=True):
        reason = _why_none(settings, text, choice)
        lang = "" if reason else choice.lang
        sizes[lang, reason] += len(text)
        certainties[lang].append(choice.certainty)
    (lang, reason), size = sizes.most_common(1)[0]
    if not lang:
        return FileLanguage("", reason=reason)
    if 2 * size <= sizes.total():
        sure_languages = {lang for lang, _ in sizes if lang}
        return FileLanguage("", reason=MIXED if len(sure_languages) > 1 else IDENTIFIER_UNSURE)
    missing_pipeline = _why_no_pipeline(settings, lang)
    if missing_pipeline:
        return FileLanguage("", reason=missing_pipeline)
    certainty = round(MILLION * float(np.mean(certainties[lang])))
    return FileLanguage(lang, certainty)


def _why_no_pipeline(settings: AuditSettings, lang: str) -> str:
    """Explain why the pipeline of a language is missing, or its rules. Empty if none are needed."""
    if settings.counting.method != PERSONS:
        return ""
    return languages.why_no_pipeline(settings.counting.pipeline, lang, settings.counting.count)


def _why_none(settings: AuditSettings, text: str, choice: Choice) -> str:
    """Name the reason for leaving out a text whose language was detected. Empty if it is kept."""
    if not text.strip():
        return "blank"
    if choice.code and choice.certainty < settings.counting.minimum_certainty:
        return IDENTIFIER_UNSURE
    if choice.reason == "another language":
        return f"{languages.OTHER_LANGUAGE}{choice.code}"
    return choice.reason


def _counter(settings: AuditSettings, lang: str) -> TextCounter | None:
    """Make the counter of a language. Returns None if the language has no lexicon."""
    counting = settings.counting
    files = languages.find_lexicon(counting.lexicon, lang, counting.lexicon_folder)
    if files is None:
        return None
    if counting.method == PERSONS:
        # The pipeline finds the mentions. This counter only counts the words.
        tokenizer = _tokenizer(counting.engine, lang)
        return TextCounter(tokenizer, Lexicon([]), False, procedures=[counting.procedure], folding=load_folding(lang))
    # A lexicon may be edited between two audits of one session.
    changed = tuple(path.stat().st_mtime_ns for path in files if path)
    own_words = counting.exclude_words, counting.include_words
    layers = counting.layers_in(lang)
    return _load_counter(files, changed, lang, counting.engine, counting.procedure, layers, *own_words)


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
    tokenizer = _tokenizer(engine, lang)
    folding = load_folding(lang)
    entries = read_lexicon(files.nouns) if files.nouns else []
    is_plain_list = files.table is None and (layers, exclude_words, include_words) == (("nouns",), (), ())
    if is_plain_list:
        lexicon = Lexicon(entries, folding)
        return TextCounter(tokenizer, lexicon, row.published_uses_stanza, procedures=[procedure], folding=folding)
    names = row.first_names if "names" in layers else ""
    terms = revised_terms(entries, files.table, names) if files.table else terms_of(entries)
    excluded = list(map(fix_form, exclude_words))
    included = _included_terms(include_words, layers[0])
    removed = {folding.fold(form) for form in excluded}
    removed.update(folding.fold(term.form) for term in included)
    if removed:
        terms = [term for term in terms if folding.fold(term.form) not in removed]
    name_rules = load_name_rules(lang, frozenset(excluded))
    matcher = TermMatcher([*terms, *included], layers, folding, name_rules)
    return TextCounter(tokenizer, Lexicon([]), row.published_uses_stanza, matcher, [REVISED], folding)


def _unspecified_forms(settings: AuditSettings, lang: str) -> UnspecifiedForms:
    """Read the forms that split the unspecified matches of a language."""
    files = languages.find_lexicon(settings.counting.lexicon, lang, settings.counting.lexicon_folder)
    assert files is not None
    changed = tuple(path.stat().st_mtime_ns for path in files if path)
    return _load_unspecified_forms(files, changed, lang)


@lru_cache(maxsize=128)
def _load_unspecified_forms(files: languages.LexiconFiles, changed: tuple[int, ...], lang: str) -> UnspecifiedForms:
    return UnspecifiedForms.of(lang, files.nouns, files.table, load_folding(lang))


def _included_terms(words: Sequence[str], layer: str) -> list[Term]:
    """Make the terms of the user's words, each written `class:word`."""
    terms = []
    for word in words:
        name, _, form = word.partition(":")
        terms.append(Term(fix_form(form), name, layer))
    return terms


def _find_mentions(settings: AuditSettings, lang: str, texts: Texts) -> list[list[Mention]]:
    from textparity.persons.windows import find_in_documents

    finder = languages.load_finder(PERSONS, lang, settings.counting.pipeline, settings.counting.count)
    return list(find_in_documents(finder, texts.texts, texts.documents))


def _count_texts(
    settings: AuditSettings,
    lang: str,
    file: str,
    texts: Texts,
    counter: TextCounter,
    mentions: list[list[Mention]] | None,
    known: KnownNames,
) -> "_CountedTexts":
    if mentions is None:
        (table,) = counter.count(texts.texts).values()
        table.known = _unspecified_forms(settings, lang).split(table.known)
        return _CountedTexts(settings, lang, file, texts, counter, None, table)
    people = None
    if settings.counting.count != MENTIONS:
        people = count_people(texts, mentions, settings.counting.same_names, known)
    counted = people.firsts if people else mentions
    table = _tabulate_mentions(texts, counted, counter)
    return _CountedTexts(settings, lang, file, texts, counter, mentions, table, counted, people)


def _tabulate_mentions(texts: Texts, mentions: Sequence[list[Mention]], counter: TextCounter) -> MatchTable:
    """Make the table of the mentions that count, with the words that the counter finds."""
    (words,) = counter.count(texts.texts).values()
    matches = map(_as_matches, mentions)
    table = MatchTable.of(words.words, dict(enumerate(matches)))
    contexts = []
    for text, text_mentions in zip(texts.texts, mentions, strict=True):
        contexts += [digest_context(text, mention.start, mention.end) for mention in text_mentions]
    table.contexts = np.array(contexts, np.uint64)
    return table


def _as_matches(mentions: list[Mention]) -> list[Match]:
    """Convert mentions to matches, with their kind as layer. People of all genders are unspecified in three classes."""
    matches = []
    for mention in mentions:
        gender = "unspecified" if mention.gender == INCLUSIVE else mention.gender
        classes = frozenset({gender})
        layer = f"{mention.kind}s"
        matches.append(Match(fix_form(mention.text), classes, layer, unspecified_as=mention.unspecified_as))
    return matches


class _PlacedMatch(NamedTuple):
    """A match, and its position in the text; None if the tokenizer changed the text."""

    match: Match
    start: int | None
    end: int | None


@dataclass(frozen=True)
class _CountedTexts:
    """Texts of one language of a batch, the tools that counted them, and the matches in them."""

    settings: AuditSettings
    lang: str
    file: str
    texts: Texts
    counter: TextCounter
    mentions: list[list[Mention]] | None
    table: MatchTable
    # The mentions that count: all, or the first of each person.
    counted: list[list[Mention]] | None = None
    people: PeopleOfTexts | None = None

    def mention_rows(self) -> Iterator[dict[str, Any]]:
        """Make the row of each mention."""
        ids = make_ids(self.texts, self.file)
        for index, mentions in enumerate(self.mentions or []):
            place = self.texts.places[index]
            names = {"corpus": self.file, "lang": self.lang, "place": place, "id": ids[index]}
            for mention in mentions:
                start, end = mention.start, mention.end
                row = names | asdict(mention)
                row["unspecified_as"] = mention.unspecified_as or None
                yield row | in_field(self.texts, index, start, end, is_normal=True)

    def records(self) -> pa.Table:
        """Make the record of each text."""
        return make_records(self.table, self._found_matches(), self.texts, self.lang, self.file)

    def _found_matches(self) -> FoundMatches:
        """Place the matches in the texts: if people are counted, all mentions of each person."""
        texts = self.texts.texts
        if self.people:
            numbers = range(len(texts))
            matches = dict(zip(numbers, map(_as_matches, self.people.mentions), strict=True))
            spans = spans_of_mentions(texts, self.people.mentions)
            persons = {}
            for number, mentions in enumerate(self.people.mentions):
                persons[number] = [mention.entity for mention in mentions]
            return FoundMatches(matches, spans, persons)
        matches = self.table.matches
        if self.counted is None:
            return FoundMatches(matches, find_spans(texts, matches, self.counter))
        return FoundMatches(matches, spans_of_mentions(texts, self.counted))

    def tally(self, groups: Sequence[str]) -> Tally:
        """Make the tally of the texts, and of each group of them. `groups` has the group of each text, if any."""
        texts = self.texts.texts
        everything = np.arange(len(texts))
        counted = self.table
        if self.people:
            counted = counted.without(self.people.apart)
        tally = _summed(Tally.empty(self.settings), counted, self.counter)
        tally.totals.update(count_writing(self.lang, self.counter.letters, texts))
        tally.samples = self._examples()
        texts_with_words = compress(texts, self.table.words.tolist())
        tally.distinct = DistinctTexts.of(texts_with_words)
        self._add_people(tally, everything)
        indexes_by_group: defaultdict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(groups):
            indexes_by_group[name].append(index)
        for name, indexes in indexes_by_group.items():
            tally.groups[name] = self._tally_group(counted, np.array(indexes))
        return tally

    def _tally_group(self, counted: MatchTable, indexes: np.ndarray) -> Tally:
        """Make the tally of a group of texts. `counted` has the matches in all texts."""
        empty = Tally.empty(self.settings, is_group=True)
        group = _summed(empty, counted.of_texts(indexes), self.counter)
        if self.mentions is not None:
            # With this method any name can be a form, so their number has no limit. Only warnings about a lexicon
            # use the forms of a group.
            group.forms.clear()
            group.learned.clear()
        self._add_people(group, indexes, is_group=True)
        return group

    def _add_people(self, tally: Tally, indexes: np.ndarray, is_group: bool = False) -> None:
        """Add the people of some texts to a tally, if people are counted. A group does not list them."""
        if self.people is None:
            return
        tally.people.add(self.people.counts[indexes])
        tally.totals["groups"] = int(self.people.groups[indexes].sum())
        matched = np.intersect1d(self.table.texts, indexes)
        tally.totals["matched_texts"] = len(matched)
        own_texts = set(indexes.tolist())
        for person in self.people.named:
            if person.text not in own_texts:
                continue
            counts_apart = person.is_full and self.settings.counting.same_names == IN_CORPUS
            if counts_apart and person.is_new:
                first = self._first_mention(person, has_context=not is_group)
                tally.same_names.add(person.key, first)
            if counts_apart or not is_group:
                person.count(tally.documents, tally.mentions)

    def _first_mention(self, person: NamedPerson, has_context: bool) -> FirstMention:
        """Describe the first mention of somebody who counts once per corpus."""
        assert self.people is not None
        text = self.texts.texts[person.text]
        others = self.people.firsts[person.text]
        are_apart = self.people.are_apart[person.text]
        unspecified = 0
        for other, is_apart in zip(others, are_apart, strict=True):
            unspecified += other.gender not in GENDERS and not is_apart
        words = int(self.table.words[person.text])
        women, mentions_of_women, men, mentions_of_men = self.people.counts[person.text].tolist()
        counts = TextCounts(words, women, mentions_of_women, men, mentions_of_men, unspecified)
        first = person.mentions[0]
        context = digest_context(text, first.start, first.end) if has_context else 0
        return FirstMention(digest_text(text), counts, context)

    def _examples(self) -> dict[str, Sample[Example]]:
        """Choose examples of each class."""
        samples = {name: self._sample_texts(name) for name in CLASSES}
        indexes: set[int] = set()
        for sample in samples.values():
            indexes.update(sample.kept.values())
        matches_of = self._place_matches(sorted(indexes))
        examples = {}
        for name, sample in samples.items():
            cut = partial(self._cut_example, name, matches_of)
            examples[name] = sample.map(cut)
        return examples

    def _sample_texts(self, name: str) -> Sample[int]:
        """Choose the indexes of texts that have matches of a class."""
        sample: Sample[int] = Sample(self.settings.showing.examples)
        rank_of = Ranks(self.settings.estimating.seed, name)
        texts_of_class = np.unique(self.table.texts[self.table.has_class(name)])
        for index in texts_of_class.tolist():
            rank = rank_of(self.texts.texts[index])
            if sample.wants(rank):
                sample.take(rank, index)
        return sample

    def _place_matches(self, indexes: Sequence[int]) -> dict[int, list[_PlacedMatch]]:
        """Find the positions of the matches of some texts, by the index of the text."""
        matches = self.table.of_texts(np.array(indexes, int)).matches
        texts = [self.texts.texts[index] for index in indexes]
        if self.counted is None:
            for position, text in enumerate(texts):
                if self.counter.uses_windows(text):
                    # An example of a long text is its first match, with those after it.
                    matches[position] = _first_matches(matches[position])
            spans = find_spans(texts, matches, self.counter)
        else:
            spans = spans_of_mentions(texts, [self.counted[index] for index in indexes])
        placed = {}
        for position, index in enumerate(indexes):
            pairs = zip(matches[position], spans[position], strict=True)
            placed[index] = [_PlacedMatch(match, *span) for match, span in pairs]
        return placed

    def _cut_example(self, name: str, matches_of: Mapping[int, Sequence[_PlacedMatch]], index: int) -> Example:
        """Cut an example of a class out of a text."""
        texts = self.texts
        spans = _spans_of_class(name, matches_of[index])
        place = texts.places[index]
        file = texts.files[index] if texts.files else self.file
        locale = languages.language_row(self.lang).icu_locale
        example = cut_example(texts.texts[index], spans, locale, file, place)
        # The lines of a joined text are fields of one record.
        is_joined = texts.labels and texts.labels[index].parts
        return replace(example, place=place) if is_joined else example


def _spans_of_class(name: str, matches: Iterable[_PlacedMatch]) -> list[tuple[int, int]]:
    spans = []
    for match, start, end in matches:
        if name in match.classes and start is not None and end is not None:
            spans.append((start, end))
    return spans


# A sentence shown as an example has fewer tokens.
_TOKENS_SHOWN = 1000


def _first_matches(matches: Sequence[Match]) -> list[Match]:
    """Select the first match of each class, and those shortly after it."""
    first_starts: dict[str, int] = {}
    kept = []
    for match in matches:
        for name in match.classes:
            first_starts.setdefault(name, match.start)
        if any(match.start - first < _TOKENS_SHOWN for first in first_starts.values()):
            kept.append(match)
    return kept


def _summed(tally: Tally, table: MatchTable, counter: TextCounter) -> Tally:
    """Fill an empty tally with the sums of what was found, except the examples."""
    tally.tokenizer = counter.tokenizer.label
    tally.stand_in = counter.tokenizer.stand_in
    _add_kinds(tally, table)
    is_of_gender = tuple(map(table.has_class, GENDERS))
    tally.contexts = Contexts.of(table.contexts, is_of_gender)
    words = table.words
    has_words = words > 0
    matches = table.by_class()
    counts = np.column_stack([words, *(matches[name] for name in CLASSES)])
    tally.resamples.add(counts[has_words].astype(np.int64))
    tally.gap = GenderGap.of(words, matches["feminine"], matches["masculine"], matches["feminine_and_masculine"])
    for name, column in matches.items():
        tally.totals[name] = int(column.sum())
    tally.totals["words"] = int(words.sum())
    tally.totals["texts"] = len(words)
    tally.totals["blank_texts"] = len(words) - int(has_words.sum())
    tally.totals["matched_texts"] = len(np.unique(table.texts))
    return tally


def _add_kinds(tally: Tally, table: MatchTable) -> None:
    """Add the matches of each kind, which is a form with its classes and layer."""
    counts = np.bincount(table.kinds, minlength=len(table.known))
    for match, count in zip(table.known, counts.tolist(), strict=True):
        if not count:
            continue
        if match.unspecified_as:
            tally.totals[SPLIT_COLUMNS[match.unspecified_as]] += count
        for name in match.classes:
            tally.forms[name, match.form] += count
            tally.layers[match.layer, name] += count
            if match.learned:
                tally.learned[name, match.form, match.learned] += count


def choose_groups(settings: AuditSettings, corpora: Mapping[str, Mapping[str, Tally]]) -> ShownGroups:
    """Merge the groups of each language into those that are shown, in their order."""
    texts_by_group: Counter[str] = Counter()
    for tallies in corpora.values():
        for tally in tallies.values():
            for name, group in tally.groups.items():
                texts_by_group[name] += group.totals["texts"]
    shown = choose_shown(texts_by_group, settings.showing.max_groups)
    for tallies in corpora.values():
        for lang, tally in tallies.items():
            merged: dict[str, Tally] = {}
            for name, group in tally.groups.items():
                add_tally(merged, group, settings, lang, shown.names[name])
            tally.groups = {name: merged[name] for name in shown.order if name in merged}
    return shown
