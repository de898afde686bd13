"""Write the report of a corpus (Urchs 2025, Appendix A): LaTeX tables, and a page to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_metadata
from textparity.errors import InputError
from textparity.files import write_text
from textparity.pages import page_environment
from textparity.persons.actors.languages import LANGUAGES, PAPER_LANGUAGE
from textparity.persons.actors.word_lists import GENDERS
from textparity.persons.passages import UNDETERMINED
from textparity.tables import LATEX_NEEDS, latex_of_frame, show_interval
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
QUALITY_HEADER = (
    "procedure",
    "passages",
    "phenomenon",
    "precision",
    "precision_low",
    "precision_high",
    "recall",
    "recall_low",
    "recall_high",
    "f1",
    "true_positives",
    "gold",
    "predicted",
)
_PRONOUNS_NOTE = (
    "Actors without a gendered pronoun are left out, so there are no undetermined ones; ihn and ihm do not count."
)
_SENTIMENT_NOTES = (
    "A text without actors of a gender has the sentiment 0 for it; the overall sentiment of the totals is the mean "
    "of the two, that per text another number.",
    "Sentiment is the mean over the texts that have actors of the gender; overall, over the texts with any.",
)
_PATTERN_NOTE = (
    "Forms with a colon, a star or an inner capital are not found: “gender-inclusive language” is three words such "
    "as Gewinn or Beginn, and nearly every other text with a noun has “generic masculine”."
)
NOTES = {
    "published": (
        "Only texts in which some actor has a gendered pronoun exist: “texts” and “texts with actors” are the same, "
        "and every mean is over these texts alone.",
        _PRONOUNS_NOTE,
        "Names are merged if one is part of another’s letters, and then count more than once.",
        "Of a sentence only the first mention’s role counts; objects in the dative do not.",
        "A sentence with two quotation marks is a direct quote of every actor in it; » and « are no quotation marks.",
        _PATTERN_NOTE,
        _SENTIMENT_NOTES[0],
        "Percentages are shares of the two genders, although Appendix A of Urchs et al. 2025 calls them percentages of "
        "all mentions, roles and quotes.",
        "The lists that Urchs et al. 2025 call PMI are counts: of the actors beside whom a word stands, for the ten "
        "most frequent words of each text.",
    ),
    "corrected": (
        "All texts count; “texts with actors” have a feminine or a masculine one.",
        "Actors whose gender no pronoun, title or first name tells are undetermined. They are in “overall”, but not in "
        "the percentages, which compare feminine with masculine.",
        _SENTIMENT_NOTES[1],
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


def shape_groups(summary: pd.DataFrame, top_words: pd.DataFrame) -> Iterator[GroupReport]:
    """Build the report of each group of a summary, in the summary's order."""
    shown, metrics = shown_columns(summary), shown_metrics(summary)
    words = dict(iter(top_words.assign(value=_shape_values(top_words)).groupby("group", sort=False)))
    for group, rows in summary.groupby("group", sort=False):
        numbers = rows.set_index(["section", "metric", "statistic"])[list(COLUMNS)]
        yield GroupReport(
            name=group,
            texts=_shape_texts(numbers),
            totals=_shape_totals(numbers, shown, metrics),
            per_text=_shape_per_text(numbers, shown, metrics),
            words=_shape_words(words[group]) if group in words else {},
            compared={metric: _compare(numbers, metric) for metric in COMPARED},
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


def _compare(numbers: pd.DataFrame, metric: str) -> tuple[str, str, bool]:
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
        is_sentiment = metric == SENTIMENT
        totals = numbers.loc[(TOTALS, metric, "mean" if is_sentiment else "total")]
        row = {"metric": label_of(metric)}
        row |= {name: show_number(totals[name], 2 if is_sentiment else 0) for name in shown}
        row |= dict.fromkeys(("feminine_percent", "interval", "masculine_percent"), "")
        if not is_sentiment:
            shares = numbers.loc[(PERCENT, metric, "percent")]
            row |= {f"{gender}_percent": show_number(shares[gender], 1) for gender in GENDERS}
            row["interval"] = _shape_interval(numbers, metric)
        rows.append(row)
    return pd.DataFrame(rows)


def _shape_per_text(numbers: pd.DataFrame, shown: list[str], metrics: tuple[str, ...]) -> pd.DataFrame:
    rows = []
    for metric in (*metrics, *TEXT_COUNTS[2:]):
        row = {"metric": label_of(metric)}
        for column in shown:
            for statistic in STATISTICS:
                # Texts are not counted by gender.
                of_text = metric in TEXT_COUNTS and column != OVERALL
                value = numbers.loc[(PER_TEXT, metric, statistic), column]
                row[f"{column}_{statistic}"] = "" if of_text else show_number(value, 2)
        rows.append(row)
    return pd.DataFrame(rows)


def are_counts(top_words: pd.DataFrame) -> bool:
    """Check whether the values of ranked words are their counts."""
    return bool(top_words["value"].eq(top_words["count"]).all())


def _shape_values(top_words: pd.DataFrame) -> list[str]:
    """Format the count of each word, preceded by its value if that is something else."""
    counts = [show_number(count, 0) for count in top_words["count"]]
    if are_counts(top_words):
        return counts
    return [f"{show_number(value, 2)}; {count}" for value, count in zip(top_words["value"], counts, strict=True)]


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
    tables_latex: Path,
    page_html: Path,
    corpus: str,
    procedure: str,
    confidence_level: float,
    lang: str = PAPER_LANGUAGE,
) -> None:
    """Write the report of a corpus by one procedure as LaTeX tables and as a page.

    The page is HTML that needs nothing else (no script, no font, no network); all texts are escaped.

    `summary` and `top_words` are the outputs of `summarise_articles`. The metadata of `measures` (a file of per-article
    rows) record what parsed and scored the texts. `quality` is empty or holds the table of `score_rules`. `corpus` is
    the corpus' name, `confidence_level` that of the summary's intervals, `lang` the articles' language. Raises
    `InputError` if the quality table lacks a column.
    """
    made_with = read_metadata(measures)
    described = {"corpus": corpus, "procedure": procedure}
    described |= {name: made_with[name] for name in ("model", "coreference", "sentiment") if name in made_with}
    numbers = read_summary(summary)
    shown = shown_columns(numbers)
    words = read_top_words(top_words)
    groups = list(shape_groups(numbers, words))
    has_sentiment = SENTIMENT in shown_metrics(numbers)
    word_unit = "their count" if are_counts(words) else "mutual information in bits; count"
    interval = f"{100 * confidence_level:g} % bootstrap interval over texts"
    write_text(tables_latex, _latex_of(groups, shown, corpus, procedure, word_unit, interval, has_sentiment))
    scores = _read_quality(quality, procedure)
    environment = page_environment("textparity_studies.newsroom")
    # Print a minus sign instead of a hyphen; only for cells that are numbers.
    environment.filters["number"] = lambda text: text.replace("-", "−")
    environment.filters["label"] = label_of
    page = environment.get_template("report.html.j2").render(
        described={_DESCRIBED[key]: value for key, value in described.items()},
        corpus=corpus,
        procedure=procedure,
        notes=[note for note in _notes_on(lang, procedure) if has_sentiment or note not in _SENTIMENT_NOTES],
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
        quality=None if scores is None else scores.to_dict("records"),
    )
    write_text(page_html, page)


def _notes_on(lang: str, procedure: str) -> tuple[str, ...]:
    """List the notes that a reader needs about a procedure, also for languages other than the paper's."""
    if lang == PAPER_LANGUAGE:
        return NOTES[procedure]
    name = LANGUAGES[lang].name
    notes = [note for note in NOTES[procedure] if note not in (_PRONOUNS_NOTE, _PATTERN_NOTE)]
    if procedure == "corrected":
        notes.append(f"Urchs et al. 2025 is on German articles alone: the rules and word lists for {name} are ours.")
    if procedure == "published":
        notes.append(
            "Urchs et al. 2025 is on German articles alone: "
            f"this is its procedure with pronouns and word lists of {name}."
        )
        notes.append("Actors without a gendered pronoun are left out, so there are no undetermined ones.")
        notes.append("The pattern for gender-inclusive language is that for German, and says nothing here.")
    if lang in _WITHOUT_STEMS:
        notes.append(f"No list of gender-coded words is published for {name}: there are none to count.")
    return tuple(notes)


def _read_quality(paths: list[Path], procedure: str) -> pd.DataFrame | None:
    """Read the rows of one procedure, formatted for the page, or None if there is no table."""
    if not paths:
        return None
    table = pd.read_csv(paths[0], dtype=dict.fromkeys(QUALITY_HEADER[:3], str), na_values=[""], keep_default_na=False)
    if missing := [name for name in QUALITY_HEADER if name not in table.columns]:
        raise InputError(
            f"{paths[0]}: there is no column {', '.join(missing)}; it must have {', '.join(QUALITY_HEADER)}"
        )
    table = table.loc[table["procedure"] == procedure, list(QUALITY_HEADER[1:])].reset_index(drop=True)
    for name in ("precision", "recall"):
        ends = zip(table.pop(f"{name}_low"), table.pop(f"{name}_high"), strict=True)
        table[f"{name}_interval"] = ["" if pd.isna(low) else show_interval(low, high, 1) for low, high in ends]
    for name in ("precision", "recall", "f1", "true_positives", "gold", "predicted"):
        decimals = 1 if name in ("precision", "recall", "f1") else 0
        table[name] = [show_number(value, decimals) for value in table[name]]
    return table


def _latex_of(
    groups: Sequence[GroupReport],
    shown: list[str],
    corpus: str,
    procedure: str,
    word_unit: str,
    interval: str,
    has_sentiment: bool,
) -> str:
    source = f"{corpus}, {procedure}"
    totals = f"percentages are of feminine and masculine, with the feminine share's {interval}"
    totals += "; sentiment is a mean from −1 to 1" * has_sentiment
    tables = [LATEX_NEEDS]
    if len(groups) > 1:
        tables.append(_latex_comparison(groups, source, f"tab:report-{source}-groups"))
    for number, group in enumerate(groups):
        name = "whole corpus" if group.name == WHOLE else group.name
        # Without a page break LaTeX defers all tables until it has no room for more.
        label = f"tab:report-{source}-{number}"
        tables += ["\\clearpage\n", *_latex_group(group, shown, f"{source}, {name}", label, word_unit, totals)]
    return "\n".join(tables)


def _latex_comparison(groups: Sequence[GroupReport], source: str, label: str) -> str:
    head = ["Group", "Texts", "With actors", *(_SHORT.get(name, label_of(name)) for name in COMPARED)]
    rows = [
        [group.name, *group.texts["number"].iloc[:2], *(group.compared[name][0] for name in COMPARED)]
        for group in groups
    ]
    caption = f"Feminine share of feminine and masculine actors, mentions, roles and quotes in percent: {source}."
    alignment = "l" + "r" * (len(head) - 1)
    return latex_of_frame(pd.DataFrame(rows, columns=head), caption, label, alignment=alignment)


def _latex_group(group: GroupReport, shown: list[str], source: str, label: str, word_unit: str, said: str) -> list[str]:
    texts = group.texts.rename(columns={"number": OVERALL}).drop(columns="percent")
    totals = pd.concat([texts, group.totals]).reindex(columns=group.totals.columns).fillna("")
    heads = {"metric": "Metric"} | _SHORT
    heads |= {
        column: f"{_SHORT[column.removesuffix('_percent')]} (%)" for column in totals if column.endswith("_percent")
    }
    caption = f"Totals; {said}: {source}."
    alignment = "l" + "r" * (len(totals.columns) - 1)
    tables = [latex_of_frame(totals.rename(columns=heads), caption, f"{label}-totals", alignment=alignment)]
    caption = f"Mean, median and standard deviation per text: {source}."
    tables.append(latex_of_frame(_stack_genders(group.per_text, shown), caption, f"{label}-texts", alignment="llrrr"))
    for part, words in group.words.items():
        caption = f"{part.capitalize()} that go with actors ({word_unit}): {source}."
        tables.append(latex_of_frame(_join_values(words), caption, f"{label}-{part}", alignment="rlll"))
    return tables


def _join_values(words: pd.DataFrame) -> pd.DataFrame:
    joined = {"Rank": words["rank"].astype(str)}
    for column in WORD_COLUMNS:
        values = " (" + words[f"{column}_value"] + ")"
        joined[column.capitalize()] = words[column] + values.where(words[column] != "", "")
    return pd.DataFrame(joined)


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
