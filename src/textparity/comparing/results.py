"""The data of a comparison: the compared corpora, their differences from the reference, and the words behind them."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from textparity.auditing.records import DataTable
from textparity.auditing.results import LanguageAudit
from textparity.auditing.settings import AuditSettings
from textparity.estimating.comparisons import Comparison

if TYPE_CHECKING:
    import pandas as pd

INDEPENDENT, PAIRED, PART = DESIGNS = ("independent", "paired", "part")
# A comparison needs all forms rather than only the most frequent.
ALL_FORMS = 10**9
_WORD_COLUMNS = ("corpus", "lang", "gender", "word", "reference", "count", "contribution")


class Overlap(NamedTuple):
    """The number of texts with words that two corpora share, and those of the reference and of the other corpus."""

    shared: int
    reference: int
    other: int

    @property
    def is_part(self) -> bool:
        """Whether one corpus contains all texts of the other, for instance because a filter removed some."""
        return self.shared == min(self.reference, self.other)


@dataclass(frozen=True)
class WordDifference:
    """A form, its counts in the reference and in the other corpus, and its contribution to the difference of the gaps.

    The gap is masculine minus feminine words in percent of words. `contribution` is the form's share of the difference,
    positive towards men. The contributions of all forms add up to the difference.
    """

    word: str
    gender: str
    reference: int
    count: int
    contribution: float


@dataclass(frozen=True)
class ComparedCorpus:
    """A corpus compared with the reference, in one language of each. For the reference itself, `comparison` is None.

    `counts` are those of its units, texts or documents. `unpaired` is the number of units in both corpora without a
    partner. `left_out` is the number of texts, in all languages, that its audit leaves out. `overlap` is set for two
    corpora that are not paired. `verdict` is `masculine` if the corpus has more men per woman than the reference. It is
    based on the p-value adjusted by Holm for all comparisons, `verdict_unadjusted` on the unadjusted one.
    """

    audit: LanguageAudit
    name: str
    counts: np.ndarray
    comparison: Comparison | None = None
    unpaired: int = 0
    left_out: int = 0
    overlap: Overlap | None = None
    p_value_holm: float = math.nan
    verdict: str = ""
    verdict_unadjusted: str = ""
    words: tuple[WordDifference, ...] = ()

    @property
    def differing_words(self) -> tuple[WordDifference, ...]:
        """The words that contribute to the difference."""
        return tuple(word for word in self.words if word.contribution)

    @property
    def design(self) -> str:
        """The assumed relation of the corpora: `independent`, `paired`, or one as a `part` of the other."""
        if self.overlap is None:
            return PAIRED
        return PART if self.overlap.is_part else INDEPENDENT

    @property
    def row(self) -> dict[str, Any]:
        """Its columns in a table. Rates and shares are in percent."""
        return self._own_columns() | self._comparison_columns() | {"signature": self.audit.signature}

    def _own_columns(self) -> dict[str, Any]:
        feminine, masculine = self.counts.sum(axis=0).tolist()
        return {
            "corpus": self.name,
            "lang": self.audit.lang,
            "texts": self.audit.texts,
            "left_out": self.left_out,
            "units": len(self.counts),
            "words": self.audit.words,
            "feminine": feminine,
            "masculine": masculine,
            **self.audit.women_share.columns("women_share"),
            **self.audit.masculine_per_feminine.columns("masculine_per_feminine"),
        }

    def _comparison_columns(self) -> dict[str, Any]:
        if self.comparison is None:
            return {}
        return {
            **self.comparison.ratio.columns("ratio"),
            **self.comparison.difference.columns("difference"),
            "design": self.design,
            "shared": self.overlap.shared if self.overlap else math.nan,
            "unpaired": self.unpaired,
            "p_value": self.comparison.p_value,
            "p_value_holm": self.p_value_holm,
            "verdict": self.verdict,
            "verdict_unadjusted": self.verdict_unadjusted,
        }


@dataclass(frozen=True)
class ComparisonData:
    """The corpora of a comparison, the reference first. If there are several languages, they follow one another."""

    corpora: tuple[ComparedCorpus, ...]
    settings: AuditSettings
    unit: str
    is_paired: bool
    # Languages that some of the corpora lack.
    left_out: tuple[str, ...] = ()
    # The warnings of the audits about their files.
    warnings: tuple[str, ...] = ()
    # Whether an invalid line or record was skipped.
    has_invalid: bool = False

    @property
    def table(self) -> DataTable:
        """One row per corpus and language. The columns of the comparison are empty in rows of the reference."""
        return DataTable.of([corpus.row for corpus in self.corpora])

    @property
    def words_table(self) -> DataTable:
        """Make a table of the words behind each difference: corpus, lang, gender, word, both counts, contribution."""
        return self.top_words_table(ALL_FORMS)

    def top_words_table(self, top: int) -> DataTable:
        """Make the same table of the `top` words of each difference."""
        rows = []
        for corpus in self.corpora:
            for word in corpus.words[:top]:
                names = (corpus.name, corpus.audit.lang, word.gender, word.word)
                rows.append((*names, word.reference, word.count, word.contribution))
        return DataTable(_WORD_COLUMNS, rows)

    @property
    def frame(self) -> "pd.DataFrame":
        """The `table` as a pandas frame."""
        return self.table.to_frame()

    @property
    def words_frame(self) -> "pd.DataFrame":
        """The `words_table` as a pandas frame."""
        return self.words_table.to_frame()
