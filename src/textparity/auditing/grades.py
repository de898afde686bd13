"""How well a method sees the mentions of women and men in a language: its grade, from what was measured.

- *measured*: the method's error was measured on texts with complete annotation in the language and, for `words`,
  matches of every layer were read.
- *partly*: one of the two is missing.
- *kin nouns only*: the word lists see women and men so differently in a text that also exists in English that a share
  would describe the lists. There is no verdict.

No language is named here. The grades follow from three tables that tools write: `resources/lexicons/coverage.tsv`,
`resources/lexicons/precision.tsv` and `resources/persons/method_errors.csv`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from textparity.counting.coverage import GENDERED_LAYERS, Coverage, load_coverage
from textparity.counting.precision import Judgement, layers_off, load_samples
from textparity.persons.mentions import NOUNS, PERSONS, WORDS
from textparity.persons.method_error import COMPLETE, Cluster, load_clusters

MEASURED, PARTLY, KIN_NOUNS_ONLY = "measured", "partly", "kin nouns only"
# Parallel texts in order of preference. NTREX-128 has the most lines and languages.
PARALLEL_TEXTS = {"ntrex": "NTREX-128", "flores": "FLORES-200"}
# If the recall of men is two thirds of that of women, a text with three men for every two women looks balanced.
LEAST_RATIO = 2 / 3
# If both recalls are certainly lower than this, too few persons are seen to compare them.
LEAST_RECALL = 1 / 4
# A layer with a smaller share of the gendered matches cannot change women's share much, so nobody has to read it. A
# sample counts as read if it has at least this many matches.
NEGLIGIBLE_SHARE, FEWEST_READ = 0.01, 5


class Grade(NamedTuple):
    """The name of a grade and the reason for it, without a full stop. Both are empty if the method has no grades."""

    name: str = ""
    reason: str = ""


NO_GRADE = Grade()


@cache
def grade_language(method: str, lang: str) -> Grade:
    """Grade a method in a language. Methods other than persons, words and nouns have no grade."""
    return decide_grade(method, lang, load_coverage(), load_clusters(), load_samples(), layers_off(lang))


def decide_grade(
    method: str,
    lang: str,
    coverage: Iterable[Coverage],
    clusters: Iterable[Cluster],
    samples: Iterable[Judgement],
    off: Iterable[str] = (),
) -> Grade:
    """Decide a grade from the three tables. Layers in `off` do not have to be read."""
    if method not in (PERSONS, WORDS, NOUNS):
        return NO_GRADE
    row = _preferred([one for one in coverage if one.lang == lang])
    if method != PERSONS and row and sees_kin_nouns_only(row):
        return Grade(KIN_NOUNS_ONLY, _describe_recall(row))
    if method == NOUNS:
        return Grade(PARTLY, "nouns alone are no estimate of who is mentioned")
    corpora = sorted(
        {one.corpus for one in clusters if (one.method, one.lang, one.annotation) == (method, lang, COMPLETE)}
    )
    error = f"its error was measured on {_listed(corpora)}" if corpora else ""
    no_error = "its error was not measured, as no text with all persons annotated was at hand"
    if method == PERSONS:
        return Grade(MEASURED, error) if error else Grade(PARTLY, no_error)
    read = [one for one in samples if one.lang == lang]
    if unread := find_unread_layers(row, read, off):
        missing = f"no sample of its {_listed(unread)} was read"
        return Grade(PARTLY, f"{error}, but {missing}" if error else f"{no_error}, and {missing}")
    readers = f"{len(read)} of its matches were read by a {_listed(sorted({one.annotator for one in read}))}"
    return Grade(MEASURED, f"{error}, and {readers}") if error else Grade(PARTLY, f"{readers}, but {no_error}")


def _preferred(rows: Sequence[Coverage]) -> Coverage | None:
    order = list(PARALLEL_TEXTS)
    return min(
        (row for row in rows if row.corpus in PARALLEL_TEXTS), key=lambda row: order.index(row.corpus), default=None
    )


def sees_kin_nouns_only(row: Coverage) -> bool:
    """Check whether a share of women would describe the word lists rather than the text.

    That is so if the recall of one gender is less than two thirds of that of the other and the two certainly differ. It
    is also so if both are certainly below a quarter. The rule is the same for both genders.
    """
    lopsided = (row.recall_ratio < LEAST_RATIO and row.recall_ratio_high < 1) or (
        row.recall_ratio > 1 / LEAST_RATIO and row.recall_ratio_low > 1
    )
    return lopsided or max(row.recall_feminine_high, row.recall_masculine_high) < LEAST_RECALL


def _describe_recall(row: Coverage) -> str:
    return (
        f"of the lines of {PARALLEL_TEXTS[row.corpus]} where the English text names a man, it finds one in "
        f"{100 * row.recall_masculine:.0f} % (a woman: {100 * row.recall_feminine:.0f} %), so a share would say which "
        "words its lists have, not who is mentioned"
    )


def find_unread_layers(row: Coverage | None, samples: Iterable[Judgement], off: Iterable[str] = ()) -> list[str]:
    """Find the counted layers that are not negligible and whose matches nobody read."""
    read = Counter(one.layer for one in samples)
    total = sum(map(row.matches, GENDERED_LAYERS)) if row else 0
    return [
        layer
        for layer in GENDERED_LAYERS
        if layer not in off
        and read[layer] < FEWEST_READ
        and (row is None or row.matches(layer) >= NEGLIGIBLE_SHARE * total)
    ]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])
