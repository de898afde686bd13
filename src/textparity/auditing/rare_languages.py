"""Leave out languages that are detected in few texts, most of them by mistake, and report them together."""

from collections import Counter
from collections.abc import Mapping

from textparity.auditing.languages import OTHER_LANGUAGE
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import Tally

# A share of all texts, so that a small corpus keeps its languages.
LEAST_SHARE = 0.01


def leave_out_strays(settings: AuditSettings, corpora: Mapping[str, dict[str, Tally]], left_out: Counter[str]) -> None:
    """Remove rare languages from `corpora`, and list them in `left_out`, together with rare ones without a lexicon.

    A language is rare if it has fewer than `min_size` texts and less than a hundredth of all texts. A language that the
    user gave is never rare.
    """
    if settings.lang_field:
        return
    texts, detected = Counter[str](), Counter[str]()
    for tallies in corpora.values():
        for lang, tally in tallies.items():
            texts[lang] += tally.totals["texts"]
            detected[lang] += tally.detected
    limit = min(settings.min_size, LEAST_SHARE * (texts.total() + left_out.total()))
    few = {lang: number for lang, number in texts.items() if number == detected[lang] and number < limit}
    for tallies in corpora.values():
        for lang in few.keys() & tallies.keys():
            del tallies[lang]
    others = {
        reason.removeprefix(OTHER_LANGUAGE): number
        for reason, number in left_out.items()
        if reason.startswith(OTHER_LANGUAGE) and number < limit
    }
    if len(few) + len(others) > 1:
        for code in others:
            del left_out[f"{OTHER_LANGUAGE}{code}"]
        few |= others
    if few:
        ordered = sorted(few.items(), key=lambda item: (-item[1], item[0]))
        listed = ", ".join(f"{lang} {number}" for lang, number in ordered)
        reason = f"other languages, each less than 1 % and under {settings.min_size:,} texts: {listed}"
        left_out[reason] = sum(few.values())
