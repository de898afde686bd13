"""What reviewers decided about generated sentences, and what came of it (Nahurna 2025, §4.1.3 and Table 2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.statistics import percentage
from textparity.swapping.entity_counts import SWAPPED, TOTAL
from textparity.swapping.sentence_entities import PERSON, TITLE, SentencePair, load_sentence_entities, read_pairs
from textparity.swapping.swap_outputs import read_cells
from textparity.swapping.title_pairs import count_dictionary_pairs
from textparity.swapping.word_lists import load_gender_lists
from textparity.swapping.word_tokens import UnicodeWords, pieces, rule_tokens
from textparity.tables import write_csv, write_latex

# The columns of the review files, in Ukrainian: original, generated, entities, verdict, corrected.
REVIEW_COLUMNS = {
    "Оригінальне речення": "original",
    "Змінене речення": "generated",
    "Анотації": "entities",
    "Коректність речення": "verdict",
    "Виправлене речення": "corrected",
}
ACCEPTED, CORRECTED, DISMISSED, UNDECIDED = "accepted", "corrected", "dismissed", "without_verdict"
VERDICTS = {"Правильне": ACCEPTED, "Містить помилки": CORRECTED, "Важко визначити": DISMISSED, "": UNDECIDED}
# A measure: published and corrected value, what the corrected one is of, a remark.
Measure = tuple[str, float, float, int, str]


@dataclass(frozen=True)
class Review:
    """A generated sentence, its verdict, and the correction, which is blank for most."""

    original: str
    generated: str
    verdict: str
    correction: str

    @property
    def final(self) -> str:
        """The sentence after the review."""
        return self.correction if self.verdict == CORRECTED else self.generated

    @property
    def is_kept(self) -> bool:
        """Whether it is neither dismissed nor undecided, and is swapped: it differs from the original."""
        return self.verdict in (ACCEPTED, CORRECTED) and pieces(self.final) != pieces(self.original)


def read_reviews(paths: list[Path]) -> list[Review]:
    """Read review files: CSV with the columns of `REVIEW_COLUMNS`.

    Raises `InputError` naming file and row for an unknown verdict, and for one that asks for a correction without any.
    """
    reviews = []
    for path in paths:
        frame = read_cells(path)
        if lacking := [name for name in REVIEW_COLUMNS if name not in frame.columns]:
            raise InputError(f"{path}: has no column {', '.join(lacking)}; it needs {', '.join(REVIEW_COLUMNS)}")
        for row, cells in enumerate(frame.rename(columns=REVIEW_COLUMNS).to_dict("records"), start=1):
            verdict = VERDICTS.get(cells["verdict"].strip())
            if verdict is None:
                known = ", ".join(name or "blank" for name in VERDICTS)
                raise InputError(f"{path}, row {row}: the verdict {cells['verdict']!r} is none of {known}")
            if verdict == CORRECTED and not cells["corrected"].strip():
                raise InputError(f"{path}, row {row}: has mistakes by its verdict, but no corrected sentence; add it")
            reviews.append(Review(cells["original"], cells["generated"], verdict, cells["corrected"]))
    if not reviews:
        raise InputError(f"{paths[0]}: has no reviews")
    return reviews


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
    found = read_reviews(reviews)
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
    rows = [
        *_verdict_rows(found),
        *_token_rows(found),
        ("pairs", len(published_pairs), len(kept), len(pairs), _identical(len(published_pairs) - len(kept))),
        (TITLE, totals[TITLE], sum(len(pair.titles) for pair in kept), len(kept), "published: in the swapped corpus"),
        (
            PERSON, totals[PERSON], sum(map(len, filter(None, persons))), len(kept),
            f"published: in the swapped corpus; {unknown} sentences are not lines of the corpus",
        ),
        (
            "JOB_pairs_in_dictionary_percent", percentage(*in_dictionary), percentage(*changed), changed[1],
            "published: the original's head is in a list; corrected: both heads are a pair, of titles that changed",
        ),
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


def _verdict_rows(reviews: list[Review]) -> Iterator[Measure]:
    """Published shares are of the sentences with a verdict; corrected, of all."""
    decided = sum(review.verdict != UNDECIDED for review in reviews)
    for verdict in (ACCEPTED, CORRECTED, DISMISSED):
        number = sum(review.verdict == verdict for review in reviews)
        yield f"{verdict}_percent", percentage(number, decided), percentage(number, len(reviews)), len(reviews), ""
    yield UNDECIDED, len(reviews) - decided, len(reviews) - decided, len(reviews), "left out of the published shares"
    extra = sum(bool(review.correction.strip()) and review.verdict != CORRECTED for review in reviews)
    yield (
        "corrections_of_others",
        extra,
        extra,
        len(reviews),
        "corrected sentences whose verdict asks for none; not used",
    )
    same = [review for review in reviews if review.verdict == ACCEPTED and review.original == review.generated]
    final = [review for review in reviews if review.verdict in (ACCEPTED, CORRECTED)]
    unchanged = sum(not review.is_kept for review in final)
    yield (
        "unchanged_percent", percentage(len(same), len(reviews)), percentage(unchanged, len(reviews)), len(reviews),
        "published: accepted and equal to the original; corrected: corrected ones too, but for white space",
    )  # fmt: skip


def _token_rows(reviews: list[Review]) -> Iterator[Measure]:
    """Table 2: published, tokens by spaCy's rules, reviewed being the corrected ones; corrected, words of all."""
    words = UnicodeWords()
    with_correction = [review for review in reviews if review.verdict == CORRECTED]
    kept = [review for review in reviews if review.verdict in (ACCEPTED, CORRECTED)]
    for name, first, second, part, whole in (
        ("original, generated", "original", "generated", reviews, reviews),
        ("generated, reviewed", "generated", "final", with_correction, kept),
        ("original, reviewed", "original", "final", with_correction, kept),
    ):
        values = []
        for cut, chosen in ((rule_tokens, part), (words.tokenize, whole)):
            same = sum(len(cut(getattr(review, first))) == len(cut(getattr(review, second))) for review in chosen)
            values.append(percentage(same, len(chosen)) / 100)
        yield f"token_count_match: {name}", *values, len(whole), f"published: of {len(part)} sentences"


def _published_pairs(pairs: list[SentencePair], reviews: list[Review]) -> list[SentencePair]:
    """Return the pairs without those dismissed, and those accepted that equal the original to the letter."""
    out = {
        review.original
        for review in reviews
        if review.verdict == DISMISSED or (review.verdict == ACCEPTED and review.original == review.generated)
    }
    return [pair for pair in pairs if pair.original not in out]


def _identical(number: int) -> str:
    return f"{number} published pairs are a sentence twice, but for white space"
