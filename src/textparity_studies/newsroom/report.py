"""Write the report of a corpus (Urchs 2025, Appendix A): LaTeX tables, and a page to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pandas as pd

from textparity.corpora.reading import read_metadata
from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.files import write_text
from textparity.tables import LATEX_NEEDS, latex_of_frame, page_environment, show_interval
from textparity_studies.measures.passages import UNDETERMINED
from textparity_studies.newsroom.languages import LANGUAGES, PAPER_LANGUAGE
from textparity_studies.newsroom.measuring import PARTS_OF_SPEECH
from textparity_studies.newsroom.summary import (
    ACTOR_COUNTS,
    COLUMNS,
    HIGH,
    LOW,
    OVERALL,
    PER_TEXT,
    PERCENT,
    SENTIMENT,
    SMALL,
    STATISTICS,
    TEXT_COUNTS,
    TOTALS,
    WHOLE,
    WORD_COLUMNS,
    read_summary,
    read_top_words,
)

NOTHING = "–"
_LABELS = {
    "total_texts": "Texts",
    "texts_with_actors": "Texts with actors",
    "gender_neutral_texts": "Gender-inclusive language",
    "generic_masculine_texts": "Generic masculine",
    "feminine_coded_words": "Feminine-coded words",
    "masculine_coded_words": "Masculine-coded words",
}
# The metrics whose feminine share is shown in the overview of groups.
COMPARED = ("actors", "mentions", "subject_roles", "object_roles", "direct_quotes", "indirect_quotes")
_SCORES = ("precision", "recall")
QUALITY_HEADER = (
    *("procedure", "passages", "phenomenon"),
    *(f"{name}{end}" for name in _SCORES for end in ("", "_low", "_high")),
    *("f1", "true_positives", "gold", "predicted"),
)
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
_COUNTS = "their count"
_WITHOUT_STEMS = ("fra",)
_STATISTICS = dict(zip(STATISTICS, ("Mean", "Median", "Std. dev."), strict=True))
_DESCRIBED = {
    "corpus": "Corpus",
    "procedure": "Procedure",
    "model": "Parser (spaCy model)",
    "coreference": "Coreference",
    "sentiment": "Sentiment",
}


@dataclass(frozen=True)
class GroupReport:
    """Hold one group's tables; all cells are text.

    `texts` has a row per kind of text (`metric`, `number`, `percent` of all texts). `totals` has one per metric
    (`metric`, genders, `overall`, `feminine_percent`, its `interval`, `masculine_percent`), and so has `per_text`
    (`metric`, then `{column}_{statistic}`). `words` has, by part of speech, a row per rank: `rank`, then each column of
    words with its value as `{column}_value` and its count, a number, as `{column}_count`. `compared` has, by metric,
    the feminine share in percent, its interval, and a flag for shares of fewer than `SMALL`.
    """

    name: str
    texts: pd.DataFrame
    totals: pd.DataFrame
    per_text: pd.DataFrame
    words: dict[str, pd.DataFrame]
    compared: dict[str, tuple[str, str, bool]]


def shape_groups(summary: pd.DataFrame, top_words: pd.DataFrame, word_unit: str) -> Iterator[GroupReport]:
    """Build the report of each group of a summary, in the summary's order."""
    shown, metrics = shown_columns(summary), shown_metrics(summary)
    counts = [show_number(count, 0) for count in top_words["count"]]
    values = [
        count if word_unit == _COUNTS else f"{show_number(value, 2)}; {count}"
        for value, count in zip(top_words["value"], counts, strict=True)
    ]
    words = dict(iter(top_words.assign(value=values).groupby("group", sort=False)))
    for group, rows in summary.groupby("group", sort=False):
        numbers = rows.set_index(["section", "metric", "statistic"])[list(COLUMNS)]
        yield GroupReport(
            name=group,
            texts=_shape_texts(numbers),
            totals=_shape_totals(numbers, shown, metrics),
            per_text=_shape_per_text(numbers, shown, metrics),
            words=_shape_words(words[group]) if group in words else {},
            compared={metric: _shape_share(numbers, metric) for metric in COMPARED},
        )


def shown_columns(summary: pd.DataFrame) -> list[str]:
    """List the genders of a summary and `overall`; undetermined only if the procedure has it."""
    has_undetermined = summary[UNDETERMINED].notna().any()
    return [name for name in COLUMNS if name != UNDETERMINED or has_undetermined]


def shown_metrics(summary: pd.DataFrame) -> tuple[str, ...]:
    """List the counts of actors, and sentiment if it was measured."""
    sentiment = summary.loc[summary["metric"] == SENTIMENT, list(COLUMNS)]
    return (*ACTOR_COUNTS, *([SENTIMENT] if sentiment.notna().to_numpy().any() else []))


def label_of(metric: str) -> str:
    """Return the label of a metric in a table."""
    return _LABELS.get(metric, metric.replace("_", " ").capitalize())


def show_number(number: float, decimals: int) -> str:
    """Format a number with thousands separators; a missing one as a dash, and zero without a sign."""
    return NOTHING if pd.isna(number) else f"{number:z,.{decimals}f}"


def _shape_share(numbers: pd.DataFrame, metric: str) -> tuple[str, str, bool]:
    counted = numbers.loc[(TOTALS, metric, "total"), list(GENDERS)].sum()
    share = show_number(numbers.loc[(PERCENT, metric, "percent"), "feminine"], 1)
    return share, _shape_interval(numbers, metric), bool(counted < SMALL)


def _shape_interval(numbers: pd.DataFrame, metric: str) -> str:
    """Format the interval of the feminine share; an empty string if it is undefined."""
    low, high = (numbers.loc[(PERCENT, metric, end), "feminine"] for end in (LOW, HIGH))
    return "" if pd.isna(low) else show_interval(low, high, decimals=1)


def _shape_texts(numbers: pd.DataFrame) -> pd.DataFrame:
    counts = numbers.loc[TOTALS].loc[list(TEXT_COUNTS), OVERALL].droplevel("statistic")
    texts = counts["total_texts"]
    rows = [
        (label_of(metric), show_number(count, 0), show_number(100 * count / texts, 1) if texts else NOTHING)
        for metric, count in counts.items()
    ]
    return pd.DataFrame(rows, columns=["metric", "number", "percent"])


def _shape_totals(numbers: pd.DataFrame, shown: list[str], metrics: tuple[str, ...]) -> pd.DataFrame:
    rows = []
    for metric in metrics:
        statistic, decimals = ("mean", 2) if metric == SENTIMENT else ("total", 0)
        totals = numbers.loc[(TOTALS, metric, statistic)]
        row = {"metric": label_of(metric)} | {name: show_number(totals[name], decimals) for name in shown}
        row |= dict.fromkeys(("feminine_percent", "interval", "masculine_percent"), "")
        if metric != SENTIMENT:
            shares = numbers.loc[(PERCENT, metric, "percent")]
            row |= {f"{gender}_percent": show_number(shares[gender], 1) for gender in GENDERS}
            row["interval"] = _shape_interval(numbers, metric)
        rows.append(row)
    return pd.DataFrame(rows)


def _shape_per_text(numbers: pd.DataFrame, shown: list[str], metrics: tuple[str, ...]) -> pd.DataFrame:
    rows = []
    for metric in (*metrics, *TEXT_COUNTS[2:]):
        row = {"metric": label_of(metric)}
        for column, statistic in product(shown, STATISTICS):
            # Texts are not counted by gender.
            is_empty = metric in TEXT_COUNTS and column != OVERALL
            value = numbers.loc[(PER_TEXT, metric, statistic), column]
            row[f"{column}_{statistic}"] = "" if is_empty else show_number(value, 2)
        rows.append(row)
    return pd.DataFrame(rows)


def _shape_words(words: pd.DataFrame) -> dict[str, pd.DataFrame]:
    shaped = {}
    for part in PARTS_OF_SPEECH:
        of_part = words[words["part_of_speech"] == part]
        if len(of_part):
            table = of_part.pivot(index="rank", columns="column", values=["word", "value", "count"])
            names = [name if kind == "word" else f"{name}_{kind}" for kind, name in table.columns]
            table = table.set_axis(names, axis="columns")
            table = table.reindex(columns=[f"{name}{end}" for name in WORD_COLUMNS for end in ("", "_value", "_count")])
            # A column without words would otherwise be numeric.
            shaped[part] = table.astype(object).fillna("").reset_index()
    return shaped


def write_report(
    summary: Path,
    top_words: Path,
    measures: Path,
    quality: list[Path],
    latex: Path,
    page: Path,
    corpus_name: str,
    procedure: str,
    confidence_level: float,
    lang: str = PAPER_LANGUAGE,
) -> None:
    """Write the report of a corpus by one procedure as LaTeX tables and as a page.

    The page is HTML that needs nothing else (no script, no font, no network); all texts are escaped.

    `summary` and `top_words` are the outputs of `summarise_articles`. The metadata of `measures` (a file of per-article
    rows) record what parsed and scored the texts. `quality` is empty or holds the table of `score_rules`.
    `confidence_level` is that of the summary's intervals, `lang` the articles' language. Raises `InputError` if the
    quality table lacks a column.
    """
    described = {"corpus": corpus_name, "procedure": procedure} | read_metadata(measures)
    numbers, words = read_summary(summary), read_top_words(top_words)
    word_unit = _COUNTS if words["value"].eq(words["count"]).all() else "mutual information in bits; count"
    groups, shown = list(shape_groups(numbers, words, word_unit)), shown_columns(numbers)
    has_sentiment = SENTIMENT in shown_metrics(numbers)
    interval = f"{100 * confidence_level:g} % bootstrap interval over texts"
    totals = f"percentages are of feminine and masculine, with the feminine share's {interval}"
    totals += "; sentiment is a mean from −1 to 1" * has_sentiment
    write_text(latex, "\n".join(_latex_tables(groups, shown, f"{corpus_name}, {procedure}", word_unit, totals)))
    environment = page_environment("textparity_studies.newsroom")
    # Print a minus sign instead of a hyphen; only for cells that are numbers.
    environment.filters["number"] = lambda text: text.replace("-", "−")
    environment.filters["label"] = label_of
    rendered = environment.get_template("report.html.j2").render(
        described={label: described[name] for name, label in _DESCRIBED.items() if name in described},
        corpus=corpus_name,
        procedure=procedure,
        # The paper's rules and word lists are German.
        other_language="" if lang == PAPER_LANGUAGE else LANGUAGES[lang].name,
        has_coded_words=lang not in _WITHOUT_STEMS,
        has_sentiment=has_sentiment,
        # The language tag that HTML uses for the words; the page itself is English.
        words_lang=LANGUAGES[lang].tag,
        whole=groups[0],
        whole_name=WHOLE,
        groups=groups[1:],
        shown=shown,
        word_unit=word_unit,
        interval=interval,
        quality_interval=f"{100 * confidence_level:g} % bootstrap interval over passages",
        compared=COMPARED,
        small=SMALL,
        quality=_read_quality(quality[0], procedure) if quality else None,
    )
    write_text(page, rendered)


def _read_quality(path: Path, procedure: str) -> list[dict[str, str]]:
    """Read the rows of one procedure, formatted for the page."""
    table = pd.read_csv(path, dtype=dict.fromkeys(QUALITY_HEADER[:3], str), na_values=[""], keep_default_na=False)
    if missing := [name for name in QUALITY_HEADER if name not in table.columns]:
        raise InputError(f"{path}: there is no column {', '.join(missing)}; it must have {', '.join(QUALITY_HEADER)}")
    table = table.loc[table["procedure"] == procedure, list(QUALITY_HEADER)]
    for name in _SCORES:
        ends = zip(table[f"{name}_low"], table[f"{name}_high"], strict=True)
        table[f"{name}_interval"] = ["" if pd.isna(low) else show_interval(low, high, 1) for low, high in ends]
    decimals = dict.fromkeys((*_SCORES, "f1"), 1) | dict.fromkeys(("true_positives", "gold", "predicted"), 0)
    for name, places in decimals.items():
        table[name] = [show_number(value, places) for value in table[name]]
    return table.to_dict("records")


def _latex_tables(
    groups: Sequence[GroupReport], shown: list[str], source: str, word_unit: str, totals: str
) -> Iterator[str]:
    yield LATEX_NEEDS
    if len(groups) > 1:
        yield _latex_comparison(groups, source, f"tab:report-{source}-groups")
    for number, group in enumerate(groups):
        name = "whole corpus" if group.name == WHOLE else group.name
        # Without a page break LaTeX defers all tables until it has no room for more.
        yield "\\clearpage\n"
        yield from _latex_group(group, shown, f"{source}, {name}", f"tab:report-{source}-{number}", word_unit, totals)


def _latex_comparison(groups: Sequence[GroupReport], source: str, label: str) -> str:
    head = ["Group", "Texts", "With actors", *(_SHORT.get(name, label_of(name)) for name in COMPARED)]
    rows = [
        [group.name, *group.texts["number"].iloc[:2], *(group.compared[name][0] for name in COMPARED)]
        for group in groups
    ]
    caption = f"Feminine share of feminine and masculine actors, mentions, roles and quotes in percent: {source}."
    return latex_of_frame(pd.DataFrame(rows, columns=head), caption, label, alignment="l" + "r" * (len(head) - 1))


def _latex_group(
    group: GroupReport, shown: list[str], source: str, label: str, word_unit: str, totals: str
) -> Iterator[str]:
    texts = group.texts.rename(columns={"number": OVERALL}).drop(columns="percent")
    frame = pd.concat([texts, group.totals]).reindex(columns=group.totals.columns).fillna("")
    heads = {"metric": "Metric"} | _SHORT | {f"{gender}_percent": f"{_SHORT[gender]} (%)" for gender in GENDERS}
    alignment = "l" + "r" * (len(frame.columns) - 1)
    yield latex_of_frame(
        frame.rename(columns=heads), f"Totals; {totals}: {source}.", f"{label}-totals", alignment=alignment
    )
    caption = f"Mean, median and standard deviation per text: {source}."
    yield latex_of_frame(_stack_genders(group.per_text, shown), caption, f"{label}-texts", alignment="llrrr")
    for part, words in group.words.items():
        joined = {"Rank": words["rank"].astype(str)}
        for column in WORD_COLUMNS:
            values = " (" + words[f"{column}_value"] + ")"
            joined[column.capitalize()] = words[column] + values.where(words[column] != "", "")
        caption = f"{part.capitalize()} that go with actors ({word_unit}): {source}."
        yield latex_of_frame(pd.DataFrame(joined), caption, f"{label}-{part}", alignment="rlll")


def _stack_genders(per_text: pd.DataFrame, shown: list[str]) -> pd.DataFrame:
    """Build one row per gender and metric, gender after gender, as in Appendix A."""
    parts = []
    for column in shown:
        names = {f"{column}_{statistic}": head for statistic, head in _STATISTICS.items()}
        part = per_text[["metric", *names]].rename(columns={"metric": "Metric"} | names)
        part.insert(1, "Gender", column)
        # Texts are not counted by gender.
        parts.append(part[part["Mean"] != ""])
    return pd.concat(parts, ignore_index=True)
