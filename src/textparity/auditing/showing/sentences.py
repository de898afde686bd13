"""Sentences about a result that several of its outputs have: headlines, notes, and what columns and verdicts mean."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textparity.auditing.differences import describe_differences
from textparity.auditing.groups import OTHER_GROUPS
from textparity.auditing.reliability import (
    KIN_NOUNS_ONLY,
    describe_corrected,
    describe_error,
    describe_mentions,
    describe_people,
    describe_speakers,
)
from textparity.auditing.showing.numbers import shorten_name
from textparity.counting import CLASSES, SPLIT, UNSPECIFIED
from textparity.files import number_of, writable
from textparity.persons.mentions import IN_CORPUS, MENTIONS, NOUNS, PEOPLE, PERSONS, PUBLISHED, SPEAKERS
from textparity.reading.options import LINE

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit
    from textparity.counting.precision import Precision

# Added to the description of the intervals if the texts are lines.
TAKEN_AS = " as if they were independent, which lines of one article are not"
_WITH_ERROR = "With error: the interval that also includes the method's error on annotated texts."


@dataclass(frozen=True)
class Wording:
    """What sentences call women's share and the like.

    `both` are the women and men, and `matched` and `too_few` the texts with some of them. What they are called in texts
    is a `form`, several are `forms`.
    """

    share: str
    ratio: str
    both: str
    matched: str
    too_few: str
    form: str = "word"
    forms: str = "words"


# By what is counted.
WORDING = {
    MENTIONS: Wording(
        share="feminine in percent of feminine and masculine matches",
        ratio="masculine matches per feminine match",
        both="feminine and masculine matches",
        matched="with such a word",
        too_few="under {matches} gendered words, or under {units} {unit}s with one",
    ),
    PEOPLE: Wording(
        share="women in percent of women and men, each counted once per document",
        ratio="men per woman",
        both="women and men",
        matched="with a first mention",
        too_few="under {matches} women and men, or under {units} {unit}s with a first mention",
        form="name or noun",
        forms="names and nouns of people",
    ),
    SPEAKERS: Wording(
        share="women in percent of women and men quoted, each counted once per document",
        ratio="men quoted per woman quoted",
        both="women and men quoted",
        matched="with a first mention of somebody quoted",
        too_few="under {matches} women and men quoted, or under {units} {unit}s with one",
        form="name or noun",
        forms="names and nouns of people quoted",
    ),
}
SPLIT_OF = (
    "Neither: persons with a pronoun or title that is neither a woman's nor a man's, or called non-binary. Inclusive: "
    "forms that name all genders. Groups: several persons. Unknown: all other unspecified matches."
)
CORRECTED_OF = "Corrected: women's share corrected by texts that were drawn at random and read, with its interval."
# The mark of a row on whose conclusion the methods do not agree.
DEPENDS = "*"
_MOST_HEADLINES = 5


def headlines(result: "AuditData") -> list[str]:
    """Write a sentence for each row of a short result, largest row first."""
    has_languages = len({item.lang for item in result.languages}) > 1
    sentences = []
    for item in result.languages[:_MOST_HEADLINES]:
        names = []
        if result.has_corpora:
            names.append(shorten_name(item.corpus))
        if has_languages:
            names.append(item.name)
        if item.shown_method:
            names.append(f"By {item.shown_method}")
        named = ", ".join(names)
        sentences.append(f"{named}: {headline(item)}" if named else headline(item))
    return sentences


def headline(item: "LanguageAudit") -> str:
    """Write women's share in one sentence, and the corrected share in another one, if some texts were read.

    Without a verdict, write the counts and what is missing.
    """
    corrected = item.statistics.corrected_share
    if math.isnan(corrected.low):
        return _counted_share(item)
    return f"{_counted_share(item)}. {describe_corrected(corrected, item.statistics.texts_read, item.unit)}"


def _counted_share(item: "LanguageAudit") -> str:
    if item.has_verdict:
        people = item.statistics.people
        if people:
            number = item.matches["feminine"] + item.matches["masculine"]
            describe = describe_speakers if people.count == SPEAKERS else describe_people
            return describe(item.women_share, number, people.women_share)
        return describe_mentions(item.women_share)
    counts = _counts_of(item)
    if item.grade.name == KIN_NOUNS_ONLY:
        return f"{counts}. No estimate of who is mentioned in {item.name}: {item.grade.reason}"
    too_few = f"{counts}. Too few to state women's share"
    return f"{too_few}: {item.lacking}" if item.lacking else too_few


def _counts_of(item: "LanguageAudit") -> str:
    """Write the numbers of women and men, or of their mentions."""
    feminine = item.matches["feminine"]
    masculine = item.matches["masculine"]
    if item.statistics.people:
        women = "woman" if feminine == 1 else "women"
        men = "man" if masculine == 1 else "men"
        return f"{feminine:,} {women} and {masculine:,} {men}"
    noun = "word"
    if item.method == PERSONS:
        noun = "mention"
    masculine_counts = number_of(masculine, f"masculine {noun}")
    return f"{feminine:,} feminine and {masculine_counts}"


def wording_of(count: str, same_names: str) -> Wording:
    """Find the words for what is counted, by these two settings."""
    wording = WORDING[count]
    if same_names == IN_CORPUS:
        share = f"{wording.share}, but once per corpus and language by a full name"
        return replace(wording, share=share)
    return wording


def counted_in(result: "AuditData") -> str:
    """Describe what is counted, as a heading."""
    if result.settings.counting.count == PEOPLE:
        return "People"
    if result.settings.counting.count == SPEAKERS:
        return "People quoted"
    if PERSONS in result.methods:
        return "Mentions of persons"
    return "Person nouns" if result.settings.counting.method in (NOUNS, PUBLISHED) else "Words for persons"


def counted_by(result: "AuditData") -> str:
    """Name the methods, the lexicon and the engine."""
    methods = "methods" if len(result.methods) > 1 else "method"
    lexicon, engine = lexicon_of(result), result.settings.counting.engine
    return f"{methods} {' and '.join(result.methods)}, lexicon {lexicon}, {engine} engine"


def lexicon_of(result: "AuditData") -> str:
    """Name the lexicon, or the folder that contains it."""
    folder = result.settings.counting.lexicon_folder
    return writable(folder.resolve().name) if folder else result.settings.counting.lexicon


def level_of(result: "AuditData") -> str:
    """Format the confidence level of the intervals in percent."""
    return f"{100 * result.settings.estimating.confidence_level:g}"


def intervals_of(result: "AuditData") -> str:
    """Describe the intervals, and what makes them too narrow."""
    intervals = f"{level_of(result)} % intervals over {result.unit}s"
    return f"{intervals}{TAKEN_AS}" if result.unit == LINE else intervals


def describe_columns(result: "AuditData", before: str = "", after: str = "") -> tuple[str, str]:
    """Describe the columns of a table, and its verdicts. `before` and `after` surround the words on intervals."""
    counting = result.settings.counting
    wording = wording_of(counting.count, counting.same_names)
    intervals = intervals_of(result)
    verdict = verdict_of(result)
    columns = [
        f"Women %: {wording.share}, with{before} {intervals}{after}.",
        _WITH_ERROR,
        f"M : F: {wording.ratio}, computed from the share.",
        f"Matched: {result.unit}s {wording.matched}, in percent of those with words.",
    ]
    if result.is_checked:
        columns.insert(2, CORRECTED_OF)
    return " ".join(columns), f"Verdict: {verdict}."


def describe_split(item: "LanguageAudit") -> str:
    """Write the number of unspecified matches, and its parts."""
    parts = [f"{name} {item.statistics.split[name]:,}" for name in SPLIT]
    return f"{item.matches[UNSPECIFIED]:,} ({', '.join(parts)})"


def verdict_of(result: "AuditData") -> str:
    """Describe what the verdict rests on."""
    if result.of_methods:
        by_method = (f"by {single.settings.counting.method}, {verdict_of(single)}" for single in result.of_methods)
        return "; ".join(by_method)
    settings, unit = result.settings, result.unit
    if settings.counting.measured:
        of_error = "; a direction also needs the interval with error to exclude 50 %"
    else:
        of_error = "; the method's error is not known, so a direction excludes only chance"
    if settings.counting.procedure == "published":
        return f"the gap against two standard errors, both in percent (Muller et al. 2023, footnote 11){of_error}"
    level = 100 * (1 - settings.estimating.confidence_level)
    holm = _adjusted_by_holm(result.languages)
    wording = wording_of(settings.counting.count, settings.counting.same_names)
    test = f"a test over {unit}s of whether {wording.both} are equally many, at {level:g} %{holm}"
    matches, units = settings.estimating.minimum_matches, settings.estimating.minimum_units
    too_few = wording.too_few.format(matches=matches, units=units, unit=unit)
    return f"{test}{of_error}; too few: {too_few}"


def _adjusted_by_holm(items: Iterable["LanguageAudit"]) -> str:
    """Describe the adjustment of the p-values of some rows. Empty if there are no two tests."""
    tests = sum(not math.isnan(item.statistics.p_value) for item in items)
    return f", adjusted by Holm for {tests} tests" if tests > 1 else ""


def groups_of(result: "AuditData") -> str:
    """Describe in sentences what the rows of groups are, and what their verdicts rest on."""
    if result.of_methods:
        return " ".join(f"By {single.settings.counting.method}: {groups_of(single)}" for single in result.of_methods)
    sentences = []
    if result.groups_together:
        sentences.append(f"{OTHER_GROUPS}: {number_of(result.groups_together, 'group')} with fewer texts.")
    differences = []
    for item in result.groups:
        if item.statistics.difference:
            differences.append((_full_name(item, result), item.statistics.difference))
    described = describe_differences(differences)
    if described:
        sentences += [described, "Differences take the method to err alike in all groups."]
    sentences.append(f"Verdicts by group are a family of their own{_adjusted_by_holm(result.groups)}.")
    return " ".join(sentences)


def _full_name(item: "LanguageAudit", result: "AuditData") -> str:
    names = [item.group_name]
    if len(result.languages) > 1:
        names.insert(0, item.name)
    if result.has_corpora:
        names.insert(0, item.corpus)
    return ", ".join(names)


def depends_on_method(result: "AuditData") -> str:
    """Explain the mark of rows whose conclusion depends on the method. Empty if there are none."""
    if not any(item.depends_on_method for item in result.rows):
        return ""
    return f"{DEPENDS}: the verdict, or the difference between groups, depends on the method."


def notes_on(item: "LanguageAudit") -> list[str]:
    """Describe the grade, error, precision and layers of a row, one line each."""
    grade = f"grade: {item.grade.name}; {item.grade.reason}" if item.grade.name else "grade: none"
    return [note for note in (grade, error_of(item), precision_of(item), _layers_of(item)) if note]


def _layers_of(item: "LanguageAudit") -> str:
    """List the matches by layer and class. Empty for a single layer."""
    if len(item.layers) < 2:
        return ""
    layers = []
    for layer, matches in item.layers.items():
        numbers = " / ".join(f"{matches[name]:,}" for name in CLASSES)
        layers.append(f"{layer} {numbers}")
    return f"{' / '.join(CLASSES)}: {', '.join(layers)}"


def error_of(item: "LanguageAudit") -> str:
    """Render the interval that includes the method's error, and the texts on which this error was measured."""
    share = item.stated(item.women_share_with_error)
    if item.error is None or math.isnan(share.low):
        return ""
    interval = f"{share.low:.0f}–{share.high:.0f} %"
    return f"women's share with the error of the method: {interval} (error {describe_error(item.error)})"


def precision_of(item: "LanguageAudit") -> str:
    """Describe the share of matches that are right, if it was measured."""
    if item.measured:
        return f"mentions in annotated texts that are found with the right gender: {item.measured}"
    if item.method == PERSONS:
        return "error rate: not measured"
    if not item.precision:
        return "precision (share of the words found that refer to such persons): not measured"
    by_class = [f"{name} {_show_precision(precision)}" for name, precision in item.precision.items()]
    shares = ", ".join(by_class)
    return (
        f"precision (share of the nouns found that refer to such persons, in other texts): {shares}; judged by a "
        "language model, not by native speakers"
    )


def _show_precision(precision: "Precision") -> str:
    percent = precision.interval * 100
    share = 100 * precision.right / precision.judged
    return f"{share:.0f} % ({percent.low:.0f}–{percent.high:.0f}) of {precision.judged}"
