"""Compute women's share, and assess how reliable it is: its interval, its error, the lexicon's precision, warnings."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from textparity.auditing.cautions import (
    LEAST_POINTS,
    NOT_OF_SHARE,
    WHOLE_RESULT,
    Caution,
    count_by_class,
    points_without,
)
from textparity.auditing.copies import DistinctTexts
from textparity.auditing.languages import PACKAGE_FOLDER, find_pipeline, language_row, load_registry
from textparity.auditing.row_statistics import RowStatistics, per_woman, percent_of
from textparity.corpora.content_language import CHINESE, CharacterValues, has_script, is_of_script
from textparity.counting import CLASSES, GENDERS, OWN_LEXICON, precision
from textparity.counting.lemmas import lemma_terms
from textparity.counting.totals import GapTest
from textparity.estimating.estimates import MINIMUM_UNITS, Estimate
from textparity.estimating.gaps import NO_CLEAR_DIFFERENCE, TOO_FEW, EvidenceThreshold
from textparity.files import number_of, read_tsv
from textparity.folding import load_folding
from textparity.persons.mentions import MENTIONS, NOUNS, PERSONS, WORDS, Measured
from textparity.persons.method_error import (
    COMPLETE,
    Cluster,
    MethodError,
    describe_accuracy,
    load_clusters,
    load_method_error,
    widen,
)
from textparity.persons.rules import PRONOUN_COLUMNS

MEASURED, PARTLY, KIN_NOUNS_ONLY = "measured", "partly", "kin nouns only"
# Parallel texts in order of preference. NTREX-128 has the most lines and languages.
PARALLEL_TEXTS = {"ntrex": "NTREX-128", "flores": "FLORES-200"}
# If the recall of men is two thirds of that of women, a text with three men for every two women looks balanced.
LEAST_RATIO = 2 / 3
# If both recalls are certainly lower than this, too few persons are seen to compare them.
LEAST_RECALL = 1 / 4
# A layer with a smaller share of the gendered matches cannot change women's share much, so nobody has to read it.
NEGLIGIBLE_SHARE = 0.01


class Grade(NamedTuple):
    """The name of a grade and the reason for it, without a full stop. Both are empty if the method has no grades."""

    name: str = ""
    reason: str = ""


NO_GRADE = Grade()


@cache
def grade_language(measured: Measured, lang: str) -> Grade:
    """Grade a method in a language. Methods other than persons, words and nouns have no grade."""
    return decide_grade(
        measured,
        lang,
        precision.load_coverage(),
        load_clusters(),
        precision.load_samples(lang),
        precision.layers_off(lang),
    )


def decide_grade(
    measured: Measured,
    lang: str,
    coverage: Iterable[precision.Coverage],
    clusters: Iterable[Cluster],
    samples: Iterable[precision.Judgement],
    off: Iterable[str] = (),
) -> Grade:
    """Decide a grade from the three tables. Layers in `off` do not have to be read."""
    method = measured.method
    if method not in (PERSONS, WORDS, NOUNS):
        return NO_GRADE
    row = _preferred_row(coverage, lang)
    if method != PERSONS and row and sees_kin_nouns_only(row):
        return Grade(KIN_NOUNS_ONLY, _describe_kin_nouns(row))
    if method == NOUNS:
        return Grade(PARTLY, "nouns alone are no estimate of who is mentioned")
    error = _describe_error_corpora(measured, lang, clusters)
    no_error = "its error was not measured, because no text with all persons annotated was available"
    if method == PERSONS:
        return Grade(MEASURED, error) if error else Grade(PARTLY, no_error)
    read = [sample for sample in samples if sample.lang == lang]
    unread = find_unread_layers(row, read, off)
    if unread:
        missing = f"no sample of its {_listed(unread)} was read"
        return Grade(PARTLY, f"{error}, but {missing}" if error else f"{no_error}, and {missing}")
    annotators = sorted({sample.annotator for sample in read})
    readers = f"{len(read)} of its matches were read by a {_listed(annotators)}"
    return Grade(MEASURED, f"{error}, and {readers}") if error else Grade(PARTLY, f"{readers}, but {no_error}")


def _preferred_row(coverage: Iterable[precision.Coverage], lang: str) -> precision.Coverage | None:
    """Find the coverage of a language on the most preferred of the parallel texts that have it."""
    order = list(PARALLEL_TEXTS)
    rows = [row for row in coverage if row.lang == lang and row.corpus in order]
    return min(rows, key=lambda row: order.index(row.corpus), default=None)


def _describe_kin_nouns(row: precision.Coverage) -> str:
    men = f"{100 * row.recall_masculine:.0f} %"
    women = f"{100 * row.recall_feminine:.0f} %"
    return (
        f"of the lines of {PARALLEL_TEXTS[row.corpus]} where the English text names a man, it finds one in "
        f"{men} (a woman: {women}), so a share would show which words its lists have, not who is mentioned"
    )


def _describe_error_corpora(measured: Measured, lang: str, clusters: Iterable[Cluster]) -> str:
    """Name the corpora on which the error was measured. Empty if there are none."""
    corpora = set()
    for cluster in clusters:
        if (cluster.measured, cluster.lang, cluster.annotation) == (measured, lang, COMPLETE):
            corpora.add(cluster.corpus)
    return f"its error was measured on {_listed(sorted(corpora))}" if corpora else ""


def sees_kin_nouns_only(row: precision.Coverage) -> bool:
    """Check whether a share of women would describe the word lists rather than the text.

    That is so if the recall of one gender is less than two thirds of that of the other and the two certainly differ. It
    is also so if both are certainly below a quarter. The rule is the same for both genders.
    """
    misses_men = row.recall_ratio < LEAST_RATIO and row.recall_ratio_high < 1
    misses_women = row.recall_ratio > 1 / LEAST_RATIO and row.recall_ratio_low > 1
    if misses_men or misses_women:
        return True
    return max(row.recall_feminine_high, row.recall_masculine_high) < LEAST_RECALL


def find_unread_layers(
    row: precision.Coverage | None, samples: Iterable[precision.Judgement], off: Iterable[str] = ()
) -> list[str]:
    """Find the counted layers that are not negligible and whose matches nobody read."""
    read = Counter(sample.layer for sample in samples)
    total = sum(map(row.matches, precision.GENDERED_LAYERS)) if row else 0
    unread = []
    for layer in precision.GENDERED_LAYERS:
        is_negligible = row is not None and row.matches(layer) < NEGLIGIBLE_SHARE * total
        is_read = read[layer] >= precision.FEWEST_READ
        if layer not in off and not is_read and not is_negligible:
            unread.append(layer)
    return unread


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    *others, last = names
    return f"{', '.join(others)} and {last}"


# The sums over texts: the texts that have letters, and those of them in another script; then the sampled letters that
# are in the script of the language, and those of them that its word lists do not contain.
WRITING = ("lettered_texts", "other_script", "letters", "unknown_letters")
# The number of letters sampled, evenly spread, from each text.
LETTERS_OF_TEXT = 25
# These limits lie above the values of NTREX-128 and FLORES-200 in 55 languages, each checked as its own language.
# There, at most 4 % of the texts are in another script by the letters of a short text, and at most 3 % of the letters
# are not in the lists.
LARGEST_OTHER_SCRIPT, LARGEST_UNKNOWN = 0.1, 0.04
# With fewer letters, or with lists of fewer letters, there is no warning.
FEWEST_LETTERS, FEWEST_KNOWN = 100, 20
# Word lists in these scripts contain only few of the characters.
_NO_ALPHABET = (*CHINESE, "Jpan", "Hang", "Thai")
# A letter adds 1 to the sum, or this much if it is in the script, plus this much if it is unknown. One sum thus holds
# all three counts.
_IN_SCRIPT, _UNKNOWN = 1 << 16, 1 << 32


@lru_cache(maxsize=128)
def _letters(lang: str, known: frozenset[str]) -> CharacterValues:
    script = language_row(lang).script
    fold = load_folding(lang).fold
    has_alphabet = len(known) >= FEWEST_KNOWN and script not in _NO_ALPHABET

    def compute(character: str) -> int:
        if not character.isalpha():
            return 0
        if not is_of_script(character, script):
            return 1
        is_unknown = has_alphabet and not known.issuperset(fold(character.lower()))
        return 1 + _IN_SCRIPT + _UNKNOWN if is_unknown else 1 + _IN_SCRIPT

    return CharacterValues(compute)


def count_writing(lang: str, known: frozenset[str], texts: Iterable[str]) -> Counter[str]:
    """Compute the sums `WRITING` of texts of a language whose word lists contain the letters `known`."""
    values = _letters(lang, known).__getitem__
    script = language_row(lang).script
    is_chinese = script in CHINESE
    lettered = other = in_script = unknown = 0
    is_latin = script == "Latn"
    for text in texts:
        sample = text if len(text) < 2 * LETTERS_OF_TEXT else text[:: len(text) // LETTERS_OF_TEXT]
        if is_latin and sample.isascii():
            # Most texts of most corpora are like this, and their letters need no closer look.
            if sample.upper() != sample or sample.lower() != sample:
                lettered += 1
                in_script += len(sample) - sample.count(" ")
            continue
        sums = sum(map(values, sample))
        letters = sums & 0xFFFF
        if letters:
            of_script = sums >> 16 & 0xFFFF
            lettered += 1
            other += 2 * of_script < letters or (is_chinese and not has_script(text, script))
            in_script += of_script
            unknown += sums >> 32
    return Counter(dict(zip(WRITING, (lettered, other, in_script, unknown), strict=True)))


def warn_about_writing(lang: str, counts: Mapping[str, int]) -> Iterator[str]:
    """Warn if the texts with these `counts` are probably not in the writing system of the language."""
    row = language_row(lang)
    texts, other, letters, unknown = (counts[name] for name in WRITING)
    if other > LARGEST_OTHER_SCRIPT * texts:
        yield (
            f"{other:,} of {texts:,} texts are not in the script of {row.name} ({row.script}), the only "
            "one in which words are found; convert them, or name their language"
        )
    if letters >= FEWEST_LETTERS and unknown > LARGEST_UNKNOWN * letters:
        share = unknown / letters
        yield (
            f"{share:.0%} of the letters do not occur in the word lists of {row.name}; is this the "
            "language, and its usual spelling?"
        )


# A form weighs too much if it makes up more than this share of a class that has at least this many matches.
HEAVY_SHARE, FEWEST_MATCHES = 0.2, 20
# A person does so above this share. The name is only one of the words for a person.
HEAVY_PERSON = 0.1
# In edited news, a third of the matches may be surnames. Most of these are right.
LARGEST_LEARNED = 0.4
# With fewer copies, intervals are hardly too narrow.
LARGEST_COPIES = 0.02
_PRONOUNS = PACKAGE_FOLDER / "resources" / "persons" / "pronouns.tsv"
# Three times the length of the judged sentences, which have 33 words on average.
LONG_TEXT = 100


def _pronouns_of(lexicon: str, lang: str) -> set[str]:
    table = load_registry().table_file(lexicon, lang) if lexicon == OWN_LEXICON else ""
    if not table:
        return set()
    return {term.form for term in lemma_terms(Path(table)) if term.layer == "pronouns"}


def _judged(lexicon: str, lang: str) -> list[precision.Judgement]:
    return [judgement for judgement in precision.load_judgements(lang) if judgement.lexicon == lexicon]


def lexicon_precision(lexicon: str, lang: str, level: float) -> dict[str, precision.Precision]:
    """Look up the precision of the lexicon's nouns by class. Returns nothing if it was not measured.

    It was measured on the held-out half of the judged matches, which the author of the lexicon did not see.
    """
    judged = _judged(lexicon, lang)
    kept = [judgement for judgement in judged if (judgement.half, judgement.layer) == ("kept", "nouns")]
    measured = precision.measure_precision(kept, level)
    by_class = {}
    for name in CLASSES:
        measured_class = measured.get((lexicon, lang, name))
        if measured_class:
            by_class[name] = measured_class
    return by_class


def find_warnings(
    method: str,
    lexicon: str,
    lang: str,
    forms: Counter[tuple[str, str]],
    words_per_text: float,
    writing: Mapping[str, int],
    layers_off: Iterable[str] = (),
    count: str = MENTIONS,
) -> Iterator[Caution]:
    """List warnings about a result, from its matches by class and form and the sums of `count_writing`.

    `layers_off` are the layers of the method that are not counted in the language. `count` is what is counted.
    """
    for text in warn_about_writing(lang, writing):
        yield Caution(text, WHOLE_RESULT)
    if method == PERSONS:
        # One noun may stand for many people, of whom each counts once in a document.
        finding = "few persons decide" if count == MENTIONS else "few names or nouns decide"
        yield from _warn_about_heavy(_count_persons(forms, lang), {""}, HEAVY_PERSON, finding)
        return
    for layer in layers_off:
        reason = precision.layers_off(lang)[layer]
        yield Caution(f"{layer} are not counted: {reason}", WHOLE_RESULT)
    # In any text, a few pronouns make up most matches, and they stand for many people.
    yield from _warn_about_heavy(forms, _pronouns_of(lexicon, lang), HEAVY_SHARE, "few words decide")
    yield from _warn_about_wrong(forms, _judged(lexicon, lang))
    if words_per_text > LONG_TEXT:
        text = "texts are long, but precision was measured on single sentences of news and encyclopedias"
        yield Caution(text, NOT_OF_SHARE)


def _count_persons(forms: Counter[tuple[str, str]], lang: str) -> Counter[tuple[str, str]]:
    """Count the matches of each class and person, who is known by the last word of a name. Pronouns have no person."""
    rows = [row for row in read_tsv(_PRONOUNS, PRONOUN_COLUMNS) if row["lang"] == lang]
    pronouns = {row["form"] for row in rows}
    persons: Counter[tuple[str, str]] = Counter()
    for (name, form), count in forms.items():
        # "Donald Trump", "Mr Trump" and "Trump" are one person.
        if form in pronouns:
            person = ""
        else:
            *_, person = form.rpartition(" ")
        persons[name, person] += count
    return persons


def _warn_about_wrong(forms: Counter[tuple[str, str]], judgements: Sequence[precision.Judgement]) -> Iterator[Caution]:
    """Warn about words that are wrong in more than half of the judged sentences."""
    matches = count_by_class(forms)
    for (_, name, form), (errors, judged) in precision.mostly_wrong(judgements).items():
        count = forms[name, form]
        if not count:
            continue
        counted = "1 match" if count == 1 else f"{count:,} matches"
        text = (
            f"{form} ({name}, {counted}) did not refer to such a person in {errors} of {judged} sentences that "
            "were checked"
        )
        yield Caution(text, points_without(matches, {name: count}))


def warn_about_copies(texts: int, distinct: DistinctTexts, unique: bool) -> Iterator[Caution]:
    """Warn if many of the texts are copies. `texts` is the number of those with words, `unique` the setting."""
    copies = texts - distinct.number
    if not len(distinct.keys) or copies <= LARGEST_COPIES * texts:
        return
    share = f"{copies / texts:.0%}"
    if distinct.level:
        share = f"about {share}"
    if unique:
        text = f"{share} of the texts are copies of others in another group, which makes intervals too narrow"
    else:
        text = (
            f"{share} of the texts are copies of others, which makes intervals too narrow; --unique counts each text "
            "once"
        )
    yield Caution(text, NOT_OF_SHARE)


def warn_about_learned(forms: Counter[tuple[str, str]], learned: Counter[tuple[str, str, str]]) -> Iterator[Caution]:
    """Warn if many matches are names that the texts themselves show. `learned` has class, form and source."""
    matches = count_by_class(forms)
    learned_matches = Counter[str]()
    for (name, _, _), count in learned.items():
        learned_matches[name] += count
    gendered = sum(matches[name] for name in GENDERS)
    gendered_learned = [learned_matches[name] for name in GENDERS]
    if gendered < FEWEST_MATCHES or sum(gendered_learned) <= LARGEST_LEARNED * gendered:
        return
    _, form, source = min(learned, key=lambda key: (-learned[key], key))
    share = 100 * sum(gendered_learned) / gendered
    text = (
        f"{share:.0f} % of the women and men are names that the texts show, such as {form} "
        f"(learned from “{source}”); read them with --show words"
    )
    # A surname may belong to somebody of the other gender.
    yield Caution(text, 100 * max(gendered_learned) / gendered)


def _warn_about_heavy(
    forms: Counter[tuple[str, str]], pronouns: Collection[str], most: float, finding: str
) -> Iterator[Caution]:
    """Warn of forms, other than pronouns, that are more than this share of their class and move the share."""
    matches = count_by_class(forms)
    heavy = []
    largest = 0.0
    for (name, form), count in sorted(forms.items(), key=lambda item: (-item[1], item[0])):
        is_heavy = matches[name] >= FEWEST_MATCHES and count > most * matches[name]
        points = points_without(matches, {name: count})
        if form not in pronouns and is_heavy and points >= LEAST_POINTS:
            share = count / matches[name]
            heavy.append(f"{form} is {share:.0%} of {name}")
            largest = max(largest, points)
    if heavy:
        yield Caution(f"{finding}: {', '.join(heavy)}", largest)


_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# A ratio this close to a whole number is rounded to it. Two genders this close to each other are "about as many".
_NEAR = 0.08
# The reason of `no clear difference` if only chance was excluded.
ERROR_EXPLAINS = "the method's error could explain it"
# The share in percent at which both genders are mentioned equally often.
EVEN = 50


def describe_mentions(share: Estimate) -> str:
    """Describe women's share of mentions (percent, with its interval) in one sentence that a newspaper could print.

    A mention is no person: who is mentioned more often counts more often.
    """
    ratio = _in_words(share.value / 100)
    return f"Of the mentions of women and men, {_percent(share)} are of women{ratio}"


def describe_people(share: Estimate, people: int, share_of_mentions: float) -> str:
    """Describe women's share of people, each counted once per document, and their share of the mentions (percent)."""
    mentioned = f"Of the {people:,} women and men mentioned, {_percent(share)} are women"
    return f"{mentioned}. They get {share_of_mentions:.0f} % of the mentions"


def describe_speakers(share: Estimate, people: int, share_of_words: float) -> str:
    """Describe women's share of the people quoted, each counted once per document, and of their words (percent)."""
    quoted = f"Of the {people:,} women and men quoted, {_percent(share)} are women"
    return f"{quoted}. They speak {share_of_words:.0f} % of the quoted words"


def _percent(share: Estimate) -> str:
    value = f"{share.value:.0f} %" if share.value >= 1 or not share.value else "less than 1 %"
    return f"{value}{_interval(share)}"


def describe_corrected(share: Estimate, texts: int, unit: str) -> str:
    """Describe the corrected share (percent), and the number of texts that were read for it."""
    return f"Corrected by {number_of(texts, unit)} read, it is {share.value:.0f} %{_interval(share)}"


def _interval(share: Estimate) -> str:
    return "" if math.isnan(share.low) else f" ({share.low:.0f}–{share.high:.0f} %)"


def _in_words(share: float) -> str:
    men_per_woman = per_woman(share)
    if share in (0, 1):
        return ""
    women_per_man = 1 / men_per_woman
    if abs(men_per_woman - 1) < _NEAR or abs(women_per_man - 1) < _NEAR:
        return ": about as many as of men"
    if men_per_woman > 1:
        return f": about {_number(men_per_woman)} mentions of men for each mention of a woman"
    return f": about {_number(women_per_man)} mentions of women for each mention of a man"


def _number(ratio: float) -> str:
    """Write a ratio of at least 1 for readers: in words if it is nearly whole."""
    whole = round(ratio)
    if whole < len(_NUMBERS) and abs(ratio - whole) <= _NEAR * whole:
        return _NUMBERS[whole]
    return f"{whole:,}" if ratio >= len(_NUMBERS) - 1 else f"{ratio:.1f}"


def add_method_error(row: RowStatistics, error: MethodError | None, confidence_level: float) -> RowStatistics:
    """Add the interval of the share that includes the method's error, and withdraw a direction that it rules out."""
    if error is None:
        return row
    share = row.women_share
    fractions = Estimate(share.value / 100, share.low / 100, share.high / 100)
    wider = widen(fractions, error, confidence_level)
    with_error = Estimate(share.value, percent_of(wider.low), percent_of(wider.high))
    row = replace(row, women_share_with_error=with_error, error_measured_on=describe_error(error))
    return _restrict_verdict(row)


def describe_error(error: MethodError) -> str:
    """Name the corpora on which the error was measured, and mark an error that is assumed from other languages."""
    corpora = ", ".join(error.corpora)
    return f"assumed, as in other languages: {corpora}" if error.assumed else corpora


def _restrict_verdict(row: RowStatistics) -> RowStatistics:
    """Withdraw the direction of a verdict unless the interval with the method's known error excludes 50 %.

    Without an interval, there is too little text to consider the error.
    """
    wider = row.women_share_with_error
    if math.isnan(wider.low):
        instead = TOO_FEW
    elif wider.low <= EVEN <= wider.high:
        instead = NO_CLEAR_DIFFERENCE
    else:
        return row
    if row.test and row.test.verdict_unadjusted in GENDERS:
        row = replace(row, test=replace(row.test, verdict_unadjusted=instead))
    return replace(row, verdict=instead) if row.verdict in GENDERS else row


def explain_verdict(row: RowStatistics, grade: Grade, minimum: EvidenceThreshold, level: float) -> str:
    """Explain a missing direction, or a test that disagrees with the interval. Returns an empty string otherwise.

    `minimum` is the evidence that stating women's share needs, and `level` that of the interval.
    """
    if grade.name == KIN_NOUNS_ONLY:
        return grade.reason
    if row.verdict == TOO_FEW:
        return describe_lacking(row, minimum)
    if row.test is None or math.isnan(row.women_share.low):
        return ""
    return _compare_test(row, row.test, level)


def needed_evidence(minimum: EvidenceThreshold, measured: Measured | None) -> EvidenceThreshold:
    """Find the evidence that stating women's share needs, if a verdict needs the `minimum`."""
    if not measured:
        return minimum
    # Without an interval, the method's error cannot be considered.
    return replace(minimum, units=max(minimum.units, MINIMUM_UNITS))


def describe_lacking(row: RowStatistics, minimum: EvidenceThreshold) -> str:
    """Describe the texts and matches that are missing for stating women's share. Empty if there are enough."""
    matches = row.matches["feminine"] + row.matches["masculine"] - 2 * row.matches["feminine_and_masculine"]
    texts = number_of(row.matched_units, row.resampling_unit)
    if row.people:
        texts += " with a first mention"
        counted = "1 woman or man" if matches == 1 else f"{matches:,} women and men"
    else:
        texts += " with a gendered word"
        counted = number_of(matches, "gendered word")
    lacking = []
    if row.matched_units < minimum.units:
        lacking.append(f"{texts}, {minimum.units:,} are needed")
    if matches < minimum.matches:
        lacking.append(f"{counted}, {minimum.matches:,} are needed")
    return "; ".join(lacking)


def _compare_test(row: RowStatistics, test: GapTest, level: float) -> str:
    """Explain a verdict that does not follow from the test, or a test that disagrees with the interval."""
    has_direction = row.verdict in GENDERS
    holm = " after Holm" if test.p_value_holm != test.p_value else ""
    p_value = f"p = {test.p_value_holm:.2g}{holm}"
    is_even = row.women_share.low <= EVEN <= row.women_share.high
    if not has_direction and test.p_value_holm <= 1 - level:
        if not is_even:
            return ERROR_EXPLAINS
        return f"the test alone shows one ({p_value}); the interval includes {EVEN} %"
    if has_direction is is_even:
        relation = "includes" if has_direction else "excludes"
        return f"the test decides ({p_value}), though the interval {relation} {EVEN} %"
    return ""


def grade_of(measured: Measured | None, lang: str) -> Grade:
    """Grade how well the method sees persons in a language. The user's own words have no grade."""
    return grade_language(measured, lang) if measured else NO_GRADE


def method_error(measured: Measured | None, lang: str, pipeline: str = "") -> MethodError | None:
    """Look up the error of what is counted in a language. Returns None for the user's own words or layers.

    `pipeline` is that given by the user.
    """
    if not measured:
        return None
    return load_method_error(measured, _measured_language(measured, lang, pipeline))


def measured_on(measured: Measured | None, lang: str, pipeline: str = "") -> str:
    """Describe the measured precision, and the texts on which it was measured."""
    return describe_accuracy(measured, _measured_language(measured, lang, pipeline)) if measured else ""


def _measured_language(measured: Measured, lang: str, pipeline: str) -> str:
    """Check the language. Returns an empty string if its annotated texts were read with another pipeline."""
    if measured.method != PERSONS:
        return lang
    used_pipeline = find_pipeline(pipeline, lang)
    for cluster in load_clusters():
        # Another build of a pipeline has the same name with a suffix.
        if (cluster.measured, cluster.lang) == (measured, lang) and cluster.pipeline.startswith(used_pipeline):
            return lang
    return ""
