"""What the least share of pronouns decides, by which an actor gets their gender (the paper's 70 %, Urchs 2025)."""

from collections import Counter
from pathlib import Path

import pandas as pd

from textparity.files import write_rows
from textparity.measures.statistics import share
from textparity.report.tables import write_csv, write_latex
from textparity.studies.newsroom.annotations import read_annotations
from textparity.studies.newsroom.extraction.measuring import Measure
from textparity.studies.newsroom.word_lists import ALL_GENDERS, GENDERS, load_word_lists

# An actor of half of each has the first gender that is tried, so the least is a little more.
SHARES = (0.51, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
UNITS = ("actors", "mentions")
_COLUMNS = ["share", *(f"{gender}_{unit}" for unit in UNITS for gender in ALL_GENDERS)]


def count_by_pronoun_share(
    annotations: Path, counts: Path, procedure: str, configured: float, **word_lists: Path
) -> None:
    """Count the actors of each gender and their mentions in one file of annotations, by several least shares.

    These are `SHARES` and `configured`, that of the run. A CSV row a share: `share`, `{gender}_{actors,mentions}`.
    `word_lists` are those of `load_word_lists`; nothing is parsed.
    """
    shares = sorted({*SHARES, configured})
    measure = Measure(procedure, load_word_lists(**word_lists), configured, None)
    found: dict[float, Counter[str]] = {least: Counter() for least in shares}
    for batch in read_annotations(annotations):
        for article in batch:
            for least, actors in measure.find_by_share(article, shares):
                for actor in actors:
                    found[least][f"{actor.gender}_actors"] += 1
                    found[least][f"{actor.gender}_mentions"] += actor.mentions
    write_rows(counts, _COLUMNS, ([least, *(found[least][name] for name in _COLUMNS[1:])] for least in shares))


def tabulate_pronoun_shares(
    counts: list[Path], table_csv: Path, table_latex: Path, procedure: str, configured: float
) -> None:
    """Write the sums of all `counts`, with `configured` (yes: the share of the run) and feminine per masculine.

    The ratios are `actor_ratio` and `mention_ratio`, empty where there is nothing masculine.
    """
    rows = pd.concat(map(pd.read_csv, counts)).groupby("share", as_index=False).sum()
    rows.insert(1, "configured", ["yes" if least == configured else "no" for least in rows["share"]])
    for unit in UNITS:
        pairs = rows[[f"{gender}_{unit}" for gender in GENDERS]].itertuples(index=False)
        rows[f"{unit.removesuffix('s')}_ratio"] = [share(*pair) for pair in pairs]
    write_csv(rows, table_csv)
    heads = {"share": "Share", "feminine_actors": "Women", "masculine_actors": "Men", "undetermined_actors": "Unknown"}
    heads |= {"actor_ratio": "Actors", "mention_ratio": "Mentions"}
    write_latex(
        rows[list(heads)].rename(columns=heads),
        table_latex,
        caption=(
            f"Actors by the least share of their pronouns that tells their gender ({procedure}), and women per man "
            "among actors and mentions."
        ),
        label=f"tab:pronoun-shares-{procedure}",
        formats={"Share": "{:g}", "Actors": "{:.2f}", "Mentions": "{:.2f}"},
    )
