"""Languages that few texts of an audit are found to be in, most of them by mistake: put together and left out."""

from collections import Counter
from collections.abc import Mapping

from textparity.auditing.languages import OTHER_LANGUAGE
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import Tally

# Of all texts; a small corpus keeps its languages.
LEAST_SHARE = 0.01


def leave_out_strays(settings: AuditSettings, corpora: Mapping[str, dict[str, Tally]], left_out: Counter[str]) -> None:
    """Take languages of few texts out of `corpora`, and put them, and others without a lexicon, together in `left_out`.

    Few are fewer than `min_size` and less than a hundredth of all texts. A language that was given is none of them.
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
