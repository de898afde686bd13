"""Tabulate what reviewers decided, what checks predict, and which first names are put into sentences (Nahurna 2025).

The reviewers' decisions are Table 2 and §4.1 of the paper, the names §4.1.5.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import regex

from textparity.estimating.estimates import percentage, share
from textparity.persons.ukrainian_genders import GenderLists, analyse, load_analyser, load_gender_lists
from textparity.tables import Table
from textparity_studies.swapping.candidates import (
    FAILED,
    PASSED,
    Candidate,
    read_candidates,
    read_checks,
    read_review_file,
)
from textparity_studies.swapping.outputs import (
    SENTENCE,
    PublishedReview,
    SentenceEntities,
    SentencePair,
    load_outputs,
    read_pairs,
    read_published_reviews,
)
from textparity_studies.swapping.settings import (
    ACCEPT,
    CHECKS,
    CORRECT,
    CORRECTED,
    DISMISS,
    FEMININE,
    JOB,
    MASCULINE,
    PERS,
    PUBLISHED,
    RECORDED,
    RECORDED_REVIEWED,
    RULES,
    SWAPPED,
    TOTAL,
    UNDECIDED,
)
from textparity_studies.swapping.word_forms import UnicodeWords, one_apostrophe, pieces, rule_tokens

ANY = "any"
_CHECKED_NAMES = {
    RULES: "Rules",
    RECORDED: "GPT-4o-mini, as generated",
    RECORDED_REVIEWED: "GPT-4o-mini, reviewed",
}
# A measure: its name, published and corrected value, the count behind the corrected one, and a remark.
Measure = tuple[str, float, float, int, str]
_WORDS = UnicodeWords()


def tabulate_checks(candidates: list[Path], checks: list[Path], reviews: list[Path]) -> list[Table]:
    """Count the candidates that pass each check, by system, and score failed checks as predictions of corrections.

    `any` is a candidate that fails at least one check. The files of a system are in a folder with its name. `reviews`
    are people's decisions about some systems' candidates. Candidates that were dismissed or left undecided do not count
    in the prediction.
    """
    results, predictions = [], []
    decisions = {path.parent.name: path for path in reviews}
    formats: dict[str, str | Callable[..., str]] = {"system": _name_system, "check": _in_words}
    for candidate_path, check_path in zip(candidates, checks, strict=True):
        system = candidate_path.parent.name
        rows = read_candidates(candidate_path)
        verdicts = read_checks(check_path).pivot(index=["document", "line"], columns="check", values="verdict")
        verdicts = verdicts.reindex(index=[row.key for row in rows], columns=CHECKS)
        verdicts[ANY] = (verdicts == FAILED).any(axis=1).map({True: FAILED, False: PASSED})
        for check in verdicts:
            counts = Counter(verdicts[check])
            rest = len(rows) - counts[PASSED] - counts[FAILED]
            passed = percentage(counts[PASSED], counts[PASSED] + counts[FAILED])
            results.append([system, check, counts[PASSED], counts[FAILED], rest, passed])
        if system in decisions:
            decided = {key: review.decision for key, review in read_review_file(decisions[system], rows).items()}
            predictions += [[system, *cells] for cells in _score_predictions(verdicts == FAILED, rows, decided)]
    columns = ["system", "check", PASSED, FAILED, "not_applicable", "passed_percent"]
    table = pd.DataFrame(results, columns=columns)
    systems = list(dict.fromkeys(table["system"]))
    wide = table.pivot(index="check", columns="system", values="passed_percent").reindex([*CHECKS, ANY])[systems]
    columns = ["system", "check", "flagged", "corrected", "flagged_and_corrected", "reviewed", "precision", "recall"]
    prediction = pd.DataFrame(predictions, columns=columns)
    return [
        Table(
            "checks",
            table,
            {"check": "check"} | {system: _name_system(system) for system in systems},
            formats | dict.fromkeys(systems, "{:.1f}"),
            printed=wide.reset_index(),
        ),
        Table(
            "check_prediction",
            prediction,
            {name: name.replace("_", " ") for name in columns},
            formats | {"precision": "{:.2f}", "recall": "{:.2f}"},
        ),
    ]


def _name_system(system: str) -> str:
    return _CHECKED_NAMES.get(system, system)


def _in_words(name: str) -> str:
    return name.replace("_", " ")


def _score_predictions(
    failed: pd.DataFrame, rows: list[Candidate], decisions: dict[tuple[str, int], str]
) -> Iterator[list[object]]:
    # A sentence in several places of the corpus was judged once, so its first place counts.
    judged: dict[tuple[str, str, str], int] = {}
    for place, row in enumerate(rows):
        decision = decisions.get(row.key)
        if decision in (ACCEPT, CORRECT):
            judged.setdefault((row.original, row.swapped, decision), place)
    corrected = pd.Series([decision == CORRECT for *_, decision in judged], dtype=bool)
    for check in failed if judged else ():
        flagged = failed[check].iloc[list(judged.values())].to_numpy()
        both = int((flagged & corrected).sum())
        numbers = int(flagged.sum()), int(corrected.sum())
        yield [check, *numbers, both, len(judged), *(share(both, number) for number in numbers)]


def tabulate_reviews(
    published_reviews: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    counts: Path,
    **word_lists: Path,
) -> list[Table]:
    """Tabulate one row per measure: published, corrected, count (behind the corrected value) and a remark.

    `counts` is the table of entities by corpus, which has the published numbers of titles and persons.
    """
    reviews = read_published_reviews(published_reviews)
    pairs = read_pairs(parallel)
    entity_counts = pd.read_csv(counts)
    is_total = (entity_counts["corpus"] == SWAPPED) & (entity_counts["subcorpus"] == TOTAL)
    totals = entity_counts[is_total].set_index("label")["entities"]
    known = SentenceEntities.load(parallel, documents, entities)
    lists = load_gender_lists(**word_lists)
    published_pairs = _published_pairs(pairs, reviews)
    kept = [pair for pair in published_pairs if pieces(pair.original) != pieces(pair.swapped)]
    persons = [known.persons_of(pair.original) for pair in kept]
    unknown = sum(names is None for names in persons)
    in_dictionary, changed = (
        count_dictionary_pairs(published_pairs, lists, only_changed=only) for only in (False, True)
    )
    identical = f"{len(published_pairs) - len(kept)} published pairs are a sentence twice, but for white space"
    entries = len(pd.read_csv(word_lists["gender_pairs"]))
    rows = [
        *_decision_rows(reviews),
        *_token_rows(reviews),
        ("pairs", len(published_pairs), len(kept), len(pairs), identical),
        (JOB, totals[JOB], sum(len(pair.titles) for pair in kept), len(kept), "published: in the swapped corpus"),
        (
            PERS, totals[PERS], sum(map(len, filter(None, persons))), len(kept),
            f"published: in the swapped corpus; {unknown} sentences are not lines of the corpus",
        ),
        (
            "JOB_pairs_in_dictionary_percent", percentage(*in_dictionary), percentage(*changed), changed[1],
            "published: the original's head is in a list; corrected: both heads are a pair, of titles that changed",
        ),
        (
            "JOB_pairs_in_dictionary_of_all_percent", math.nan, percentage(changed[0], in_dictionary[1]),
            in_dictionary[1], "corrected: both heads are a pair, of all titles",
        ),
        ("dictionary_entries", entries, entries, entries, ""),
    ]  # fmt: skip
    columns = ["measure", "published", "corrected", "count", "remark"]
    formats: dict[str, str | Callable[..., str]] = {"measure": _in_words, "published": "{:.4g}", "corrected": "{:.4g}"}
    table = pd.DataFrame(rows, columns=columns)
    return [Table("reviews", table, {name: name for name in columns[:-1]}, formats)]


def _decision_rows(reviews: list[PublishedReview]) -> Iterator[Measure]:
    """Tabulate the decisions: published shares are of the decided sentences, corrected ones of all."""
    numbers, every = Counter(review.decision for review in reviews), len(reviews)
    left = numbers[UNDECIDED]
    for decision, name in ((ACCEPT, "accepted"), (CORRECT, "corrected"), (DISMISS, "dismissed")):
        published, corrected = (percentage(numbers[decision], whole) for whole in (every - left, every))
        yield f"{name}_percent", published, corrected, every, ""
    yield "without_verdict", left, left, every, "left out of the published shares"
    same = sum(review.decision == ACCEPT and review.original == review.generated for review in reviews)
    unchanged = sum(review.is_kept and review.is_unchanged for review in reviews)
    yield (
        "unchanged_percent", percentage(same, every), percentage(unchanged, every), every,
        "published: accepted and equal to the original; corrected: corrected ones too, but for white space",
    )  # fmt: skip


def _token_rows(reviews: list[PublishedReview]) -> Iterator[Measure]:
    """Tabulate Table 2: published has tokens by spaCy's rules, and corrected ones as reviewed; corrected has words."""
    with_correction = [review for review in reviews if review.decision == CORRECT]
    kept = [review for review in reviews if review.is_kept]
    for name, first, second, part, whole in (
        ("original, generated", "original", "generated", reviews, reviews),
        ("generated, reviewed", "generated", "final", with_correction, kept),
        ("original, reviewed", "original", "final", with_correction, kept),
    ):
        values = []
        for cut, chosen in ((rule_tokens, part), (_WORDS.tokenize, whole)):
            same = sum(len(cut(getattr(review, first))) == len(cut(getattr(review, second))) for review in chosen)
            values.append(share(same, len(chosen)))
        published, corrected = values
        yield f"token_count_match: {name}", published, corrected, len(whole), f"published: of {len(part)} sentences"


def _published_pairs(pairs: list[SentencePair], reviews: list[PublishedReview]) -> list[SentencePair]:
    """Exclude the dismissed pairs, and the accepted ones that equal the original to the letter."""
    out = {
        review.original
        for review in reviews
        if review.decision == DISMISS or (review.decision == ACCEPT and review.original == review.generated)
    }
    return [pair for pair in pairs if pair.original not in out]


def count_dictionary_pairs(pairs: list[SentencePair], lists: GenderLists, only_changed: bool) -> tuple[int, int]:
    """Count the titles that are in the dictionary, and the titles considered.

    By default all titles are considered, and a word of the original must be in one of the lists, as the authors count.
    With `only_changed`, only titles that changed are considered, and words at the same place must be a pair.
    """
    titles = [both for pair in pairs for both in zip(pair.titles, pair.swapped_titles, strict=True)]
    if not only_changed:
        known = {one_apostrophe(word) for word in {*lists.pairs, *lists.feminine_pairs, *lists.common}}
        return sum(any(lemmas(word) & known for word in _WORDS.tokenize(title)) for title, _ in titles), len(titles)
    changed = [(title, swapped) for title, swapped in titles if _WORDS.tokenize(title) != _WORDS.tokenize(swapped)]
    known_pairs = word_pairs(lists)
    return sum(is_dictionary_pair(title, swapped, known_pairs) for title, swapped in changed), len(changed)


def is_dictionary_pair(title: str, swapped: str, pairs: set[frozenset[str]]) -> bool:
    """Check whether words at the same place of two titles are a pair of the dictionary, in either order."""
    here, there = _WORDS.tokenize(title), _WORDS.tokenize(swapped)
    return len(here) == len(there) and any(
        frozenset(both) in pairs
        for first, second in zip(here, there, strict=True)
        for both in product(lemmas(first), lemmas(second))
    )


def lemmas(word: str) -> set[str]:
    """List the word in lower case and every lemma that it can have."""
    return {word.lower()} | {parse.normal_form for parse in analyse(word.lower())}


def word_pairs(lists: GenderLists) -> set[frozenset[str]]:
    """Collect the dictionary's pairs."""
    return {
        frozenset(map(one_apostrophe, (masculine, feminine)))
        for masculine, feminines in lists.pairs.items()
        for feminine in feminines
    }


# First names that systems put into sentences, compared with the names' frequencies.

AMBIGUOUS, REVIEWED = "ambiguous", "reviewed"
_GENDERS = {"femn": FEMININE, "masc": MASCULINE}
_TOKEN = regex.compile(r"\p{L}+(?:['’ʼ-]\p{L}+)*|[^\s\p{L}]")
Name = tuple[str, str]
"""A gender and a name in the nominative."""


def measure_name_bias(outputs: list[Path], published_reviews: list[Path], **word_lists: Path) -> list[Table]:
    """Tabulate the names of each system (the file's name) and of reviewed sentences, if any, by gender and name.

    `published` counts every first name in the nominative, even if the input has it too. `corrected` counts, in any
    case, those that the input does not have. `share` is of the gender's names, `dictionary_share` of the name list,
    both in percent. Names whose gender cannot be decided have the gender `ambiguous` and no share.
    """
    finder = NameFinder(load_gender_lists(**word_lists))
    sets: dict[str, list[tuple[str, str]]] = {}
    for path in outputs:
        rows = load_outputs(path)
        rows = rows[rows["kind"] == SENTENCE]
        sets[path.stem] = list(zip(rows["input"], rows["output"], strict=True))
    if published_reviews:
        reviews = [review for review in read_published_reviews(published_reviews) if review.is_kept]
        sets[REVIEWED] = [(review.original, review.final) for review in reviews]
    found = []
    for system, pairs in sets.items():
        published = Counter(name for _, output in pairs for name in finder.nominative_names(output))
        corrected = Counter(name for pair in pairs for name in finder.generated_names(*pair))
        for procedure, counts in ((PUBLISHED, published), (CORRECTED, corrected)):
            keys = {"system": system, "procedure": procedure}
            found += [keys | row for row in _name_rows(counts, finder.known)]
    columns = ["system", "procedure", "gender", "name", "generated", "share", "dictionary_share", "rank"]
    return [Table("name_bias", pd.DataFrame(found, columns=columns))]


def _name_rows(counts: Counter[Name], known: dict[str, dict[str, float]]) -> Iterator[dict[str, Any]]:
    for gender in (FEMININE, MASCULINE, AMBIGUOUS):
        listed = known.get(gender, {})
        names = sorted((-number, name) for (of, name), number in counts.items() if of == gender)
        total = -sum(number for number, _ in names)
        for rank, (number, name) in enumerate(names, start=1):
            yield {
                "gender": gender,
                "name": name,
                "generated": -number,
                "share": percentage(-number, total) if listed else math.nan,
                "dictionary_share": percentage(listed.get(name, 0), sum(listed.values())),
                "rank": rank,
            }


class NameFinder:
    """Find first names in sentences; `known` maps genders to the listed names and their frequencies."""

    def __init__(self, lists: GenderLists) -> None:
        self.known = {FEMININE: lists.feminine_names, MASCULINE: lists.masculine_names}

    def first_names(self, sentence: str, original: str = "") -> list[Name]:
        """Find the first names of a sentence with their gender, in order; ambiguous ones keep their form.

        A name is a capitalised word that the dictionary of forms lists as one. If it can be of both genders
        (Олександра: feminine, or a masculine genitive), the adjacent patronymic or surname decides by case and gender.
        Failing that, the case of the word that it replaced in the `original` decides.
        """
        tokens, before = _TOKEN.findall(sentence), _TOKEN.findall(original)
        replaced = _replaced_places(before, tokens)
        names = []
        for place, token in enumerate(tokens):
            readings = _read_name(token, "Name") if _is_known(token) else set()
            if not readings:
                continue
            for beside in (place + 1, place - 1):
                other = tokens[beside] if 0 <= beside < len(tokens) else ""
                readings = readings & _read_name(other, "Surn", "Patr") or readings
            if place in replaced:
                cases = {case for _, case in _read_name(before[replaced[place]], "Name", "Surn", "Patr")}
                readings = {reading for reading in readings if reading[1] in cases} or readings
            names.append(self._choose(token, readings))
        return names

    def generated_names(self, original: str, output: str) -> list[Name]:
        """Find the first names of an output that the original does not have, each with its excess count."""
        left = Counter(self.first_names(original))
        names = []
        for name in self.first_names(output, original):
            if left[name]:
                left[name] -= 1
            else:
                names.append(name)
        return names

    def nominative_names(self, sentence: str) -> list[Name]:
        """Find the words of a sentence that are a first name in this form, with the first gender that has it.

        The authors look up each word of a person in a dictionary of forms, and the form must be its own lemma. A
        genitive such as Анатолія then counts as a feminine name, and Олександри as none.
        """
        names = []
        for token in filter(_is_known, _TOKEN.findall(sentence)):
            genders = [
                _GENDERS[parse.tag.gender]
                for parse in analyse(token)
                if "Name" in parse.tag and parse.normal_form == token.lower() and parse.tag.gender in _GENDERS
            ]
            genders += [gender for gender, known in self.known.items() if token in known]
            if genders:
                names.append((genders[0], token))
        return names

    def _choose(self, token: str, readings: set[tuple[str, str]]) -> Name:
        candidates = {
            (_GENDERS[parse.tag.gender], parse.normal_form.capitalize())
            for parse in analyse(token)
            if "Name" in parse.tag and (_GENDERS.get(parse.tag.gender), parse.tag.case) in readings
        }
        listed = {(gender, name) for gender, name in candidates if name in self.known[gender]}
        chosen = sorted(listed or candidates)
        if len({gender for gender, _ in chosen}) > 1:
            return AMBIGUOUS, token
        # If one gender has two lemmas, the more frequent name is chosen.
        return max(chosen, key=lambda name: self.known[name[0]].get(name[1], 0))


def _replaced_places(before: list[str], after: list[str]) -> dict[int, int]:
    """Map each token that replaced exactly one other to that token's place."""
    blocks = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes() if before else []
    return {
        start + step: old_start + step
        for kind, old_start, old_end, start, end in blocks
        if kind == "replace" and old_end - old_start == end - start
        for step in range(end - start)
    }


def _is_known(token: str) -> bool:
    """Check that a word is capitalised, not an initial, and has readings that are not guessed from its ending."""
    return len(token) > 1 and token[0].isupper() and load_analyser().word_is_known(token)


def _read_name(token: str, *grammemes: str) -> set[tuple[str, str]]:
    """List the (gender, case) pairs that a capitalised word can have as a name of one of these kinds."""
    return {
        (_GENDERS[parse.tag.gender], parse.tag.case)
        for parse in (analyse(token) if token[:1].isupper() else ())
        if parse.tag.gender in _GENDERS and any(grammeme in parse.tag for grammeme in grammemes)
    }
