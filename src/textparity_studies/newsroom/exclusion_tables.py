"""Which articles are flagged and excluded, per group (year or topic): Figures 5 and 7 of Urchs 2025 as tables.

Also what the thresholds of the flags decide (articles flagged and excluded, and the ratios of what is left), and where
the paper's balancing stops: the authors' yearly reports beside what their rule does on other articles. The rule leaves
out articles with actors of the overrepresented gender alone until both ratios are in the range. Three readings of which
articles it sees are run on the articles of a corpus, by `published` rules, and one more that is no other choice, but
what the code does with it: its list of excluded articles is written anew by the second step (corpus_balancing,
code/utils.py: `corpus_level_balance_filter`), so that what was flagged is in the corpus again.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from textparity.corpora.rows import read_metadata
from textparity.counting.statistics import MINIMUM_UNITS, percentage, share
from textparity.errors import InputError
from textparity.tables import write_csv, write_latex
from textparity_studies.newsroom.article_rows import STEPS, is_among, read_excluded, read_measured, whole_numbers
from textparity_studies.newsroom.asymmetry_flags import COUNTS, RATIOS, is_in_range, ratio, remove_one_sided
from textparity_studies.newsroom.balance import DECIMALS, INDICATORS, difference_column
from textparity_studies.newsroom.yearly_figures import read_years
from textparity_studies.report.ledger import read_published

FLAG_COUNTS = [f"flags_{number}" for number in range(len(INDICATORS) + 1)]
# Of the configured threshold.
TIMES = (0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0)
MINIMUM = "minimum_flags"
REPORTS = "taz2024full"
# Of §5.3, whatever the config's is.
PAPER_RANGE = (0.75, 1.25)
BEFORE, AUTHORS = "nothing left out", "the authors' reports"
ALL, GROUPS, UNFLAGGED, RETURNED = (
    "all articles", "each group by itself", "without flagged articles", "without flagged articles, which return"
)  # fmt: skip
# Of the masculine actors left out: what stands to what.
_STYLES = {
    "named_per_pronoun": ("named_mentions", "pronoun_mentions"),
    "direct_per_indirect": ("direct_quotes", "indirect_quotes"),
}
_STYLE_COUNTS = [name for pair in _STYLES.values() for name in pair]
_FLAG_KINDS = {"no_flag_percent": "without_flag", "one_flag_percent": "one_flag", "more_flags_percent": "several_flags"}


def tabulate_flags(flags: Path, excluded: Path, table_csv: Path, table_latex: Path) -> None:
    """Write the flags per group: of judged articles, and of excluded ones by either step (the paper's Figure 5).

    Columns of the CSV: `group`; `articles`; `judged` (on any indicator); `flags_0` to `flags_4` (judged articles with
    so many flags); `excluded`; for each indicator `{…}_judged`, `{…}_flagged`, `{…}_percent_of_judged`, `{…}_excluded`
    (flagged and excluded) and `{…}_percent_of_excluded`, empty where no article was judged on it. An article may have
    several flags or, excluded to balance, none: shares do not add up to 100.
    """
    table = read_measured([flags], ["group", "flags", *INDICATORS, *map(difference_column, INDICATORS)])
    is_judged = {name: table[difference_column(name)].is_valid().to_numpy() for name in INDICATORS}
    gone = is_among(table["id"], read_excluded(excluded)["id"])
    judged = sum(is_judged.values()) > 0
    numbers = table["flags"].to_numpy()
    columns = {"articles": True, "judged": judged}
    columns |= {name: judged & (numbers == number) for number, name in enumerate(FLAG_COUNTS)}
    columns["excluded"] = gone
    for name in INDICATORS:
        fired = table[name].to_numpy()
        columns |= {f"{name}_judged": is_judged[name], f"{name}_flagged": fired, f"{name}_excluded": fired & gone}
    rows = _sum_by_group(table["group"], columns)
    for name in INDICATORS:
        judged_on_it = rows[f"{name}_judged"]
        rows[f"{name}_percent_of_judged"] = _percentages(rows[f"{name}_flagged"], judged_on_it)
        # What was measured in no article is not zero.
        excluded_articles = rows["excluded"].where(judged_on_it > 0, 0)
        rows[f"{name}_percent_of_excluded"] = _percentages(rows[f"{name}_excluded"], excluded_articles)
    kinds = ("judged", "flagged", "percent_of_judged", "excluded", "percent_of_excluded")
    by_indicator = [f"{name}_{kind}" for name in INDICATORS for kind in kinds]
    rows = rows[["group", "articles", "judged", *FLAG_COUNTS, "excluded", *by_indicator]]
    write_csv(rows, table_csv)
    procedure = read_metadata(flags)["procedure"]
    shares = {f"{name}_percent_of_excluded": _title(name) for name in INDICATORS}
    heads = {"group": "Group", "judged": "Judged"} | {name: name[-1] for name in FLAG_COUNTS}
    heads |= {"excluded": "Excluded"} | shares
    write_latex(
        rows[list(heads)].rename(columns=heads),
        table_latex,
        caption=(
            f"Flags of asymmetry ({procedure}): articles judged, those of them with no flag to four flags, articles "
            "excluded by flags or to balance, and the share of these (in percent) that has each flag."
        ),
        formats=dict.fromkeys(shares.values(), "{:.1f}"),
    )


def tabulate_exclusions(flags: Path, excluded: Path, table_csv: Path, table_latex: Path) -> None:
    """Write the excluded articles per group and step, and in percent of all (the paper's Figure 7).

    Columns of the CSV: `group`, `articles`, `flags` and `balance` (excluded in that step), `excluded`,
    `excluded_percent`, `left`.
    """
    table = read_measured([flags], ["group"])
    gone = read_excluded(excluded)
    columns = {"articles": True} | {step: is_among(table["id"], gone["id"][gone["step"] == step]) for step in STEPS}
    rows = _sum_by_group(table["group"], columns)
    rows["excluded"] = rows[list(STEPS)].sum(axis=1)
    rows["excluded_percent"] = _percentages(rows["excluded"], rows["articles"])
    rows["left"] = rows["articles"] - rows["excluded"]
    write_csv(rows, table_csv)
    procedure = read_metadata(flags)["procedure"]
    heads = ["Group", "Articles", "By flags", "To balance", "Excluded", "Excluded (%)", "Left"]
    write_latex(
        rows.set_axis(heads, axis="columns"),
        table_latex,
        caption=f"Articles excluded by flags and to balance the corpus ({procedure}).",
        formats={"Excluded (%)": "{:.2f}"},
    )


def vary_thresholds(articles: list[Path], flags: Path, table_csv: Path, table_latex: Path) -> None:
    """Write what is flagged and excluded with one setting changed and the others as `flags` was made.

    The setting is one of the four thresholds, or `minimum_flags`. Columns: `setting`, `value`, `configured` (yes: as
    `flags` was made), `judged` (articles, on any indicator), `flagged` (with this flag; with so many flags),
    `flagged_percent` (of those judged), `excluded`, `excluded_percent`, `actor_ratio` and `mention_ratio` (feminine per
    masculine, of the articles that are not excluded).
    """
    table = read_measured(articles, list(COUNTS))
    differences = read_measured([flags], list(map(difference_column, INDICATORS)))
    if differences["id"] != table["id"]:
        raise InputError(f"{flags}: flags other articles than those of {articles[0]}; delete it and run again")
    counts = np.stack([whole_numbers(table, name) for name in COUNTS], axis=1)
    # Not judged is never above a threshold.
    values = {name: differences[difference_column(name)].fill_null(-1).to_numpy() for name in INDICATORS}
    judged = np.any([value >= 0 for value in values.values()], axis=0)
    settings_of = read_metadata(flags)
    made = settings_of["thresholds"] | {MINIMUM: settings_of[MINIMUM]}
    rows = []
    for setting in (*INDICATORS, MINIMUM):
        is_minimum = setting == MINIMUM
        tried = (
            range(1, len(INDICATORS) + 1) if is_minimum else [round(made[setting] * times, DECIMALS) for times in TIMES]
        )
        for value in dict.fromkeys(tried):
            settings = made | {setting: value}
            fired = {name: values[name] > settings[name] for name in INDICATORS}
            excluded = np.sum(list(fired.values()), axis=0) >= settings[MINIMUM]
            flagged = excluded if is_minimum else fired[setting]
            left = counts[~excluded].sum(axis=0)
            row = {"setting": setting, "value": value}
            row["configured"] = "yes" if value == made[setting] else "no"
            row["judged"] = int(judged.sum())
            for name, chosen in (("flagged", flagged), ("excluded", excluded)):
                row |= {name: int(chosen.sum()), f"{name}_percent": percentage(chosen.sum(), judged.sum())}
            rows.append(row | {name: float(ratio(*left[list(places)])) for name, places in RATIOS.items()})
    frame = pd.DataFrame(rows)
    write_csv(frame, table_csv)
    heads = {"setting": "Setting", "value": "Value", "flagged": "Flagged", "excluded": "Excluded"}
    heads |= {"excluded_percent": "%", "actor_ratio": "Actors", "mention_ratio": "Mentions"}
    procedure = settings_of["procedure"]
    write_latex(
        frame[list(heads)].rename(columns=heads),
        table_latex,
        caption=(
            f"One setting of the flags changed ({procedure}), of {judged.sum():,} articles judged: articles with the "
            "flag, articles excluded, also in percent, and women per man among actors and mentions of the others."
        ),
        formats={"Value": "{:g}", "%": "{:.1f}", "Actors": "{:.2f}", "Mentions": "{:.2f}"},
    )


def read_groups(table_csv: Path) -> tuple[pd.DataFrame, bool]:
    """Return the rows of the groups, without that of all, and whether the groups are numbers (years)."""
    # A group may be called NA.
    cells = pd.read_csv(table_csv, dtype=str, keep_default_na=False)
    rows = cells.drop(columns="group").apply(pd.to_numeric, errors="coerce").iloc[:-1]
    groups = cells["group"].iloc[:-1]
    are_numbers = len(groups) > 0 and are_whole_numbers(groups)
    rows.insert(0, "group", groups.astype(int) if are_numbers else groups)
    return rows, are_numbers


def are_whole_numbers(groups: pd.Series) -> bool:
    """Return whether all groups are written as whole numbers."""
    return bool(groups.str.fullmatch(r"[0-9]{1,9}").all())


def _sum_by_group(groups: pa.ChunkedArray, columns: dict[str, Any]) -> pd.DataFrame:
    """Return how often each column is true by group, groups in order, with a last row for all."""
    frame = pd.DataFrame({"group": groups.to_pandas()} | columns)
    sums = frame.groupby("group")[list(columns)].sum().astype(int)
    order = int if are_whole_numbers(sums.index.to_series()) else None
    sums = sums.loc[sorted(sums.index, key=order)]
    total = sums.sum().to_frame().T.assign(group="all")
    return pd.concat([sums.reset_index(), total], ignore_index=True)[["group", *columns]]


def _percentages(parts: pd.Series, wholes: pd.Series) -> list[float]:
    return [percentage(part, whole) for part, whole in zip(parts, wholes, strict=True)]


def _title(indicator: str) -> str:
    return indicator.partition("_")[0].capitalize()


def simulate_balancing(
    corpora: list[str],
    articles: list[list[Path]],
    flags: list[Path],
    published: Path,
    unbalanced: Path,
    balanced: Path,
    table_csv: Path,
    table_latex: Path,
) -> None:
    """Write where balancing ends by each reading, a row each, and by the authors' reports.

    `articles` are the measures of each of the `corpora`, `flags` one file each; `published` are the
    numbers printed in the paper, for its excluded articles by flags. Columns: `corpus`, `balanced` (which articles the
    rule sees), `articles` (with actors), `excluded` (to balance), `excluded_percent`; of these,
    `masculine_{actors,mentions}_per_article`, `named_per_pronoun` and `direct_per_indirect` (masculine mentions and
    quotes; of all articles where nothing is left out) and `{no,one,more}_flag(s)_percent`; `actor_ratio` and
    `mention_ratio` of what is left, `in_range`; `groups` (years or topics that have actors left),
    `{actor,mention}_ratio_in_range` (of how many the ratio is) and `{actor,mention}_ratio_largest` (the largest ratio
    of one with ten or more actors); `men_alone_left`: articles with masculine actors and no feminine ones that are
    left, in the reports at least (articles less feminine actors, by year).
    """
    rows = list(_rows_of_reports(published, unbalanced, balanced))
    for corpus, parts, flagged in zip(corpora, articles, flags, strict=True):
        rows += _rows_of_corpus(corpus, parts, flagged)
    frame = pd.DataFrame(rows)
    write_csv(frame, table_csv)
    heads = {
        "corpus": "Corpus", "balanced": "Balanced", "excluded": "Excluded", "named_per_pronoun": "Named",
        "one_flag_percent": "1 flag", "more_flags_percent": "2+", "actor_ratio": "Actors", "mention_ratio": "Mentions",
        "men_alone_left": "Men alone",
    }  # fmt: skip
    write_latex(
        frame[list(heads)].rename(columns=heads),
        table_latex,
        caption=(
            "Where balancing ends, by which articles it sees: articles excluded, their named mentions per pronoun and "
            "the percent of them with one flag and with more; then women per man among what is left, and its articles "
            "with men alone (in the authors' reports at least so many)."
        ),
        formats=dict.fromkeys(("Named", "Actors", "Mentions"), "{:.2f}") | dict.fromkeys(("1 flag", "2+"), "{:.1f}"),
    )


def _rows_of_reports(published: Path, unbalanced: Path, balanced: Path) -> Iterable[dict[str, object]]:
    before, after = read_years(unbalanced), read_years(balanced)
    removed = before.loc[after.index] - after
    printed = {
        number.column: float(number.value)
        for number in read_published(published)
        if (number.table, number.row) == ("§5.2", f"{REPORTS}, excluded") and number.value
    }
    flagged = [printed[f"articles_{'with_' if kind != 'without_flag' else ''}{kind}"] for kind in _FLAG_KINDS.values()]
    texts = "overall_texts_with_actors"
    for name, left, gone, kinds in ((BEFORE, before, before, None), (AUTHORS, after, removed, flagged)):
        counts = left[list(COUNTS)].to_numpy(np.int64)
        yield _row(
            REPORTS, name, int(before[texts].sum()), 0 if name == BEFORE else int(gone[texts].sum()),
            {unit: gone[f"masculine_{unit}"].sum() for unit in ("actors", "mentions", *_STYLE_COUNTS)},
            kinds, counts, int((left[texts] - left["feminine_actors"]).clip(lower=0).sum()),
        )  # fmt: skip


def _rows_of_corpus(corpus: str, articles: list[Path], flags: Path) -> Iterable[dict[str, object]]:
    names = [*COUNTS, *(f"masculine_{name}" for name in _STYLE_COUNTS)]
    table = read_measured(articles, ["group", *names])
    flagged = read_measured([flags], ["excluded", "flags"])
    if flagged["id"] != table["id"]:
        raise InputError(f"{flags}: flags other articles than those of {corpus}; delete it and run again")
    values = np.stack([whole_numbers(table, name) for name in names], axis=1)
    counts, number_of_flags = values[:, : len(COUNTS)], flagged["flags"].to_numpy()
    groups = table["group"].to_numpy(zero_copy_only=False)
    some = np.flatnonzero(counts[:, :2].any(axis=1))
    unflagged = some[~flagged["excluded"].to_numpy()[some]]
    by_group = [some[groups[some] == group] for group in np.unique(groups[some])]
    nobody = some[:0]

    def balance(parts: list[np.ndarray]) -> np.ndarray:
        chosen = [part[remove_one_sided(counts[part], *PAPER_RANGE).removed] for part in parts]
        return np.concatenate([nobody, *chosen])

    readings = {
        BEFORE: (some, nobody), ALL: (some, balance([some])), GROUPS: (some, balance(by_group)),
        UNFLAGGED: (unflagged, balance([unflagged])),
    }  # fmt: skip
    readings[RETURNED] = (some, readings[UNFLAGGED][1])
    for name, (seen, removed) in readings.items():
        stays = np.setdiff1d(seen, removed)
        left = counts[stays]
        shown = removed if name != BEFORE else some
        of_men = dict(zip(names, values[shown].sum(axis=0), strict=True))
        several = np.minimum(number_of_flags[removed], 2)
        yield _row(
            corpus, name, len(some), len(removed),
            {unit: of_men[f"masculine_{unit}"] for unit in ("actors", "mentions", *_STYLE_COUNTS)},
            [int((several == number).sum()) for number in range(3)] if len(removed) else None,
            _by_group(left, groups[stays]), int(((left[:, 1] > 0) & (left[:, 0] == 0)).sum()),
        )  # fmt: skip


def _row(
    corpus: str,
    balanced: str,
    articles: int,
    excluded: int,
    of_men: dict[str, float],
    flagged: list[float] | None,
    left: np.ndarray,
    men_alone: int,
) -> dict[str, object]:
    row: dict[str, object] = {"corpus": corpus, "balanced": balanced, "articles": articles, "excluded": excluded}
    row["excluded_percent"] = percentage(excluded, articles)
    for unit in ("actors", "mentions"):
        row[f"masculine_{unit}_per_article"] = share(int(of_men[unit]), excluded or articles)
    row |= {name: share(int(of_men[above]), int(of_men[below])) for name, (above, below) in _STYLES.items()}
    numbers = flagged or [np.nan] * len(_FLAG_KINDS)
    row |= {name: percentage(number, sum(numbers)) for name, number in zip(_FLAG_KINDS, numbers, strict=True)}
    total = left.sum(axis=0)
    row |= {name: float(ratio(*total[list(places)])) for name, places in RATIOS.items()}
    row["in_range"] = "true" if is_in_range(total, *PAPER_RANGE) else "false"
    row["groups"] = len(left)
    for name, (feminine, masculine) in RATIOS.items():
        ratios = ratio(left[:, feminine], left[:, masculine])
        row[f"{name}_in_range"] = int(((PAPER_RANGE[0] <= ratios) & (ratios <= PAPER_RANGE[1])).sum())
        # Three articles of a first year say nothing of a year.
        large = left[:, :2].sum(axis=1) >= MINIMUM_UNITS
        row[f"{name}_largest"] = float(ratios[large & np.isfinite(ratios)].max(initial=0))
    return row | {"men_alone_left": men_alone}


def _by_group(counts: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the sums of each group."""
    names, places = np.unique(groups.astype(str), return_inverse=True)
    sums = np.zeros((len(names), counts.shape[1]), np.int64)
    np.add.at(sums, places, counts)
    return sums
