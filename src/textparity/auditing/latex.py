"""The result as a booktabs table."""

from textparity.auditing.results import AuditResult
from textparity.auditing.terminal import show_estimate, show_number
from textparity.lexicon import CLASSES
from textparity.tables import escape_latex, small_latex_table


def render_latex(result: AuditResult) -> str:
    """Return one row a corpus and language, with intervals."""
    import pandas as pd

    several = len({item.corpus for item in result.languages}) > 1
    rows = [
        ({"Corpus": item.corpus} if several else {})
        | {"Lang": item.lang, "Texts": f"{item.texts:,}", "Words": f"{item.words:,}"}
        | {name.capitalize(): show_estimate(item.rate(name), 3) for name in CLASSES}
        | {"M : F": show_estimate(item.masculine_per_feminine, 2),
           "Matched (%)": show_number(item.coverage_percent, 1)}
        for item in result.languages
    ]  # fmt: skip
    heads = ["Lang", "Texts", "Words", *map(str.capitalize, CLASSES), "M : F", "Matched (%)"]
    frame = pd.DataFrame(rows, columns=["Corpus"] * several + heads)
    settings = result.settings
    lexicon = settings.lexicon_folder.name if settings.lexicon_folder else settings.lexicon
    return small_latex_table(
        frame,
        "l" * several + "lrrllllr",
        caption=escape_latex(
            f"Person nouns in percent of words ({settings.procedure} procedure, {settings.engine} engine, lexicon "
            f"{lexicon}), masculine per feminine, and texts with a match; in brackets {level_of(result)} % bootstrap "
            "intervals over texts."
        ),
        label="tab:audit",
    )


def level_of(result: AuditResult) -> str:
    """Return the level of the intervals in percent."""
    return f"{100 * result.settings.confidence_level:g}"
