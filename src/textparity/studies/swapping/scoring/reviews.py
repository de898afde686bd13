"""What reviewers decided about generated sentences, and what came of it (Nahurna 2025, §4.1.3 and Table 2)."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.measures.statistics import percentage, share
from textparity.report.tables import write_csv, write_latex
from textparity.studies.swapping.candidates.outputs import SentencePair, load_sentence_entities, read_pairs
from textparity.studies.swapping.candidates.published_reviews import PublishedReview, read_published_reviews
from textparity.studies.swapping.candidates.reviews import ACCEPT, CORRECT, DISMISS, UNDECIDED
from textparity.studies.swapping.language.word_lists import GenderLists, load_gender_lists
from textparity.studies.swapping.language.words import UnicodeWords, analyse, one_apostrophe, pieces, rule_tokens
from textparity.studies.swapping.names import JOB, PERS, SWAPPED, TOTAL

# A measure: published and corrected value, what the corrected one is of, a remark.
Measure = tuple[str, float, float, int, str]
# Decisions as the measures name them.
_SHARES = {ACCEPT: "accepted_percent", CORRECT: "corrected_percent", DISMISS: "dismissed_percent"}
_WORDS = UnicodeWords()


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
    """Write one row a measure: published, corrected, count (what the corrected value is of) and a remark.

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
    entries = len(pd.read_csv(word_lists["gender_pairs"]))
    rows = [
        *_decision_rows(found),
        *_token_rows(found),
        ("pairs", len(published_pairs), len(kept), len(pairs), _identical(len(published_pairs) - len(kept))),
        (JOB, totals[JOB], sum(len(pair.titles) for pair in kept), len(kept), "published: in the swapped corpus"),
        (
            PERS, totals[PERS], sum(map(len, filter(None, persons))), len(kept),
            f"published: in the swapped corpus; {unknown} sentences are not lines of the corpus",
        ),
        (
            "JOB_pairs_in_dictionary_percent", percentage(*in_dictionary), percentage(*changed), changed[1],
            "published: the original's head is in a list; corrected: both heads are a pair, of titles that changed",
        ),
        ("dictionary_entries", entries, entries, entries, ""),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["measure", "published", "corrected", "count", "remark"])
    write_csv(table, table_csv)
    write_latex(
        table.drop(columns="remark").assign(measure=table["measure"].str.replace("_", " ")),
        table_latex,
        caption="Decisions of the reviewers and the sentences that came of them.",
        label="tab:reviews",
        formats={"published": "{:.4g}", "corrected": "{:.4g}"},
    )


def _decision_rows(reviews: list[PublishedReview]) -> Iterator[Measure]:
    """Published shares are of the decided sentences; corrected, of all."""
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
    """Table 2: published, tokens by spaCy's rules, reviewed being the corrected ones; corrected, words of all."""
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
    """Return the pairs without those dismissed, and those accepted that equal the original to the letter."""
    out = {
        review.original
        for review in reviews
        if review.decision == DISMISS or (review.decision == ACCEPT and review.original == review.generated)
    }
    return [pair for pair in pairs if pair.original not in out]


def _identical(number: int) -> str:
    return f"{number} published pairs are a sentence twice, but for white space"


def count_dictionary_pairs(pairs: list[SentencePair], lists: GenderLists, only_changed: bool) -> tuple[int, int]:
    """Return how many titles of how many are in the dictionary.

    All titles: a word of the original is in one of the lists, as the authors count; `only_changed`: of the titles that
    changed, those with words at the same place that are a pair.
    """
    titles = [both for pair in pairs for both in zip(pair.titles, pair.swapped_titles, strict=True)]
    if not only_changed:
        known = {one_apostrophe(word) for word in {*lists.pairs, *lists.feminine_pairs, *lists.common}}
        return sum(any(lemmas(word) & known for word in _WORDS.tokenize(title)) for title, _ in titles), len(titles)
    changed = [(title, swapped) for title, swapped in titles if _WORDS.tokenize(title) != _WORDS.tokenize(swapped)]
    known_pairs = word_pairs(lists)
    return sum(is_dictionary_pair(title, swapped, known_pairs) for title, swapped in changed), len(changed)


def is_dictionary_pair(title: str, swapped: str, pairs: frozenset[tuple[str, str]]) -> bool:
    """Whether words at the same place of two titles are a pair of the dictionary, in either order."""
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
    """Return the word in lower case and every lemma that it can have."""
    return {word.lower()} | {parse.normal_form for parse in analyse(word.lower())}


def word_pairs(lists: GenderLists) -> frozenset[tuple[str, str]]:
    """Return the dictionary's pairs, the masculine word first."""
    return frozenset(
        (one_apostrophe(masculine), one_apostrophe(feminine))
        for masculine, feminines in lists.pairs.items()
        for feminine in feminines
    )
