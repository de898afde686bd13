"""Add the corrected share to a result, from texts of it that were read."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textparity.auditing.audit_result import AuditResult
from textparity.auditing.groups import SEPARATOR
from textparity.auditing.reliability import Grade
from textparity.auditing.results import LanguageAudit
from textparity.auditing.signature import split_parts
from textparity.checking.samples import Stratum
from textparity.checking.scoring import Check
from textparity.counting import GENDERS
from textparity.errors import ConfigError, InputError
from textparity.estimating.corrected_shares import NO_CORRECTION
from textparity.files import number_of

MEASURED_HERE = "measured on these texts"
# The parts of a signature that say what is counted, and by which lexicon and software.
_COUNTED = ("method", "lex", "layers", "tok", "off", "pipeline", "count", "exclude", "include")


def correct_by_check(result: AuditResult, folder: str | Path) -> AuditResult:
    """Correct women's share by the texts that were read in the folder of `textparity check`, as `--checked` does."""
    return correct_result(result, Check.read(Path(folder)))


def correct_result(result: AuditResult, check: Check) -> AuditResult:
    """Correct the shares of a result. Those of groups are corrected only if groups were strata.

    Raises `InputError` if the sample was drawn from other texts, or counted otherwise, and `ConfigError` for a sample
    of single matches, and for a result of several methods.
    """
    folder = check.sample.folder
    if result.of_methods:
        raise ConfigError("only a result of one method can be corrected; count by one method")
    if check.sample.design.is_of_matches:
        raise ConfigError(f"{folder}: has single matches, which do not show what is missed; draw texts (--texts)")
    languages = tuple(_correct_language(item, check, result) for item in result.languages)
    of_rows = {(item.corpus, item.lang) for item in result.languages}
    for stratum in check.sample.design.strata:
        if (stratum.corpus, stratum.lang) not in of_rows:
            raise InputError(f"{folder}: has texts of {stratum.title}, this audit has none; {_draw_again(check)}")
    groups = tuple(_correct_group(item, check, result) for item in result.groups)
    return replace(result, languages=languages, groups=groups)


def _correct_language(item: LanguageAudit, check: Check, result: AuditResult) -> LanguageAudit:
    """Correct a language of a corpus by all of its strata."""
    strata = [
        stratum for stratum in check.sample.design.strata if (stratum.corpus, stratum.lang) == (item.corpus, item.lang)
    ]
    _check_same(item, strata, check)
    return _with_share(item, strata, check, result)


def _correct_group(item: LanguageAudit, check: Check, result: AuditResult) -> LanguageAudit:
    """Correct a group, if it is a stratum."""
    name = SEPARATOR.join(filter(None, (item.group, item.second_group)))
    row = (item.corpus, item.lang, name)
    strata = [stratum for stratum in check.sample.design.strata if (stratum.corpus, stratum.lang, stratum.group) == row]
    return _with_share(item, strata, check, result)


def _with_share(item: LanguageAudit, strata: Sequence[Stratum], check: Check, result: AuditResult) -> LanguageAudit:
    level = result.settings.estimating.confidence_level
    corrected = check.share_of(strata, level) if strata else NO_CORRECTION
    statistics = replace(item.statistics, corrected=corrected)
    if not corrected.draws:
        return replace(item, statistics=statistics)
    reason = f"{number_of(corrected.draws, item.unit)} were drawn at random and read"
    return replace(item, statistics=statistics, grade=Grade(MEASURED_HERE, reason))


def _check_same(item: LanguageAudit, strata: Sequence[Stratum], check: Check) -> None:
    """Raise `InputError` unless the strata have the texts of the row, counted in the same way."""
    folder = check.sample.folder
    if not strata:
        raise InputError(f"{folder}: has no texts of {item.row_name}; {_draw_again(check)}")
    parts = split_parts(item.signature)
    drawn_parts = split_parts(strata[0].signature)
    for name in _COUNTED:
        now = parts.get(name, "none")
        before = drawn_parts.get(name, "none")
        if now != before:
            raise InputError(
                f"{folder}: was counted with {name} {before}, this audit with {now}; count both alike, or "
                f"{_draw_again(check)}"
            )
    women, men = (item.matches[gender] for gender in GENDERS)
    texts = item.texts - item.statistics.blank_texts
    drawn_texts = sum(stratum.texts for stratum in strata)
    drawn_women = sum(stratum.women for stratum in strata)
    drawn_men = sum(stratum.men for stratum in strata)
    if (drawn_texts, drawn_women, drawn_men) != (texts, women, men):
        raise InputError(
            f"{folder}: was drawn from other texts: {drawn_texts:,} with {drawn_women:,} women and {drawn_men:,} men "
            f"found, this audit has {texts:,} with {women:,} and {men:,}; {_draw_again(check)}"
        )


def _draw_again(check: Check) -> str:
    return f"draw again from these texts (textparity check draw), into another folder than {check.sample.folder}"
