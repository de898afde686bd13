"""Tell a reader what a check says: how often the method is right, the corrected share, and how to report both."""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from textparity.auditing.showing.columns import align_columns
from textparity.auditing.showing.numbers import show_estimate, show_number
from textparity.checking.judgements import NEITHER, WRONG
from textparity.checking.samples import Design
from textparity.checking.scoring import MISSED, SAME_PERSON, Check, CheckScore, Error, positions
from textparity.estimating.agreement import ReaderAgreement
from textparity.estimating.corrected_shares import CorrectedShare
from textparity.estimating.estimates import Estimate
from textparity.files import number_of, printable
from textparity.persons.mentions import MENTIONS

# With 5 draws, corrected shares were up to 1.1 points off on average in simulations, with 10 up to 0.6 (docs/check.md).
# Intervals from 5 contained the truth as often as they should, but were wide.
ENOUGH_DRAWS = 10
# If the corrected interval is this wide in relation to that of the sample alone, nothing is gained.
NO_GAIN = 0.9
_WIDTH = 100
_WOMEN = {"feminine": "women", "masculine": "men"}
# The columns of numbers.
_RIGHT = {"found", "right", "missed"}
REFERENCES = (
    "Hansen, M. H., and Hurwitz, W. N. 1943. On the theory of sampling from finite populations. Annals of Mathematical "
    "Statistics 14 (4).",
    "Särndal, C.-E., Swensson, B., and Wretman, J. 1992. Model Assisted Survey Sampling. Springer.",
    "Angelopoulos, A. N., Duchi, J. C., and Zrnic, T. 2023. PPI++: Efficient prediction-powered inference. "
    "arXiv:2311.01453.",
    "Egami, N., Hinck, M., Stewart, B. M., and Wei, H. 2023. Using imperfect surrogates for downstream inference: "
    "Design-based supervised learning for social science applications of large language models. NeurIPS.",
)


def render_score(score: CheckScore, agreement: ReaderAgreement | None = None, second: CheckScore | None = None) -> str:
    """Render the score as text. `agreement` and `second` are those with a second reader of the same sample."""
    blocks = [list(_share_lines(score)), _progress(score), _gender_table(score)]
    if second:
        blocks.append(list(_second_reader(second, agreement)))
    blocks += [_error_lines(score.errors), ["For the methods section", "", methods_of(score, agreement)]]
    blocks.append(["References", "", *REFERENCES])
    lines = []
    for block in blocks:
        for line in block:
            lines += wrap(line, _WIDTH, subsequent_indent=_indent_of(line)) if len(line) > _WIDTH else [line]
        if block:
            lines.append("")
    return printable_lines(lines)


def printable_lines(lines: Sequence[str]) -> str:
    """Join lines without what a terminal would interpret."""
    return "\n".join(map(printable, lines)).rstrip() + "\n"


def _indent_of(line: str) -> str:
    return " " * (len(line) - len(line.lstrip()))


def counted_noun(design: Design) -> str:
    """Name what was counted: mentions or people."""
    return design.count if design.count == MENTIONS else "people"


def _share_lines(score: CheckScore) -> Iterator[str]:
    """State the shares, and what the correction gains."""
    if score.share is None:
        yield "Single matches were drawn, so this check says how many are right. It cannot say what was missed, and "
        yield "does not correct women's share; draw texts for that (without --matches)."
        return
    raw = f"{100 * score.raw_share:.1f}" if not math.isnan(score.raw_share) else "–"
    yield f"Women's share as counted:  {raw} %"
    if math.isnan(score.share.corrected.value):
        yield f"Corrected share:           none yet: {_why_none(score)}"
        return
    corrected, alone = score.share.corrected * 100, score.share.alone * 100
    yield f"Corrected by your reading: {show_estimate(corrected, 1)} %"
    yield f"From the texts read alone: {show_estimate(alone, 1)} %"
    yield ""
    yield f"{describe_gain(score.share)} {_describe_number(score)}"


def _why_none(score: CheckScore) -> str:
    least = 3
    if any(not share.draws for share in score.of_strata.values()) or score.draws < least:
        return f"at least {least} texts have to be read in each language or group, in the order of the sample"
    return "no woman and no man is marked in the texts of a language or group"


def describe_gain(share: CorrectedShare) -> str:
    """Say in a sentence how much the counts of all texts gain over the texts that were read alone."""
    ratio = share.width_ratio
    if ratio >= NO_GAIN:
        return (
            "Nothing is gained: the interval is about as wide as from the texts alone. The method's errors differ "
            "between your texts as much as its counts, or the texts read have few women or men."
        )
    return f"The interval is {100 * ratio:.0f} % as wide as from the texts alone."


def _describe_number(score: CheckScore) -> str:
    if score.draws < ENOUGH_DRAWS:
        return (
            f"{number_of(score.draws, 'text')} read are too few: from under {ENOUGH_DRAWS}, the corrected share may be "
            "off by about a point on average, besides its interval. Read more before you use it."
        )
    return f"To halve it, read about {score.to_halve - score.draws:,} more texts (draw {score.to_halve:,} in all)."


def _progress(score: CheckScore) -> list[str]:
    """State how much of the sample is read."""
    nouns = "matches" if score.design.is_of_matches else "texts"
    parts = [f"{score.draws:,} of the {score.wanted:,} {nouns} drawn are read"]
    if score.texts < score.draws:
        parts.append(f"{score.texts:,} of them different")
    if score.draws < score.wanted:
        parts.append(f"an unfinished sample counts as its first {nouns}")
    if score.unclear:
        parts.append(f"{score.unclear:,} unclear, which count neither as right nor as wrong")
    return [f"{'; '.join(parts)}."]


def _gender_table(score: CheckScore) -> list[str]:
    heads = ["", "found", "right", "missed", "precision %", "recall %"]
    rows = [heads]
    for gender in score.genders:
        numbers = [f"{number:,}" for number in (gender.found, gender.right, gender.missed)]
        parts = [show_estimate(estimate * 100, 0) for estimate in (gender.precision, gender.recall)]
        rows.append([_WOMEN[gender.gender], *numbers, *parts])
    if score.share is None:
        of_precision = [[*row[:3], row[4]] for row in rows]
        return [*align_columns(of_precision, _RIGHT), "Precision is an estimate for all texts, with its interval."]
    note = "Numbers are those in the texts read; precision and recall are estimates for all texts, with intervals."
    return [*align_columns(rows, _RIGHT), note]


def _second_reader(second: CheckScore, agreement: ReaderAgreement | None) -> Iterator[str]:
    if agreement:
        yield describe_agreement(agreement)
    if second.share and not math.isnan(second.share.corrected.value):
        yield f"Corrected by the second reader: {show_estimate(second.share.corrected * 100, 1)} %"


def describe_agreement(agreement: ReaderAgreement) -> str:
    """State the agreement of two readers in a sentence."""
    if not agreement.units:
        return "The two readers have read no text both."
    alpha = show_number(agreement.alpha, 2)
    return (
        f"Two readers agree on {agreement.percent:.0f} % of {number_of(agreement.units, 'judgement')} "
        f"(Krippendorff's alpha {alpha})."
    )


def _error_lines(errors: Sequence[Error]) -> list[str]:
    if not errors:
        return ["No error was marked."]
    lines = ["Errors"]
    for error in errors:
        lines.append(f"  {error.number:,} × {describe_error(error)}")
        lines += [f"      {example}" for example in error.examples]
    return lines


_SAID = {
    **_WOMEN,
    WRONG: "wrong",
    SAME_PERSON: "the same person as another one",
    NEITHER: "neither woman nor man",
}


def describe_error(error: Error) -> str:
    """Describe a kind of error: what was found, and what it is."""
    said = _SAID[error.said]
    if error.kind == MISSED:
        return f"{said}: missed"
    found = _WOMEN.get(error.found, "unspecified")
    return f"{error.kind}, found as {found}: {said}"


def methods_of(score: CheckScore, agreement: ReaderAgreement | None = None) -> str:
    """Write the paragraph for the methods section of a paper."""
    design = score.design
    noun = counted_noun(design)
    sentences = [_drawn_sentence(score), _read_sentence(score, noun)]
    if agreement and agreement.units:
        sentences.append(describe_agreement(agreement))
    sentences.append(_right_sentence(score))
    if score.share and not math.isnan(score.share.corrected.value):
        raw = f"{100 * score.raw_share:.1f} %"
        sentences.append(
            f"We corrected women's share by the difference between the share found in the sample and in all texts, on "
            f"the logit scale (Särndal et al. 1992; Angelopoulos et al. 2023; for the setting, Egami et al. 2023): "
            f"{raw} as counted, {show_estimate(score.share.corrected * 100, 1)} % corrected, with an interval from the "
            "design of the sample."
        )
    signatures = dict.fromkeys(stratum.signature for stratum in design.strata)
    return " ".join([*sentences, f"Counted with {'; '.join(signatures)}."])


def _drawn_sentence(score: CheckScore) -> str:
    design = score.design
    size = sum(stratum.texts for stratum in design.strata)
    if design.is_of_matches:
        return (
            f"We drew {score.wanted:,} matches at random from those of women and "
            f"men in {number_of(size, design.unit)} (seed {design.seed})."
        )
    strata = f" in each of {len(design.strata)} strata" if len(design.strata) > 1 else ""
    per_stratum = design.strata[0].draws
    return (
        f"From {number_of(size, design.unit)}, we drew {per_stratum:,}{strata} with replacement, with probabilities in "
        f"proportion to the women and men found plus one (seed {design.seed}; Hansen and Hurwitz 1943)."
    )


def _read_sentence(score: CheckScore, noun: str) -> str:
    if score.design.is_of_matches:
        return f"A reader judged {score.draws:,} of them."
    return f"A reader marked all {noun} of women and men in {score.draws:,} of these draws."


def _right_sentence(score: CheckScore) -> str:
    parts = []
    for gender in score.genders:
        of_gender = f"of the {_WOMEN[gender.gender]} found, {_percent(gender.precision)} are right"
        if score.share is not None:
            of_gender += f", and {_percent(gender.recall)} of those in the texts are found"
        parts.append(of_gender)
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _percent(estimate: Estimate) -> str:
    return f"{show_estimate(estimate * 100, 0)} %"


def render_json(score: CheckScore, agreement: ReaderAgreement | None = None, second: CheckScore | None = None) -> str:
    """Render the score for programs, shares and parts as fractions."""
    whole: dict[str, Any] = {
        "design": asdict(score.design),
        "draws": score.draws,
        "draws_wanted": score.wanted,
        "texts": score.texts,
        "unclear": score.unclear,
        "women_share": score.raw_share,
        **_share_values(score.share),
        "draws_to_halve": score.to_halve,
        "genders": [asdict(gender) for gender in score.genders],
        "strata": [
            {"corpus": stratum.corpus, "lang": stratum.lang, "group": stratum.group, **_share_values(share)}
            for stratum, share in score.of_strata.items()
        ],
        "errors": [asdict(error) for error in score.errors],
        "methods": methods_of(score, agreement),
        "references": list(REFERENCES),
    }
    if agreement:
        whole["agreement"] = asdict(agreement)
    if second:
        whole["second_reader"] = _share_values(second.share)
    return json.dumps(_without_nan(whole), ensure_ascii=False, indent=1) + "\n"


def _share_values(share: CorrectedShare | None) -> dict[str, Any]:
    if share is None:
        return {}
    return {**share.corrected.columns("corrected_share"), **share.alone.columns("share_of_texts_read")}


def _without_nan(value: Any) -> Any:
    """Replace what JSON cannot have by null."""
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def render_positions(check: Check) -> str:
    """Render the positions and judgements of the texts that are read, without their words, as CSV."""
    rows = list(positions(check))
    output = io.StringIO()
    writer = csv.DictWriter(output, list(rows[0]) if rows else ["text"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return output.getvalue()
