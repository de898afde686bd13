"""Measure where the paper's balancing stops by four readings of the code, and the effect of other flag thresholds.

python resources/newsroom/kept/balancing.py RESULTS   # the folder `results` of a run that has the corpus gnad

We ran it once. Claims quote the two tables that it writes to its own folder; these record their date and input (`made`,
and the sha256 of all files read, in order). Both use the rules of the procedure `published`.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_metadata
from textparity.estimating.estimates import MINIMUM_UNITS, percentage, share
from textparity_studies.newsroom.balance import DECIMALS, INDICATORS, difference_column, read_measured, whole_numbers
from textparity_studies.newsroom.exclusion import COUNTS, RATIOS, is_in_range, ratio, remove_one_sided
from textparity_studies.newsroom.yearly_figures import read_years
from textparity_studies.report.catalogue import write_kept
from textparity_studies.report.ledger import read_published

FOLDER = Path(__file__).parent
CORPUS = "gnad"
# Multiples of the configured threshold.
TIMES = (0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0)
MINIMUM = "minimum_flags"
REPORTS = "taz2024full"
# The range of §5.3, whatever the config's range is.
PAPER_RANGE = (0.75, 1.25)
BEFORE, AUTHORS = "nothing left out", "the authors' reports"
ALL, GROUPS, UNFLAGGED, RETURNED = (
    "all articles", "each group by itself", "without flagged articles", "without flagged articles, which return"
)  # fmt: skip
# Ratios about the excluded masculine actors: numerator and denominator.
_STYLES = {
    "named_per_pronoun": ("named_mentions", "pronoun_mentions"),
    "direct_per_indirect": ("direct_quotes", "indirect_quotes"),
}
_STYLE_COUNTS = [name for pair in _STYLES.values() for name in pair]
_FLAG_KINDS = {"no_flag_percent": "without_flag", "one_flag_percent": "one_flag", "more_flags_percent": "several_flags"}


def main(results: Path) -> None:
    """Write both tables."""
    folder = results / "newsroom" / CORPUS / "published"
    articles, flags = sorted(folder.glob("measures/*.parquet")), folder / "flags.parquet"
    published = FOLDER.parent / "published.csv"
    years = [FOLDER.parent / f"published_yearly_{state}.csv" for state in ("unbalanced", "balanced")]
    stops = [*rows_of_reports(published, *years), *rows_of_corpus(articles, flags)]
    write_kept(pd.DataFrame(stops), FOLDER / "balancing_stops.csv", [*articles, flags, published, *years])
    write_kept(pd.DataFrame(vary_thresholds(articles, flags)), FOLDER / "thresholds.csv", [*articles, flags])


def vary_thresholds(articles: list[Path], flags: Path) -> list[dict[str, object]]:
    """Count the flagged and excluded articles with one setting changed and the others as in `flags`.

    The setting is one of the four thresholds, or `minimum_flags`. Columns: `corpus`, `setting`, `value`, `configured`
    (yes: as in `flags`), `judged` (articles, on any indicator), `flagged` (with this flag, or with this many flags),
    `flagged_percent` (of the judged ones), `excluded`, `excluded_percent`, `actor_ratio` and `mention_ratio` (feminine
    per masculine, in the articles that are not excluded).
    """
    table = read_measured(articles, list(COUNTS))
    differences = read_measured([flags], list(map(difference_column, INDICATORS)))
    counts = np.stack([whole_numbers(table, name) for name in COUNTS], axis=1)
    # An indicator that was not judged never exceeds a threshold.
    values = {name: differences[difference_column(name)].fill_null(-1).to_numpy() for name in INDICATORS}
    judged = np.any([value >= 0 for value in values.values()], axis=0)
    settings_of = read_metadata(flags)
    made = settings_of["thresholds"] | {MINIMUM: settings_of[MINIMUM]}
    rows: list[dict[str, object]] = []
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
            row = {"corpus": CORPUS, "setting": setting, "value": value}
            row["configured"] = "yes" if value == made[setting] else "no"
            row["judged"] = int(judged.sum())
            for name, chosen in (("flagged", flagged), ("excluded", excluded)):
                row |= {name: int(chosen.sum()), f"{name}_percent": percentage(chosen.sum(), judged.sum())}
            rows.append(row | {name: float(ratio(*left[list(places)])) for name, places in RATIOS.items()})
    return rows


def rows_of_reports(published: Path, unbalanced: Path, balanced: Path) -> Iterable[dict[str, object]]:
    """Tabulate the authors' reports, before and after balancing.

    Columns: `corpus`, `balanced` (the articles to which the rule is applied), `articles` (with actors), `excluded` (to
    balance), `excluded_percent`. For the excluded ones (or all articles, if none is excluded),
    `masculine_{actors,mentions}_per_article`, `named_per_pronoun` and `direct_per_indirect` (masculine mentions and
    quotes); for the excluded ones, `{no,one,more}_flag(s)_percent`. For the remaining ones, `actor_ratio` and
    `mention_ratio`, `in_range`, `groups` (years or topics with actors), `{actor,mention}_ratio_in_range` (the number of
    groups in the range) and `{actor,mention}_ratio_largest` (the largest ratio of a group with ten or more actors).
    `men_alone_left`: remaining articles with masculine actors and no feminine ones; for the reports, a lower bound
    (articles less feminine actors, by year).
    """
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


def rows_of_corpus(articles: list[Path], flags: Path) -> Iterable[dict[str, object]]:
    """Apply the paper's rule to the corpus by each reading of the articles that it covers.

    The last reading excludes the same articles as the one before, but shows what the code does with them. Its second
    step overwrites the list of excluded articles (corpus_balancing, code/utils.py: `corpus_level_balance_filter`), so
    that flagged articles return to the corpus.
    """
    names = [*COUNTS, *(f"masculine_{name}" for name in _STYLE_COUNTS)]
    table = read_measured(articles, ["group", *names])
    flagged = read_measured([flags], ["excluded", "flags"])
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
            CORPUS, name, len(some), len(removed),
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
        # A first year with three articles is not evidence about a year.
        large = left[:, :2].sum(axis=1) >= MINIMUM_UNITS
        row[f"{name}_largest"] = float(ratios[large & np.isfinite(ratios)].max(initial=0))
    return row | {"men_alone_left": men_alone}


def _by_group(counts: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Sum the counts of each group."""
    names, places = np.unique(groups.astype(str), return_inverse=True)
    sums = np.zeros((len(names), counts.shape[1]), np.int64)
    np.add.at(sums, places, counts)
    return sums


if __name__ == "__main__":
    main(Path(sys.argv[1]))
