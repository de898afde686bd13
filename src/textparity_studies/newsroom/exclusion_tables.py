"""Tabulate the flagged and excluded articles per group (year or topic): Figures 5 and 7 of Urchs 2025 as tables."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from textparity.corpora.rows import read_metadata
from textparity.counting.statistics import percentage
from textparity.tables import write_csv, write_latex
from textparity_studies.newsroom.article_rows import STEPS, is_among, read_excluded, read_measured
from textparity_studies.newsroom.balance import INDICATORS, difference_column

FLAG_COUNTS = [f"flags_{number}" for number in range(len(INDICATORS) + 1)]


def tabulate_flags(flags: Path, excluded: Path, table_csv: Path, table_latex: Path) -> None:
    """Write the flags per group, of judged articles and of articles excluded by either step (the paper's Figure 5).

    Columns of the CSV: `group`; `articles`; `judged` (on any indicator); `flags_0` to `flags_4` (judged articles with
    that number of flags); `excluded`; for each indicator `{…}_judged`, `{…}_flagged`, `{…}_percent_of_judged`,
    `{…}_excluded` (flagged and excluded) and `{…}_percent_of_excluded`, empty if no article was judged on it. Shares do
    not add up to 100: an article may have several flags, and one excluded to balance the corpus may have none.
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
        # An indicator that was judged in no article is missing, not zero.
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
    """Write the excluded articles per group and step, with percentages of all articles (the paper's Figure 7).

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


def read_groups(table_csv: Path) -> tuple[pd.DataFrame, bool]:
    """Read the rows of the groups, without the total, and whether the groups are numbers (years)."""
    # A group may be called NA.
    cells = pd.read_csv(table_csv, dtype=str, keep_default_na=False)
    rows = cells.drop(columns="group").apply(pd.to_numeric, errors="coerce").iloc[:-1]
    groups = cells["group"].iloc[:-1]
    are_numbers = len(groups) > 0 and are_whole_numbers(groups)
    rows.insert(0, "group", groups.astype(int) if are_numbers else groups)
    return rows, are_numbers


def are_whole_numbers(groups: pd.Series) -> bool:
    """Check that all groups are written as whole numbers."""
    return bool(groups.str.fullmatch(r"[0-9]{1,9}").all())


def _sum_by_group(groups: pa.ChunkedArray, columns: dict[str, Any]) -> pd.DataFrame:
    """Count the true values of each column by group, with groups sorted and a last row for the total."""
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
