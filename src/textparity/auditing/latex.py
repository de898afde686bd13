"""The result as a booktabs table."""

from textparity.auditing.findings import Findings
from textparity.auditing.terminal import lexicon_of, show_interval, show_number, verdict_of
from textparity.measures.lexicon import CLASSES
from textparity.report.tables import escape_latex, small_latex_table


def render_latex(result: Findings) -> str:
    """Return one row a corpus and language, with intervals."""
    import pandas as pd

    several = result.has_corpora
    heads = ["Lang", "Texts", "Words", *map(str.capitalize, CLASSES), "M : F", "Matched (%)", "Verdict"]
    rows = []
    for item in result.languages:
        estimates = [*((item.rate(name), 3) for name in CLASSES), (item.masculine_per_feminine, 2)]
        names = [item.corpus] * several + [item.lang]
        values = [show_number(estimate.value, digits) for estimate, digits in estimates]
        matched = show_number(item.coverage_percent, 1)
        rows.append([*names, f"{item.texts:,}", f"{item.words:,}", *values, matched, item.verdict])
        # Below the numbers, as beside them they would not fit on a page.
        rows.append([""] * (len(names) + 2) + [show_interval(*found) for found in estimates] + [""] * 2)
    frame = pd.DataFrame(rows, columns=["Corpus"] * several + heads)
    settings = result.settings
    return small_latex_table(
        frame,
        "l" * several + "lrrrrrrrl",
        caption=escape_latex(
            f"Person nouns in percent of words ({settings.procedure} procedure, {settings.engine} engine, lexicon "
            f"{lexicon_of(result)}), masculine per feminine, and texts with a match; below, {level_of(result)} % "
            f"bootstrap intervals over texts. Verdict: {verdict_of(result)}."
        ),
        label="tab:audit",
    )


def level_of(result: Findings) -> str:
    """Return the level of the intervals in percent."""
    return f"{100 * result.settings.confidence_level:g}"
