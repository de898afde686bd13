"""Which articles are flagged and excluded, per group (year or topic): Figures 5 and 7 of Urchs 2025 as tables.

Also what the thresholds of the flags decide: articles flagged and excluded, and the ratios of what is left.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from textparity.corpora.rows import read_metadata
from textparity.errors import InputError
from textparity.measures.statistics import percentage
from textparity.report.tables import write_csv, write_latex
from textparity.studies.newsroom.article_rows import STEPS, is_among, read_excluded, read_measured, whole_numbers
from textparity.studies.newsroom.choices import COUNTS, RATIOS, ratio
from textparity.studies.newsroom.flags import DECIMALS, INDICATORS, difference_column

# The last row of each table has all groups.
ALL = "all"
FLAG_COUNTS = [f"flags_{number}" for number in range(len(INDICATORS) + 1)]
# Of the configured threshold.
TIMES = (0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0)
MINIMUM = "minimum_flags"


def tabulate_flags(flags: Path, excluded: Path, table_csv: Path, table_latex: Path) -> None:
    """Write the flags per group: of judged articles, and of excluded ones by either step (the paper's Figure 5).

    Columns of the CSV: `group`; `articles`; `judged` (on any indicator); `flags_0` to `flags_4` (judged articles with
    so many flags); `excluded`; for each indicator `{…}_judged`, `{…}_flagged`, `{…}_percent_of_judged`, `{…}_excluded`
    (flagged and excluded) and `{…}_percent_of_excluded`. An article may have several flags or, excluded to balance,
    none: shares do not add up to 100.
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
        for of, part, whole in (("judged", "flagged", f"{name}_judged"), ("excluded", "excluded", "excluded")):
            rows[f"{name}_percent_of_{of}"] = _percentages(rows[f"{name}_{part}"], rows[whole])
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
        label=f"tab:flags-{procedure}",
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
        label=f"tab:exclusions-{procedure}",
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
        label=f"tab:thresholds-{procedure}",
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
    total = sums.sum().to_frame().T.assign(group=ALL)
    return pd.concat([sums.reset_index(), total], ignore_index=True)[["group", *columns]]


def _percentages(parts: pd.Series, wholes: pd.Series) -> list[float]:
    return [percentage(part, whole) for part, whole in zip(parts, wholes, strict=True)]


def _title(indicator: str) -> str:
    return indicator.partition("_")[0].capitalize()
