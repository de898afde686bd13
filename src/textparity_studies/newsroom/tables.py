"""Tabulate flags and exclusions (Figures 5 and 7 of Urchs 2025), pronoun shares, inclusive forms and errors of actors.

The table of gender-inclusive language compares both procedures' checks on a list of spellings and on the articles of a
run. The list, `resources/newsroom/gold/inclusive_forms_deu.tsv`, has every usual spelling with several nouns (`source`
own), and words that either check found in public corpora. A person judged whether each is inclusive; the spelling of
those that are not is `none`. `tokens` is the form as spaCy's German tokenizer splits it, because the paper's check
reads single tokens. On the list that check has the best case: each token is marked as a noun, and none as a name.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import GENDERS, PROCEDURES
from textparity.errors import TableError
from textparity.estimating.estimates import percentage, share
from textparity.estimating.intervals import clustered_interval
from textparity.files import read_tsv
from textparity.tables import Table
from textparity_studies.newsroom.balance import (
    INDICATORS,
    STEPS,
    difference_column,
    is_among,
    read_excluded,
    read_measured,
    split_evenly,
)
from textparity_studies.newsroom.inclusive_language import ALL_SPELLINGS, find_inclusive_forms, finds_as_noun
from textparity_studies.newsroom.languages import PAPER_LANGUAGE
from textparity_studies.newsroom.measuring import SHARE_UNITS

FLAG_COUNTS = [f"flags_{number}" for number in range(len(INDICATORS) + 1)]
ERROR_COLUMNS = ["document", "actor", "detected_gender", "evidence", "reading", "weight"]
KINDS = ("woman", "man", "no person", "not known")
# The verdict that confirms an actor of each detected gender.
_RIGHT = {"feminine": "woman", "masculine": "man"}
_ERROR_LEVEL = 0.95
LISTED = "listed spellings"
_OWN = "own"
_VERDICTS = ("yes", "no")
_MOST_FREQUENT = 3


def tabulate_exclusions(flags: Path, excluded: Path) -> Iterator[Table]:
    """Tabulate the flagged and the excluded articles per group (year or topic), with a last row for the total.

    Columns of `flags` (the paper's Figure 5): `group`; `articles`; `judged` (on any indicator); `flags_0` to `flags_4`
    (judged articles with that number of flags); `excluded`; for each indicator `{…}_judged`, `{…}_flagged`,
    `{…}_percent_of_judged`, `{…}_excluded` (flagged and excluded) and `{…}_percent_of_excluded`, empty if no article
    was judged on it. Shares do not add up to 100: an article may have several flags, and one excluded to balance the
    corpus may have none. `exclusions` (Figure 7): `group`, `articles`, `flags` and `balance` (excluded in that step),
    `excluded`, `excluded_percent`, `left`.
    """
    table = read_measured([flags], ["group", "flags", *INDICATORS, *map(difference_column, INDICATORS)])
    gone, procedure = read_excluded(excluded), read_metadata(flags)["procedure"]
    shares = {f"{name}_percent_of_excluded": name.partition("_")[0].capitalize() for name in INDICATORS}
    yield Table(
        "flags",
        _count_flags(table, is_among(table["id"], gone["id"])),
        {"group": "Group", "judged": "Judged"}
        | {name: name[-1] for name in FLAG_COUNTS}
        | {"excluded": "Excluded"}
        | shares,
        dict.fromkeys(shares, "{:.1f}"),
        of=procedure,
    )
    columns = {"articles": True} | {step: is_among(table["id"], gone["id"][gone["step"] == step]) for step in STEPS}
    rows = _sum_by_group(table["group"], columns)
    rows["excluded"] = rows[list(STEPS)].sum(axis=1)
    rows["excluded_percent"] = _percentages(rows["excluded"], rows["articles"])
    rows["left"] = rows["articles"] - rows["excluded"]
    heads = ("Group", "Articles", "By flags", "To balance", "Excluded", "Excluded (%)", "Left")
    formats = {"excluded_percent": "{:.2f}"}
    yield Table("exclusions", rows, dict(zip(rows.columns, heads, strict=True)), formats, of=procedure)


def _count_flags(table: pa.Table, gone: np.ndarray) -> pd.DataFrame:
    is_judged = {name: table[difference_column(name)].is_valid().to_numpy() for name in INDICATORS}
    judged, numbers = sum(is_judged.values()) > 0, table["flags"].to_numpy()
    columns = {"articles": True, "judged": judged}
    columns |= {name: judged & (numbers == number) for number, name in enumerate(FLAG_COUNTS)}
    columns["excluded"] = gone
    for name in INDICATORS:
        flagged = table[name].to_numpy()
        columns |= {f"{name}_judged": is_judged[name], f"{name}_flagged": flagged, f"{name}_excluded": flagged & gone}
    rows = _sum_by_group(table["group"], columns)
    for name in INDICATORS:
        judged_on_it = rows[f"{name}_judged"]
        rows[f"{name}_percent_of_judged"] = _percentages(rows[f"{name}_flagged"], judged_on_it)
        # An indicator that was judged in no article is missing, not zero.
        excluded_articles = rows["excluded"].where(judged_on_it > 0, 0)
        rows[f"{name}_percent_of_excluded"] = _percentages(rows[f"{name}_excluded"], excluded_articles)
    kinds = ("judged", "flagged", "percent_of_judged", "excluded", "percent_of_excluded")
    by_indicator = [f"{name}_{kind}" for name in INDICATORS for kind in kinds]
    return rows[["group", "articles", "judged", *FLAG_COUNTS, "excluded", *by_indicator]]


def read_groups(table_csv: Path) -> tuple[pd.DataFrame, bool]:
    """Read the rows of the groups, without the total, and whether the groups are numbers (years)."""
    # A group may be called NA.
    cells = pd.read_csv(table_csv, dtype=str, keep_default_na=False)
    rows = cells.drop(columns="group").apply(pd.to_numeric, errors="coerce").iloc[:-1]
    groups = cells["group"].iloc[:-1]
    are_numbers = len(groups) > 0 and _are_whole_numbers(groups)
    rows.insert(0, "group", groups.astype(int) if are_numbers else groups)
    return rows, are_numbers


def _are_whole_numbers(groups: pd.Series) -> bool:
    return bool(groups.str.fullmatch(r"[0-9]{1,9}").all())


def _sum_by_group(groups: pa.ChunkedArray, columns: dict[str, Any]) -> pd.DataFrame:
    """Count the true values of each column by group, with groups sorted and a last row for the total."""
    frame = pd.DataFrame({"group": groups.to_pandas()} | columns)
    sums = frame.groupby("group")[list(columns)].sum().astype(int)
    order = int if _are_whole_numbers(sums.index.to_series()) else None
    sums = sums.loc[sorted(sums.index, key=order)]
    total = sums.sum().to_frame().T.assign(group="all")
    return pd.concat([sums.reset_index(), total], ignore_index=True)[["group", *columns]]


def _percentages(parts: pd.Series, wholes: pd.Series) -> list[float]:
    return [percentage(part, whole) for part, whole in zip(parts, wholes, strict=True)]


def tabulate_pronoun_shares(pronoun_shares: list[Path], procedure: str, pronoun_share: float) -> Iterator[Table]:
    """Sum the counts of all parts by the least share of pronouns; `configured` marks `pronoun_share`, that of the run.

    `actor_ratio` and `mention_ratio` are feminine per masculine, empty if there is nothing masculine.
    """
    rows = pd.concat(map(pd.read_csv, pronoun_shares)).groupby("share", as_index=False).sum()
    rows.insert(1, "configured", ["yes" if least == pronoun_share else "no" for least in rows["share"]])
    for unit in SHARE_UNITS:
        counts = rows[[f"{gender}_{unit}" for gender in GENDERS]].itertuples(index=False)
        rows[f"{unit.removesuffix('s')}_ratio"] = [share(*pair) for pair in counts]
    heads = {"share": "Share", "feminine_actors": "Women", "masculine_actors": "Men", "undetermined_actors": "Unknown"}
    heads |= {"actor_ratio": "Actors", "mention_ratio": "Mentions"}
    formats = {"share": "{:g}", "actor_ratio": "{:.2f}", "mention_ratio": "{:.2f}"}
    yield Table("pronoun_shares", rows, heads, formats, of=procedure)


def tabulate_inclusive_forms(listed_forms: Path, inclusive_forms: list[Path], langs: dict[str, str]) -> Iterator[Table]:
    """Tabulate the listed spellings that each procedure finds, and the forms it finds in each corpus.

    `langs` maps the corpora to their languages. `inclusive_forms` are their files (`measuring.FORM_SCHEMA`) by each
    procedure; those of one corpus and procedure are adjacent. Columns: `texts` (`listed spellings` or a corpus);
    `procedure`; `spelling` (on the list, or in a corpus the kind of form; `all` is the total, the only row of the
    paper's check); `listed` (inclusive forms on the list; in the row `none`, the other forms); `found`; `words`
    (different ones among these); `articles` (with at least one); `judged` (found forms on the list); `inclusive` (among
    these); `inclusive_percent`; `most_frequent`. Memory: the different words.
    """
    rows = read_tsv(listed_forms, ["form", "spelling", "tokens", "inclusive", "source"])
    for line, row in enumerate(rows, start=2):
        if row["inclusive"] not in _VERDICTS:
            raise TableError(
                f"{listed_forms}, line {line}: inclusive {row['inclusive']!r} is not one of {', '.join(_VERDICTS)}"
            )
    verdicts = {row["form"]: row["inclusive"] == "yes" for row in rows}
    table = list(_rows_of_list([row for row in rows if row["source"] == _OWN]))
    units = list(product(langs, PROCEDURES))
    for (corpus, procedure), files in zip(units, split_evenly(inclusive_forms, len(units)), strict=True):
        # Only German has a list.
        judged = verdicts if langs[corpus] == PAPER_LANGUAGE else {}
        for counts in _count_spellings(files, judged):
            table.append({"texts": corpus, "procedure": procedure, **counts})
    heads = {"texts": "Texts", "procedure": "Rules", "spelling": "Spelling", "listed": "Listed", "found": "Found"}
    heads |= {"judged": "Judged", "inclusive": "Inclusive", "inclusive_percent": "%"}
    frame = pd.DataFrame(table).astype({"listed": "Int64", "articles": "Int64"})
    yield Table("inclusive_forms", frame, heads, {"inclusive_percent": "{:.1f}"})


def _rows_of_list(rows: list[dict[str, str]]) -> Iterable[dict[str, object]]:
    spellings = [*dict.fromkeys(row["spelling"] for row in rows), ALL_SPELLINGS]
    for procedure in PROCEDURES:
        for spelling in spellings:
            these = [row for row in rows if spelling in (row["spelling"], ALL_SPELLINGS)]
            found = Counter(row["form"] for row in these if _is_found(row, procedure))
            inclusive = {row["form"]: row["inclusive"] == "yes" for row in these}
            yield {
                "texts": LISTED, "procedure": procedure, "spelling": spelling, "listed": sum(inclusive.values()),
                **_count_forms(found, inclusive),
            }  # fmt: skip


def _is_found(row: dict[str, str], procedure: str) -> bool:
    if procedure == "published":
        return any(map(finds_as_noun, row["tokens"].split()))
    return bool(find_inclusive_forms(row["form"]))


def _count_spellings(files: list[Path], verdicts: dict[str, bool]) -> Iterable[dict[str, object]]:
    found: dict[str, Counter[str]] = {ALL_SPELLINGS: Counter()}
    articles: Counter[str] = Counter()
    for path in files:
        for row in read_rows(path).to_pylist():
            found.setdefault(row["spelling"], Counter())[row["form"]] += row["count"]
        articles.update(read_metadata(path)["articles"])
    for spelling, forms in sorted(found.items()):
        counts = _count_forms(forms, verdicts) | {"articles": articles[spelling]}
        yield {"spelling": spelling, "listed": None, **counts}


def _count_forms(found: Counter[str], verdicts: dict[str, bool]) -> dict[str, object]:
    judged = sum(count for form, count in found.items() if form in verdicts)
    inclusive = sum(count for form, count in found.items() if verdicts.get(form))
    frequent = sorted(found, key=lambda form: (-found[form], form))[:_MOST_FREQUENT]
    return {
        "found": found.total(), "words": len(found), "articles": None, "judged": judged, "inclusive": inclusive,
        "inclusive_percent": percentage(inclusive, judged), "most_frequent": ", ".join(frequent),
    }  # fmt: skip


def tabulate_actor_errors(judged: Path) -> Iterator[Table]:
    """Tabulate the errors among the named actors that annotators checked against the articles."""
    yield Table("actor_errors", pd.DataFrame(count_actor_errors(judged)))


def count_actor_errors(judged: Path) -> list[dict[str, object]]:
    """Count, per detected gender: actors checked, their number in all, the verdicts, and the percentage right.

    Actors of one document form a cluster. `women_percent_found` is women's share of the named actors with a gender, and
    `women_percent_true` is that share without the errors.
    """
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    is_right: dict[str, dict[str, list[bool]]] = {gender: defaultdict(list) for gender in _RIGHT}
    found: dict[str, float] = defaultdict(float)
    true: dict[str, float] = defaultdict(float)
    for row in read_tsv(judged, ERROR_COLUMNS):
        gender, kind = row["detected_gender"], row["reading"]
        kinds[gender][kind] += 1
        if kind != KINDS[-1]:
            is_right[gender][row["document"]].append(kind == _RIGHT[gender])
        # Only a sample of the actors was checked, so one checked actor may stand for several.
        found[gender] += float(row["weight"])
        true[kind] += float(row["weight"])
    shares = {
        "women_percent_found": 100 * found["feminine"] / sum(found.values()),
        "women_percent_true": 100 * true["woman"] / (true["woman"] + true["man"]),
    }
    rows = []
    for gender in _RIGHT:
        right, whole = (np.array(list(map(count, is_right[gender].values()))) for count in (sum, len))
        ends = clustered_interval(right, whole, _ERROR_LEVEL)
        rows.append(
            {"found_as": gender, "read": kinds[gender].total(), "found": round(found[gender])}
            | {kind.replace(" ", "_"): kinds[gender][kind] for kind in KINDS}
            | {"right_percent": 100 * right.sum() / whole.sum()}
            | {"right_percent_low": 100 * ends.low, "right_percent_high": 100 * ends.high}
            | shares
        )
    return rows
