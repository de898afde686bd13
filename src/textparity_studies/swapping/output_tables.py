"""Compare systems, and tabulate the reviewers' decisions about generated sentences (Nahurna 2025, Tables 2, 3, 8)."""

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, bootstrap_ratios, percentage, random_generator, share
from textparity.persons.ukrainian.word_lists import GenderLists, load_gender_lists
from textparity.persons.ukrainian.words import UnicodeWords, analyse, one_apostrophe, pieces, rule_tokens
from textparity.tables import show_interval, write_csv, write_latex
from textparity_studies.swapping.candidates.outputs import (
    SentencePair,
    load_outputs,
    load_sentence_entities,
    read_pairs,
)
from textparity_studies.swapping.candidates.reviews import (
    ACCEPT,
    CORRECT,
    DISMISS,
    UNDECIDED,
    PublishedReview,
    read_published_reviews,
)
from textparity_studies.swapping.name_bias import REVIEWED, measure_name_bias, plot_name_bias
from textparity_studies.swapping.names import ALL, JOB, PERS, SWAPPED, TOTAL, UNCHANGED
from textparity_studies.swapping.scores import (
    BLANK,
    ONE_WAY,
    PERSONS_METRIC,
    ROUND_TRIP,
    SENTENCES,
    STRATA,
    TITLE_MATCH,
    Pair,
    measure_items,
    pair_outputs,
    read_scores,
)

DIFFERENCE_COLUMNS = [
    "direction", "items", "metric", "procedure", "system", "other", "difference", "difference_low",
    "difference_high", "count",
]  # fmt: skip
# The items and metrics in the LaTeX table.
_SHOWN_ITEMS, _SHOWN_METRICS = (ALL, SENTENCES), ("exact_match", PERSONS_METRIC, TITLE_MATCH, "rouge_l")
_KEYS = ["direction", "items", "metric", "procedure"]
_VALUES = ["value", "low", "high", "count", "reason"]
# A measure: its name, published and corrected value, the count behind the corrected one, and a remark.
Measure = tuple[str, float, float, int, str]
# Map decisions to the names of the measures.
_SHARES = {ACCEPT: "accepted_percent", CORRECT: "corrected_percent", DISMISS: "dismissed_percent"}
_WORDS = UnicodeWords()


def tabulate_outputs(
    outputs: list[Path],
    scores: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    published_reviews: list[Path],
    counts: Path,
    figures: list[Path],
    tidied: list[str],
    names: dict[str, str],
    bootstrap: Bootstrap,
    scores_csv: Path | None = None,
    scores_latex: Path | None = None,
    differences_csv: Path | None = None,
    differences_latex: Path | None = None,
    reviews_csv: Path | None = None,
    reviews_latex: Path | None = None,
    names_csv: Path | None = None,
    **word_lists: Path,
) -> None:
    """Write the tables of systems, of reviewers and of names, and draw the names; skip those without data."""
    if scores_csv and scores_latex:
        tabulate_swap_scores(scores, scores_csv, scores_latex, names)
    if differences_csv and differences_latex:
        compare_outputs(
            outputs, parallel, documents, entities, differences_csv, differences_latex, tidied, names, bootstrap
        )
    if reviews_csv and reviews_latex:
        tabulate_reviews(
            published_reviews, parallel, documents, entities, counts, reviews_csv, reviews_latex, **word_lists
        )
    if names_csv:
        swapped = [path for path in outputs if path.stem != UNCHANGED]
        measure_name_bias(swapped, published_reviews, names_csv, **word_lists)
        plot_name_bias(names_csv, figures, names | {REVIEWED: "Reviewed sentences"})


def compare_outputs(
    outputs: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    table_csv: Path,
    table_latex: Path,
    tidied: list[str],
    names: dict[str, str],
    bootstrap: Bootstrap,
) -> None:
    """Write the difference (system - other) of every two systems with the same items, with bootstrap intervals.

    Both systems' items are resampled together. Systems are the names of the files of `outputs`; those of `tidied` are
    tidied as published. Title scores are divided by the titles for all systems. BLEU and BERTScore are not compared,
    because they are not sums over items here. A direction without outputs of one system has no rows. The intervals are
    not corrected for multiple comparisons.
    """
    known = load_sentence_entities(parallel, documents, entities)
    rows_of = {path.stem: load_outputs(path) for path in outputs}
    found = []
    for direction in (ONE_WAY, ROUND_TRIP):
        pairs_of = {system: pair_outputs(rows, direction, known, system in tidied) for system, rows in rows_of.items()}
        for procedure in PROCEDURES:
            measured = {system: measure_items(pairs, procedure == "corrected") for system, pairs in pairs_of.items()}
            for first, second in itertools.combinations(pairs_of, 2):
                if not _are_comparable(pairs_of[first], pairs_of[second]):
                    continue
                (parts, wholes), (others, _) = measured[first], measured[second]
                for items, is_chosen in STRATA.items():
                    chosen = np.array([is_chosen(pair) for pair in pairs_of[first]])
                    metrics = [name for name in parts if name != BLANK and wholes[name][chosen].any()]
                    if not metrics:
                        continue
                    differences = np.stack([(parts[name] - others[name])[chosen] for name in metrics])
                    divisors = np.stack([wholes[name][chosen] for name in metrics])
                    generator = random_generator(bootstrap.seed, "swap_differences", direction, items, procedure)
                    intervals = bootstrap_ratios(differences, divisors, bootstrap, generator)
                    for name, difference, divisor, interval in zip(
                        metrics, differences, divisors, intervals, strict=True
                    ):
                        value = difference.sum() / divisor.sum()
                        count = int(divisor.sum()) if name == TITLE_MATCH else int(chosen.sum())
                        keys = (direction, items, name, procedure, first, second)
                        found.append([*keys, value, interval.low, interval.high, count])
    table = pd.DataFrame(found, columns=DIFFERENCE_COLUMNS)
    write_csv(table, table_csv)
    _write_latex(table, table_latex, names)


def _are_comparable(first: list[Pair], second: list[Pair]) -> bool:
    """Check that both have the same items, and any output."""
    return [pair.reference for pair in first] == [pair.reference for pair in second] and all(
        any(pair.output.strip() for pair in pairs) for pairs in (first, second)
    )


def _write_latex(table: pd.DataFrame, path: Path, names: dict[str, str]) -> None:
    shown = table[
        (table["direction"] == ONE_WAY)
        & (table["procedure"] == "corrected")
        & table["items"].isin(_SHOWN_ITEMS)
        & table["metric"].isin(_SHOWN_METRICS)
    ]
    cells = {
        "system": shown["system"].replace(names),
        "other": shown["other"].replace(names),
        "items": shown["items"],
        "metric": shown["metric"].str.replace("_", " "),
        # Remove the sign of values that round to zero.
        "difference": shown["difference"].round(2) + 0.0,
        "interval": [
            show_interval(low, high)
            for low, high in zip(shown["difference_low"], shown["difference_high"], strict=True)
        ],
    }
    write_latex(
        pd.DataFrame(cells),
        path,
        caption="Paired differences of scores (system - other), one way, corrected, with bootstrap intervals over"
        " items.",
        formats={"difference": "{:+.2f}"},
    )


def tabulate_swap_scores(scores: list[Path], table_csv: Path, table_latex: Path, names: dict[str, str]) -> None:
    """Write one row per direction, kind of items, metric and procedure, with the columns of each system.

    `names` are the systems' names in the LaTeX table. That table has the corrected values and intervals, for all items
    and for sentences.
    """
    frames = []
    for system, rows in read_scores(scores).items():
        frame = pd.DataFrame(rows).set_index(_KEYS)[_VALUES]
        frames.append(
            frame.rename(columns={name: system if name == "value" else f"{system}_{name}" for name in _VALUES})
        )
    table = pd.concat(frames, axis="columns").reset_index()
    write_csv(table, table_csv)
    shown = table[table["items"].isin([ALL, SENTENCES])]
    cells = {"direction": _words(shown["direction"]), "items": shown["items"], "metric": _words(shown["metric"])}
    cells["procedure"] = shown["procedure"]
    for path in scores:
        system = path.stem
        cells[names.get(system, system)] = [
            "--" if pd.isna(value) else f"{value:.2f} ({show_interval(low, high)})"
            for value, low, high in zip(shown[system], shown[f"{system}_low"], shown[f"{system}_high"], strict=True)
        ]
    write_latex(
        pd.DataFrame(cells),
        table_latex,
        caption="Scores of swapped outputs with bootstrap intervals over items, as published and corrected.",
    )


def _words(column: pd.Series) -> pd.Series:
    return column.str.replace("_", " ")


def tabulate_reviews(
    reviews: list[Path],
    parallel: list[Path],
    documents: list[Path],
    entities: list[Path],
    counts: Path,
    table_csv: Path,
    table_latex: Path,
    **word_lists: Path,
) -> None:
    """Write one row per measure: published, corrected, count (behind the corrected value) and a remark.

    `counts` is the table of entities by corpus, which has the published numbers of titles and persons.
    """
    found = read_published_reviews(reviews)
    pairs = read_pairs(parallel)
    entity_counts = pd.read_csv(counts)
    is_total = (entity_counts["corpus"] == SWAPPED) & (entity_counts["subcorpus"] == TOTAL)
    totals = entity_counts[is_total].set_index("label")["entities"]
    known = load_sentence_entities(parallel, documents, entities)
    lists = load_gender_lists(**word_lists)
    published_pairs = _published_pairs(pairs, found)
    kept = [pair for pair in published_pairs if pieces(pair.original) != pieces(pair.swapped)]
    persons = [known.persons_of(pair.original) for pair in kept]
    unknown = sum(names is None for names in persons)
    in_dictionary, changed = (
        count_dictionary_pairs(published_pairs, lists, only_changed=only) for only in (False, True)
    )
    identical = f"{len(published_pairs) - len(kept)} published pairs are a sentence twice, but for white space"
    entries = len(pd.read_csv(word_lists["gender_pairs"]))
    rows = [
        *_decision_rows(found),
        *_token_rows(found),
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
    table = pd.DataFrame(rows, columns=["measure", "published", "corrected", "count", "remark"])
    write_csv(table, table_csv)
    write_latex(
        table.drop(columns="remark").assign(measure=table["measure"].str.replace("_", " ")),
        table_latex,
        caption="Decisions of the reviewers and the sentences that came of them.",
        formats={"published": "{:.4g}", "corrected": "{:.4g}"},
    )


def _decision_rows(reviews: list[PublishedReview]) -> Iterator[Measure]:
    """Tabulate the decisions: published shares are of the decided sentences, corrected ones of all."""
    decided = sum(review.decision != UNDECIDED for review in reviews)
    for decision, measure in _SHARES.items():
        number = sum(review.decision == decision for review in reviews)
        yield measure, percentage(number, decided), percentage(number, len(reviews)), len(reviews), ""
    left = len(reviews) - decided
    yield "without_verdict", left, left, len(reviews), "left out of the published shares"
    extra = sum(bool(review.correction.strip()) and review.decision != CORRECT for review in reviews)
    yield (
        "corrections_of_others",
        extra,
        extra,
        len(reviews),
        "corrected sentences whose verdict asks for none; not used",
    )
    same = [review for review in reviews if review.decision == ACCEPT and review.original == review.generated]
    final = [review for review in reviews if review.decision in (ACCEPT, CORRECT)]
    unchanged = sum(not review.is_kept for review in final)
    yield (
        "unchanged_percent", percentage(len(same), len(reviews)), percentage(unchanged, len(reviews)), len(reviews),
        "published: accepted and equal to the original; corrected: corrected ones too, but for white space",
    )  # fmt: skip


def _token_rows(reviews: list[PublishedReview]) -> Iterator[Measure]:
    """Tabulate Table 2: published has tokens by spaCy's rules, and corrected ones as reviewed; corrected has words."""
    words = UnicodeWords()
    with_correction = [review for review in reviews if review.decision == CORRECT]
    kept = [review for review in reviews if review.decision in (ACCEPT, CORRECT)]
    for name, first, second, part, whole in (
        ("original, generated", "original", "generated", reviews, reviews),
        ("generated, reviewed", "generated", "final", with_correction, kept),
        ("original, reviewed", "original", "final", with_correction, kept),
    ):
        values = []
        for cut, chosen in ((rule_tokens, part), (words.tokenize, whole)):
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


def is_dictionary_pair(title: str, swapped: str, pairs: frozenset[tuple[str, str]]) -> bool:
    """Check whether words at the same place of two titles are a pair of the dictionary, in either order."""
    here, there = _WORDS.tokenize(title), _WORDS.tokenize(swapped)
    if len(here) != len(there):
        return False
    return any(
        (one, other) in pairs or (other, one) in pairs
        for first, second in zip(here, there, strict=True)
        for one in lemmas(first)
        for other in lemmas(second)
    )


def lemmas(word: str) -> set[str]:
    """List the word in lower case and every lemma that it can have."""
    return {word.lower()} | {parse.normal_form for parse in analyse(word.lower())}


def word_pairs(lists: GenderLists) -> frozenset[tuple[str, str]]:
    """Collect the dictionary's pairs, the masculine word first."""
    return frozenset(
        (one_apostrophe(masculine), one_apostrophe(feminine))
        for masculine, feminines in lists.pairs.items()
        for feminine in feminines
    )
