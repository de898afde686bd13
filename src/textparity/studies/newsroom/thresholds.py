"""What the thresholds of the flags decide: articles flagged and excluded, and the ratios of what is left."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_metadata
from textparity.errors import InputError
from textparity.measures.statistics import percentage
from textparity.report.tables import write_csv, write_latex
from textparity.studies.newsroom.article_rows import read_measured, whole_numbers
from textparity.studies.newsroom.choices import COUNTS, RATIOS, ratio
from textparity.studies.newsroom.flags import DECIMALS, INDICATORS, difference_column

# Of the configured threshold.
TIMES = (0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0)
MINIMUM = "minimum_flags"


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
