"""The columns of a comparison that conditions may name, and its rows for them."""

from functools import partial

from textparity.auditing.fail_conditions import (
    DESIGN,
    MATCHES,
    RATIO,
    RATIO_TO_REFERENCE,
    SHARE,
    ConditionColumns,
    ConditionRow,
    read_value,
)
from textparity.auditing.results import RowName
from textparity.auditing.row_statistics import DIFFERENCE
from textparity.auditing.settings import AuditSettings
from textparity.comparing.results import DESIGNS, ComparedCorpus, ComparisonData
from textparity.counting import CLASSES
from textparity.estimating.estimates import UNDEFINED
from textparity.estimating.gaps import VERDICTS

_NAMES = (
    "corpus", "lang", "texts", "left_out", "units", "words", "feminine", "masculine", MATCHES,
    *UNDEFINED.columns(SHARE), *UNDEFINED.columns(RATIO), *UNDEFINED.columns(RATIO_TO_REFERENCE),
    *UNDEFINED.columns(DIFFERENCE), DESIGN, "shared", "unpaired", "p_value", "p_value_holm", "verdict",
    "verdict_unadjusted",
)  # fmt: skip


def comparison_columns(settings: AuditSettings) -> ConditionColumns:
    """List the columns of a comparison with these settings that conditions may name."""
    return ConditionColumns(
        names=_NAMES,
        values={"verdict": VERDICTS, "verdict_unadjusted": VERDICTS, DESIGN: DESIGNS},
        why_no_groups="compare files, or use textparity audit --group-by",
        printed={"F": "feminine", "M": "masculine", "women": SHARE, "points": DIFFERENCE, "p": "p_value_holm"},
        lexicons=settings.lexicon_folder,
    )


def comparison_rows(result: ComparisonData) -> list[ConditionRow]:
    """List the rows of a comparison for its conditions: all corpora but the reference, which they are compared with."""
    return [_condition_row(corpus) for corpus in result.corpora if corpus.comparison is not None]


def _condition_row(corpus: ComparedCorpus) -> ConditionRow:
    matches = sum(corpus.audit.matches[name] for name in CLASSES)
    columns = corpus.row | {MATCHES: matches}
    return ConditionRow(RowName(corpus.name, corpus.audit.lang), partial(read_value, columns))
