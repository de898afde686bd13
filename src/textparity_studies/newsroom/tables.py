"""Write all tables of the study, and a report of each corpus.

The table of gender-inclusive language has what both checks find in a list of spellings and in the articles of a run.
The list, `resources/newsroom/gold/inclusive_forms_deu.tsv`, has every usual spelling with several nouns (`source` own),
and words that either check found in public corpora. A person judged whether each is inclusive; the spelling of those
that are not is `none`. `tokens` is the form as spaCy's German tokenizer splits it, because the paper's check reads
single tokens. On the list that check has the best case: each token is marked as a noun, and none as a name.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, percentage, share
from textparity.errors import TableError
from textparity.persons.actors.languages import PAPER_LANGUAGE
from textparity.persons.actors.word_lists import GENDERS
from textparity.tables import write_csv, write_latex
from textparity.tsv import read_tsv
from textparity_studies.newsroom.article_rows import pairs, split_evenly
from textparity_studies.newsroom.exclusion_tables import (
    tabulate_exclusions,
    tabulate_flags,
)
from textparity_studies.newsroom.inclusive_language import ALL_SPELLINGS, find_inclusive_forms, finds_as_noun
from textparity_studies.newsroom.measuring import SHARE_UNITS
from textparity_studies.newsroom.report import write_report
from textparity_studies.newsroom.scores import score_rules

LISTED = "listed spellings"
_OWN = "own"
_VERDICTS = ("yes", "no")
_SHOWN = 3


def write_tables(
    units: list[dict[str, str]],
    balanced_by: list[str],
    measures: list[Path],
    summaries: list[Path],
    top_words: list[Path],
    flags: list[Path],
    pronoun_shares: list[Path],
    inclusive_forms: list[Path],
    excluded: list[Path],
    gold: list[Path],
    gold_annotations: list[Path],
    listed_forms: Path,
    reports: list[Path],
    pronoun_share_tables: list[Path],
    flag_tables: list[Path],
    exclusion_tables: list[Path],
    inclusive_form_table: list[Path],
    quality_tables: list[Path],
    gold_langs: list[str],
    pronoun_share: float,
    bootstrap: Bootstrap,
    **word_lists: list[Path],
) -> None:
    """Write all tables of the study.

    A unit is one corpus by one procedure (`corpus`, its `name` and `lang`, `procedure`). The lists of files are ordered
    by units, or (`excluded` and the tables of flags and exclusions) by the units that are `balanced_by` their
    procedure. Parts of one file and the files of one table are adjacent. Passages, their annotations and tables, and
    each word list, are ordered by `gold_langs`; the quality of the rules in other languages is unknown.
    """
    number = len(units)
    measures_of, forms_of = split_evenly(measures, number), split_evenly(inclusive_forms, number)
    tabulate_inclusive_forms(listed_forms, units, forms_of, *pairs(inclusive_form_table)[0])
    quality = dict(zip(gold_langs, pairs(quality_tables), strict=True))
    for place, lang in enumerate(gold_langs):
        lists = {name: paths[place] for name, paths in word_lists.items()}
        score_rules(gold[place], gold_annotations[place], *quality[lang], pronoun_share, bootstrap, lang=lang, **lists)
    shares_of = split_evenly(pronoun_shares, number)
    tables = zip(units, pairs(reports), pairs(pronoun_share_tables), strict=True)
    for place, (unit, report, share_table) in enumerate(tables):
        procedure = unit["procedure"]
        write_report(
            summaries[place], top_words[place], measures_of[place][0], list(quality.get(unit["lang"], ())[:1]), *report,
            unit["name"], procedure, bootstrap.confidence_level, unit["lang"],
        )  # fmt: skip
        tabulate_pronoun_shares(shares_of[place], *share_table, procedure, pronoun_share)
    flags_of = [file for file, unit in zip(flags, units, strict=True) if unit["procedure"] in balanced_by]
    of_balanced = zip(flags_of, excluded, pairs(flag_tables), pairs(exclusion_tables), strict=True)
    for flagged, gone, flag_table, exclusion_table in of_balanced:
        tabulate_flags(flagged, gone, *flag_table)
        tabulate_exclusions(flagged, gone, *exclusion_table)


def tabulate_pronoun_shares(
    counts: list[Path], table_csv: Path, table_latex: Path, procedure: str, configured: float
) -> None:
    """Write the sums of all `counts` with feminine per masculine; `configured` marks the share used in the run.

    The ratios are `actor_ratio` and `mention_ratio`, empty if there is nothing masculine.
    """
    rows = pd.concat(map(pd.read_csv, counts)).groupby("share", as_index=False).sum()
    rows.insert(1, "configured", ["yes" if least == configured else "no" for least in rows["share"]])
    for unit in SHARE_UNITS:
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
        formats={"Share": "{:g}", "Actors": "{:.2f}", "Mentions": "{:.2f}"},
    )


def tabulate_inclusive_forms(
    listed: Path, units: list[dict[str, str]], forms: list[list[Path]], table_csv: Path, table_latex: Path
) -> None:
    """Write the `listed` spellings that each procedure finds, and the forms it finds in each corpus.

    `forms` are the files of each of the `units` (`measuring.FORM_SCHEMA`). Columns: `texts` (`listed spellings` or a
    corpus); `procedure`; `spelling` (on the list, or in a corpus the kind of form; `all` is the total, the only row of
    the paper's check); `listed` (inclusive forms on the list; in the row `none`, the other forms); `found`; `words`
    (different ones among these); `articles` (with at least one); `judged` (found forms on the list); `inclusive` (among
    these); `inclusive_percent`; `most_frequent`. Memory: the different words.
    """
    rows = read_tsv(listed, ["form", "spelling", "tokens", "inclusive", "source"])
    for line, row in enumerate(rows, start=2):
        if row["inclusive"] not in _VERDICTS:
            raise TableError(f"{listed}, line {line}: inclusive {row['inclusive']!r} is none of {', '.join(_VERDICTS)}")
    verdicts = {row["form"]: row["inclusive"] == "yes" for row in rows}
    table = list(_rows_of_list([row for row in rows if row["source"] == _OWN]))
    for unit, files in zip(units, forms, strict=True):
        # Only German has a list.
        table += _rows_of_unit(unit, files, verdicts if unit["lang"] == PAPER_LANGUAGE else {})
    frame = pd.DataFrame(table).astype({"listed": "Int64", "articles": "Int64"})
    write_csv(frame, table_csv)
    heads = {"texts": "Texts", "procedure": "Rules", "spelling": "Spelling", "listed": "Listed", "found": "Found"}
    heads |= {"judged": "Judged", "inclusive": "Inclusive", "inclusive_percent": "%"}
    write_latex(
        frame[list(heads)].rename(columns=heads),
        table_latex,
        caption=(
            "Gender-inclusive forms that the paper's check and ours find: of a list of spellings, and in corpora; of "
            "the found forms that a person judged, how many are inclusive."
        ),
        formats={"%": "{:.1f}"},
    )


def _rows_of_list(rows: list[dict[str, str]]) -> Iterable[dict[str, object]]:
    spellings = [*dict.fromkeys(row["spelling"] for row in rows), ALL_SPELLINGS]
    for procedure in PROCEDURES:
        for spelling in spellings:
            these = [row for row in rows if spelling in (row["spelling"], ALL_SPELLINGS)]
            found = Counter(row["form"] for row in these if _is_found(row, procedure))
            inclusive = {row["form"]: row["inclusive"] == "yes" for row in these}
            yield {
                "texts": LISTED, "procedure": procedure, "spelling": spelling, "listed": sum(inclusive.values()),
                **_count(found, inclusive),
            }  # fmt: skip


def _is_found(row: dict[str, str], procedure: str) -> bool:
    if procedure == "published":
        return any(map(finds_as_noun, row["tokens"].split()))
    return bool(find_inclusive_forms(row["form"]))


def _rows_of_unit(unit: dict[str, str], files: list[Path], verdicts: dict[str, bool]) -> Iterable[dict[str, object]]:
    found: dict[str, Counter[str]] = {ALL_SPELLINGS: Counter()}
    articles: Counter[str] = Counter()
    for path in files:
        for row in read_rows(path).to_pylist():
            found.setdefault(row["spelling"], Counter())[row["form"]] += row["count"]
        articles.update(read_metadata(path)["articles"])
    for spelling, forms in sorted(found.items()):
        counts = _count(forms, verdicts) | {"articles": articles[spelling]}
        yield {"texts": unit["corpus"], "procedure": unit["procedure"], "spelling": spelling, "listed": None, **counts}


def _count(found: Counter[str], verdicts: dict[str, bool]) -> dict[str, object]:
    judged = sum(count for form, count in found.items() if form in verdicts)
    inclusive = sum(count for form, count in found.items() if verdicts.get(form))
    frequent = sorted(found, key=lambda form: (-found[form], form))[:_SHOWN]
    return {
        "found": found.total(), "words": len(found), "articles": None, "judged": judged, "inclusive": inclusive,
        "inclusive_percent": percentage(inclusive, judged), "most_frequent": ", ".join(frequent),
    }  # fmt: skip
