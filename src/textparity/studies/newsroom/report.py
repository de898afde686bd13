"""The report of a corpus (Urchs 2025, Appendix A): LaTeX tables, and a page to read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_metadata
from textparity.errors import InputError
from textparity.files import write_text
from textparity.report.pages import page_environment
from textparity.report.tables import escape_latex, small_latex_table
from textparity.studies.newsroom.shapes import (
    COMPARED,
    GroupReport,
    are_counts,
    label_of,
    shape_groups,
    show_number,
    shown_columns,
)
from textparity.studies.newsroom.summary import OVERALL, SMALL, STATISTICS, WHOLE, read_summary
from textparity.studies.newsroom.top_words import WORD_COLUMNS, read_top_words

QUALITY_HEADER = (
    "procedure",
    "passages",
    "phenomenon",
    "precision",
    "recall",
    "f1",
    "true_positives",
    "gold",
    "predicted",
)
NOTES = {
    "published": (
        "Only texts in which some actor has a gendered pronoun exist: “texts” and “texts with actors” are the same, "
        "and every mean is over these texts alone.",
        "Actors without a gendered pronoun are left out, so there are no undetermined ones; ihn and ihm do not count.",
        "Names are merged if one is part of another’s letters, and then count more than once.",
        "Of a sentence only the first mention’s role counts; objects in the dative do not.",
        "A sentence with two quotation marks is a direct quote of every actor in it; » and « are no quotation marks.",
        "Forms with a colon, a star or an inner capital are not found: “gender-inclusive language” is three words such "
        "as Gewinn or Beginn, and nearly every other text with a noun has “generic masculine”.",
        "A text without actors of a gender has the sentiment 0 for it; the overall sentiment of the totals is the mean "
        "of the two, that per text another number.",
        "Percentages are shares of the two genders, although Appendix A of the paper calls them percentages of all "
        "mentions, roles and quotes.",
        "The lists that the paper calls PMI are counts: of the actors beside whom a word stands, for the ten most "
        "frequent words of each text.",
    ),
    "corrected": (
        "All texts count; “texts with actors” have a feminine or a masculine one.",
        "Actors whose gender no pronoun, title or first name tells are undetermined. They are in “overall”, but not in "
        "the percentages, which compare feminine with masculine.",
        "Sentiment is the mean over the texts that have actors of the gender; overall, over the texts with any.",
        "Words are ranked by pointwise mutual information in bits: how much more of the words of the sentences that "
        "mention such an actor they make up than of all words. Rare words are left out. A noun that itself mentions a "
        "person is always in such a sentence, so it stands high.",
    ),
}
_SHORT = {
    "interval": "Interval",
    "feminine": "Fem.",
    "masculine": "Masc.",
    "undetermined": "Undet.",
    OVERALL: "All",
    "subject_roles": "Subjects",
    "object_roles": "Objects",
    "direct_quotes": "Direct",
    "indirect_quotes": "Indirect",
}
_STATISTICS = dict(zip(STATISTICS, ("Mean", "Median", "Std. dev."), strict=True))
_ROWS_A_PAGE = 50
_PREAMBLE = "% Needs \\usepackage{booktabs}; each group begins on a new page.\n"
_TEMPLATE = "report.html.j2"
_DESCRIBED = {
    "corpus": "Corpus",
    "procedure": "Procedure",
    "model": "Parser (spaCy model)",
    "scheme": "Dependency scheme",
    "coreference": "Coreference",
    "sentiment": "Sentiment",
}


def write_report(
    summary: Path,
    top_words: Path,
    measures: Path,
    quality: list[Path],
    tables_latex: Path,
    page_html: Path,
    corpus: str,
    procedure: str,
    confidence_level: float,
) -> None:
    """Write the report of a corpus by one procedure as LaTeX tables and as a page.

    `summary` and `top_words` are what `summarise_articles` writes; the metadata of `measures` (a file of
    per-article rows) say what parsed and scored the texts. `quality` is none or the table of `score_rules`.
    `corpus` is its name, `confidence_level` that of the summary's intervals. Raises `InputError` if the quality table
    lacks a column.
    """
    made_with = read_metadata(measures)
    described = {"corpus": corpus, "procedure": procedure}
    described |= {name: made_with[name] for name in ("model", "coreference", "sentiment") if name in made_with}
    numbers = read_summary(summary)
    shown = shown_columns(numbers)
    words = read_top_words(top_words)
    groups = list(shape_groups(numbers, words))
    word_unit = "their count" if are_counts(words) else "mutual information in bits; count"
    interval = f"{100 * confidence_level:g} % bootstrap interval over texts"
    write_text(tables_latex, _latex_of(groups, shown, corpus, procedure, word_unit, interval))
    scores = _read_quality(quality, procedure)
    write_text(page_html, _render_page(groups, shown, word_unit, interval, described, NOTES[procedure], scores))


def _read_quality(paths: list[Path], procedure: str) -> pd.DataFrame | None:
    """Return the rows of one procedure with their cells as shown, or nothing if there is no table."""
    if not paths:
        return None
    table = pd.read_csv(paths[0], dtype=dict.fromkeys(QUALITY_HEADER[:3], str), na_values=[""], keep_default_na=False)
    if missing := [name for name in QUALITY_HEADER if name not in table.columns]:
        raise InputError(
            f"{paths[0]}: there is no column {', '.join(missing)}; it must have {', '.join(QUALITY_HEADER)}"
        )
    table = table.loc[table["procedure"] == procedure, list(QUALITY_HEADER[1:])].reset_index(drop=True)
    for name in QUALITY_HEADER[3:]:
        decimals = 1 if name in ("precision", "recall", "f1") else 0
        table[name] = [show_number(value, decimals) for value in table[name]]
    return table


def _latex_of(
    groups: Sequence[GroupReport], shown: list[str], corpus: str, procedure: str, word_unit: str, interval: str
) -> str:
    source = f"{escape_latex(corpus)}, {procedure}"
    tables = [_PREAMBLE]
    if len(groups) > 1:
        tables += _latex_comparison(groups, source, f"tab:report-{procedure}-groups")
    for number, group in enumerate(groups):
        name = "whole corpus" if group.name == WHOLE else escape_latex(group.name)
        # Without a break LaTeX holds all tables back until it has no place for more.
        label = f"tab:report-{procedure}-{number}"
        tables += ["\\clearpage\n", *_latex_group(group, shown, f"{source}, {name}", label, word_unit, interval)]
    return "\n".join(tables)


def _latex_comparison(groups: Sequence[GroupReport], source: str, label: str) -> Iterator[str]:
    head = ["Group", "Texts", "With actors", *(_SHORT.get(name, label_of(name)) for name in COMPARED)]
    rows = [
        [group.name, *group.texts["number"].iloc[:2], *(group.compared[name][0] for name in COMPARED)]
        for group in groups
    ]
    caption = f"Feminine share of feminine and masculine actors, mentions, roles and quotes in percent: {source}."
    for number, first in enumerate(range(0, len(rows), _ROWS_A_PAGE)):
        part = pd.DataFrame(rows[first : first + _ROWS_A_PAGE], columns=head)
        yield small_latex_table(part, "l" + "r" * (len(head) - 1), caption, f"{label}-{number}")


def _latex_group(
    group: GroupReport, shown: list[str], source: str, label: str, word_unit: str, interval: str
) -> list[str]:
    texts = group.texts.rename(columns={"number": OVERALL}).drop(columns="percent")
    totals = pd.concat([texts, group.totals]).reindex(columns=group.totals.columns).fillna("")
    heads = {"metric": "Metric"} | _SHORT
    heads |= {
        column: f"{_SHORT[column.removesuffix('_percent')]} (%)" for column in totals if column.endswith("_percent")
    }
    caption = (
        f"Totals; percentages are of feminine and masculine, with the feminine share's {escape_latex(interval)}; "
        f"sentiment is a mean from $-1$ to 1: {source}."
    )
    tables = [
        small_latex_table(
            totals.rename(columns=heads), "l" + "r" * (len(totals.columns) - 1), caption, f"{label}-totals"
        )
    ]
    per_text = _stack_genders(group.per_text, shown)
    tables.append(
        small_latex_table(
            per_text, "llrrr", f"Mean, median and standard deviation per text: {source}.", f"{label}-texts"
        )
    )
    for part, words in group.words.items():
        caption = f"{part.capitalize()} that go with actors ({word_unit}): {source}."
        tables.append(small_latex_table(_join_values(words), "rlll", caption, f"{label}-{part}"))
    return tables


def _join_values(words: pd.DataFrame) -> pd.DataFrame:
    joined = {"Rank": words["rank"].astype(str)}
    for column in WORD_COLUMNS:
        values = " (" + words[f"{column}_value"] + ")"
        joined[column.capitalize()] = words[column] + values.where(words[column] != "", "")
    return pd.DataFrame(joined)


def _stack_genders(per_text: pd.DataFrame, shown: list[str]) -> pd.DataFrame:
    """Return one row per gender and metric, gender after gender, as in Appendix A."""
    parts = []
    for column in shown:
        names = {f"{column}_{statistic}": head for statistic, head in _STATISTICS.items()}
        part = per_text[["metric", *names]].rename(columns={"metric": "Metric"} | names)
        part.insert(1, "Gender", column)
        # A text has no gender of its own.
        parts.append(part[part["Mean"] != ""])
    return pd.concat(parts, ignore_index=True)


def _render_page(
    groups: Sequence[GroupReport],
    shown: list[str],
    word_unit: str,
    interval: str,
    described: dict[str, str],
    notes: Sequence[str],
    quality: pd.DataFrame | None,
) -> str:
    """Return the page as HTML, which needs nothing else (no script, no font, no network); all texts are escaped.

    `groups` begin with the whole corpus, `shown` are its genders and `overall`, `word_unit` is what stands behind a
    word, `interval` what the intervals are; `described` has `corpus`, `procedure` and whatever else measured it,
    `notes` say what the procedure does; `quality` has a row per phenomenon.
    """
    environment = page_environment("textparity.studies.newsroom")
    # A minus, not a hyphen; only for cells that are numbers.
    environment.filters["number"] = lambda text: text.replace("-", "−")
    environment.filters["label"] = label_of
    whole, *parts = groups
    return environment.get_template(_TEMPLATE).render(
        described={_DESCRIBED.get(key, label_of(key)): str(value) for key, value in described.items()},
        corpus=described["corpus"],
        procedure=described["procedure"],
        notes=list(notes),
        whole=whole,
        whole_name=WHOLE,
        groups=parts,
        shown=shown,
        word_unit=word_unit,
        interval=interval,
        compared=COMPARED,
        small=SMALL,
        quality=None if quality is None else quality.to_dict("records"),
    )
