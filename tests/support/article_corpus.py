"""Generated measures of articles for the tests of flags, balancing and their tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

COUNTS = (
    "actors",
    "mentions",
    "named_mentions",
    "pronoun_mentions",
    "subject_roles",
    "object_roles",
    "direct_quotes",
    "indirect_quotes",
)
GENDERS = ("feminine", "masculine", "undetermined")
SCHEMA = pa.schema(
    [("id", pa.string()), ("number", pa.int64()), ("group", pa.string())]
    + [
        (f"{gender}_{name}", pa.float64() if name == "sentiment" else pa.int64())
        for gender in GENDERS
        for name in (*COUNTS, "sentiment")
    ]
)


def article(number: int, group: str = "2001", **measures: Any) -> dict[str, Any]:
    """Return one row; measures that are not given are 0, sentiment is null."""
    row = dict.fromkeys(SCHEMA.names, 0) | {f"{gender}_sentiment": None for gender in GENDERS}
    return row | {"id": f"article-{number}", "number": number, "group": group} | measures


def random_articles(seed: int, articles: int, excess: float = 2.0, groups: tuple[str, ...] = ("2001", "2002")) -> list:
    """Return rows with about `excess` masculine actors for each feminine one, and about a third of them empty."""
    random = np.random.default_rng(seed)
    rows = []
    for number in range(articles):
        row = article(number, group=str(random.choice(groups)))
        for gender, mean in (("feminine", 0.5), ("masculine", 0.5 * excess), ("undetermined", 0.5)):
            actors = int(random.geometric(1 / (1 + mean)) - 1)
            mentions = actors + int(random.poisson(1.5 * actors))
            pronouns, roles, quotes = (int(random.binomial(mentions, share)) for share in (0.4, 0.6, 0.4))
            subjects, direct = int(random.binomial(roles, 0.8)), int(random.binomial(quotes, 0.6))
            values = (actors, mentions, mentions - pronouns, pronouns, subjects, roles - subjects)
            row |= dict(zip((f"{gender}_{name}" for name in COUNTS), (*values, direct, quotes - direct), strict=True))
            row[f"{gender}_sentiment"] = round(float(random.normal(0, 0.2)), 2) if actors else None
        rows.append(row)
    return rows


def write_articles(folder: Path, rows: list[dict[str, Any]], parts: int = 1) -> list[Path]:
    """Write the rows as so many files; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"part_{part}.parquet" for part in range(parts)]
    for part, path in enumerate(paths):
        pq.write_table(pa.Table.from_pylist(rows[part::parts], schema=SCHEMA), path)
    return paths
