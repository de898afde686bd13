"""Write the tables of Derner 2025, §3–4 and App. C, D, I, with our values by both procedures.

Some tables use only the paper's printed numbers, without counting. One has the labelled F-score, which penalises words
found with a wrong mark, unlike that of App. C. One sums the words of Tables 5 and 6 by gender and by reference; the
sums are equal if each line of an answer has both marks. One has the share of epicene words among the person words of a
gender, and the ratio without them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, percentage
from textparity.files import atomic_path
from textparity.persons.mentions import GENDERS as MENTION_GENDERS
from textparity.tables import show_count, show_intervals, write_csv, write_latex
from textparity_studies.measures.gender_ratios import RATIO, summarise_polarity, summarise_tags
from textparity_studies.measures.person_counts import summarise_persons
from textparity_studies.measures.tag_counts import (
    COUNTS,
    ERROR,
    FURTHER_EXAMPLES,
    GENDERS,
    PROBLEMS,
    REPAIRS,
    SEVERAL_TAGS,
    STATUSES,
)
from textparity_studies.report.ledger import read_published
from textparity_studies.representation.scores import f_score, score_tagger, tabulate_scores

_SPANISH_TABLE = "5"
_SCORE_TABLES = ("4", "App. C")
_COUNT_TABLES = (_SPANISH_TABLE, "6")
_EPICENE = ("App. I", "all")
_LANGUAGES = {
    ("1", "english_masculine_per_feminine"): "eng",
    ("1", "spanish_person_masculine_per_feminine"): "spa",
    ("2", "person_masculine_per_feminine"): "cat",
}


def tabulate(
    published: Path,
    polarity: list[Path],
    tags: list[Path],
    persons: list[Path],
    gold: list[Path],
    gold_answers: list[Path],
    gold_tags: list[Path],
    gold_names: list[str],
    corpus_names: dict[str, str],
    bootstrap: Bootstrap,
    **tables: Path,
) -> None:
    """Write all tables of the study, and the summaries for its ledger; see `RepresentationPlan.tables`.

    `polarity` are counts of English corpora, `tags` the tagged words of corpora, and `persons` the counts of persons in
    them. `gold_names` correspond one by one to the annotated sentences `gold`, and so do `gold_tags` to `gold_answers`.
    """
    tabulate_published_numbers(
        published, *(tables[f"published_{name}_csv"] for name in ("scores", "totals", "epicene"))
    )
    if polarity:
        summaries = [summarise_polarity(path, _corpus(path), bootstrap) for path in polarity]
        _write_summary(summaries, tables["polarity_summary"])
        for procedure in PROCEDURES:
            files = _files(tables, f"{procedure}_polarity")
            tabulate_polarity(tables["polarity_summary"], *files, corpus_names, procedure)
    if tags:
        summaries = [summarise_tags(path, _corpus(path), read_metadata(path)["lang"], bootstrap) for path in tags]
        _write_summary(summaries, tables["tags_summary"])
        for procedure in PROCEDURES:
            files = _files(tables, f"{procedure}_tags")
            tabulate_tags(tables["tags_summary"], *files, corpus_names, procedure)
        tabulate_epicene(tags, *_files(tables, "epicene"))
    if persons:
        summaries = [summarise_persons(path, _corpus(path), bootstrap) for path in persons]
        tabulate_persons(
            [row for rows in summaries for row in rows], published, *_files(tables, "persons"), corpus_names
        )
    if tags or gold_tags:
        tabulate_answers([*gold_tags, *tags], tables["answers_csv"])
    files_of_gold = dict(zip(gold_names, gold, strict=True))
    tagged = [(read_metadata(path)["texts"].removeprefix("gold/"), path) for path in gold_tags]
    if gold_tags:
        _tabulate_taggers(files_of_gold, gold_answers, tagged, bootstrap, tables)


def _tabulate_taggers(
    gold: dict[str, Path],
    answers: list[Path],
    tagged: list[tuple[str, Path]],
    bootstrap: Bootstrap,
    tables: dict[str, Path],
) -> None:
    scored = [
        score_tagger(gold[name], answered, tags, name, bootstrap)
        for answered, (name, tags) in zip(answers, tagged, strict=True)
    ]
    for name, frames in (
        ("scores_csv", [one.scores for one in scored]),
        ("confusion_csv", [one.confusion for one in scored]),
        ("hardest_words_csv", [one.words for one in scored]),
    ):
        write_csv(pd.concat(frames, ignore_index=True), tables[name])
    for procedure in PROCEDURES:
        tabulate_scores(tables["scores_csv"], *_files(tables, f"{procedure}_validation"), procedure)


def _files(tables: dict[str, Path], name: str) -> tuple[Path, Path]:
    """Name the CSV and LaTeX files of a table."""
    return tables[f"{name}_csv"], tables[f"{name}_latex"]


def _corpus(counted: Path) -> str:
    """Extract the corpus of a file of counts or tags, whose texts are `corpora/{corpus}/{lang}`."""
    return read_metadata(counted)["texts"].split("/")[1]


def _write_summary(summaries: Iterable[list[dict[str, Any]]], path: Path) -> None:
    with atomic_path(path) as part:
        rows = [row for rows in summaries for row in rows]
        pd.DataFrame(rows).to_parquet(part, index=False, compression="zstd", write_page_checksum=True)


def tabulate_polarity(
    summary: Path, table_csv: Path, table_latex: Path, corpus_names: dict[str, str], procedure: str
) -> None:
    """Write masculine and feminine words and their ratio per corpus by one procedure (the paper's Table 7)."""
    frame = read_rows(summary).to_pandas()
    rows = frame[frame["procedure"] == procedure]
    rows = rows.assign(corpus=rows["corpus"].map(corpus_names)).drop(columns="procedure")
    write_csv(rows, table_csv)
    shown = rows[["corpus", *GENDERS.values(), "masculine_per_feminine"]].assign(
        interval=show_intervals(rows, "masculine_per_feminine")
    )
    write_latex(
        shown.set_axis(["Dataset", "Masculine", "Feminine", "Ratio", "Interval"], axis="columns"),
        table_latex,
        caption=(
            f"Gender polarity of English text ({procedure}): words of the masculine and the feminine list, "
            "and their ratio with a bootstrap interval over sentences."
        ),
        formats={"Ratio": "{:.2f} : 1"},
    )


def tabulate_tags(
    summary: Path, table_csv: Path, table_latex: Path, corpus_names: dict[str, str], procedure: str
) -> None:
    """Write the counts and the ratio per corpus by one procedure (the paper's Tables 5 and 6, and 1 and 2)."""
    frame = read_rows(summary).to_pandas()
    rows = frame[(frame["procedure"] == procedure) & (frame["reason"] == "")]
    rows = rows.assign(corpus=rows["corpus"].map(corpus_names)).drop(columns=["procedure", "reason"])
    if procedure == "published":
        rows = rows.drop(columns=[name for name in rows if "epicene" in name or name == "not_in_text"])
    write_csv(rows, table_csv)
    shown = rows.reindex(columns=["corpus", "lang", "tagger", *COUNTS, RATIO]).assign(
        interval=show_intervals(rows, RATIO)
    )
    names = ["L*,M", "L*,F", "LN,*", "LP,*", "LP,M", "LP,F"]
    formats = dict.fromkeys(names, show_count) | {"LP,M : LP,F": "{:.2f} : 1"}
    columns = ["Dataset", "Lang", "Model", *names, "LP,M : LP,F", "Interval"]
    if procedure == "corrected":
        name = f"{RATIO}_without_epicene"
        shown = shown.assign(without=rows.get(name, np.nan), absent=rows.get("not_in_text", np.nan))
        columns += ["Without epicene", "Not in the text"]
        formats |= {"Without epicene": "{:.2f} : 1", "Not in the text": show_count}
    write_latex(
        shown.set_axis(columns, axis="columns"),
        table_latex,
        caption=(
            f"Words that a language model tagged ({procedure}): masculine and feminine, for persons (P) or not (N), "
            "and masculine : feminine person words with a bootstrap interval over sentences."
        ),
        formats=formats,
    )


def tabulate_persons(
    summary: list[dict[str, Any]], published: Path, table_csv: Path, table_latex: Path, corpus_names: dict[str, str]
) -> None:
    """Write the mentions of persons per corpus, language and method, with the ratio of Tables 1 and 2."""
    printed = {
        (number.row, _LANGUAGES[number.table, number.column]): float(number.value or "nan")
        for number in read_published(published)
        if (number.table, number.column) in _LANGUAGES
    }
    table = pd.DataFrame(summary)
    table["corpus"] = table["corpus"].map(corpus_names)
    table["published"] = [printed.get(key, np.nan) for key in zip(table["corpus"], table["lang"], strict=True)]
    write_csv(table, table_csv)
    shown = table[["corpus", "lang", "method", *MENTION_GENDERS, "masculine_per_feminine"]].assign(
        interval=show_intervals(table, "masculine_per_feminine"), published=table["published"]
    )
    columns = ["Dataset", "Lang", "Method", *map(str.capitalize, MENTION_GENDERS), "Ratio", "Interval", "The paper's"]
    write_latex(
        shown.set_axis(columns, axis="columns"),
        table_latex,
        caption=(
            "Mentions of persons by gender, without a language model, their ratio with a bootstrap interval over "
            "sentences, and the paper's ratio: in English of listed words, else of words that gpt-4-turbo tagged."
        ),
        formats={"Ratio": "{:.2f} : 1", "The paper's": "{:.2f} : 1"},
    )


def tabulate_epicene(tags: list[Path], table_csv: Path, table_latex: Path) -> None:
    """Write how often each epicene word was tagged as a person, over all corpora of a language (Table 10).

    Frequencies are means over runs; `percent_of_person` is of all person words of the language.
    """
    frequencies: dict[tuple[str, str, str, str], float] = {}
    persons: dict[tuple[str, str], float] = {}
    for path in tags:
        metadata = read_metadata(path)
        if metadata["missing"]:
            continue
        key = (metadata["lang"], metadata["tagger"])
        table = read_rows(path, columns=["words", "corrected_person"])
        persons[key] = persons.get(key, 0) + sum(table["corrected_person"].to_pylist()) / metadata["runs"]
        for words in table["words"].to_pylist():
            for word in words:
                if word["epicene"] and not (word["skipped"] or word["repeated"]) and word["in_text"]:
                    entry = (*key, word["word"].lower(), GENDERS[word["gender"]])
                    frequencies[entry] = frequencies.get(entry, 0) + 1 / metadata["runs"]
    ordered = sorted(frequencies.items(), key=lambda item: (item[0][:2], -item[1], item[0]))
    rows = [(*entry, count, percentage(count, persons[entry[:2]])) for entry, count in ordered]
    table = pd.DataFrame(rows, columns=["lang", "tagger", "word", "gender", "frequency", "percent_of_person"])
    write_csv(table, table_csv)
    write_latex(
        table.set_axis(["Lang", "Model", "Word", "Gender", "Frequency", "Of person words (%)"], axis="columns"),
        table_latex,
        caption="Epicene words tagged as persons: their grammatical gender says nothing of who is meant.",
        formats={"Frequency": show_count, "Of person words (%)": "{:.1f}"},
    )


def tabulate_answers(tags: list[Path], table_csv: Path) -> None:
    """Count the answers by status and the repairs by name, per set of texts and model."""
    rows = []
    for path in tags:
        metadata = read_metadata(path)
        words = pc.sum(pc.list_value_length(read_rows(path, columns=["words"])["words"])).as_py() or 0
        repairs = ("code fence", "echo", FURTHER_EXAMPLES, SEVERAL_TAGS, *REPAIRS)
        rows.append(
            {"texts": metadata["texts"], "tagger": metadata["tagger"], "runs": metadata["runs"]}
            | {"answers": metadata["answers"], "missing": metadata["missing"]}
            | {_column(status): metadata["statuses"].get(status, 0) for status in STATUSES if status != ERROR}
            | {"words": words}
            | {_column(problem): metadata["problems"][problem] for problem in PROBLEMS}
            | {f"repaired_{_column(repair)}": metadata["repairs"].get(repair, 0) for repair in repairs}
        )
    write_csv(pd.DataFrame(rows), table_csv)


def _column(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")


def tabulate_published_numbers(published: Path, scores_csv: Path, totals_csv: Path, epicene_csv: Path) -> None:
    """Write the three tables from `published` (`resources/representation/published.csv`).

    `scores_csv`: table, tagger, printed scores in percent, and `labelled_f1` from the printed means. `totals_csv`:
    table, corpus, words by gender (M + F), by reference (N + P) and their difference. `epicene_csv`: person words of
    all Spanish samples together, in all and split into epicene and other words, with masculine : feminine and their
    percentage by gender.
    """
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for number in read_published(published):
        rows.setdefault((number.table, number.row), {})[number.column] = float(number.value or "nan")
    scores = [
        {"table": table, "tagger": tagger}
        | {name: cells[name] for name in ("accuracy", "precision", "recall", "f1")}
        | {"labelled_f1": f_score(cells["precision"], cells["accuracy"])}
        for (table, tagger), cells in rows.items()
        if table in _SCORE_TABLES
    ]
    totals = [
        {"table": table, "corpus": corpus}
        | {"by_gender": cells["masculine"] + cells["feminine"], "by_reference": cells["not_person"] + cells["person"]}
        for (table, corpus), cells in rows.items()
        if table in _COUNT_TABLES
    ]
    frame = pd.DataFrame(totals)
    write_csv(pd.DataFrame(scores), scores_csv)
    write_csv(frame.assign(difference=frame["by_gender"] - frame["by_reference"]), totals_csv)
    write_csv(_published_epicene(rows), epicene_csv)


def _published_epicene(rows: dict[tuple[str, str], dict[str, float]]) -> pd.DataFrame:
    spanish = [cells for (table, _), cells in rows.items() if table == _SPANISH_TABLE]
    genders = list(GENDERS.values())
    every = {gender: sum(cells[f"person_{gender}"] for cells in spanish) for gender in genders}
    epicene = {gender: rows[_EPICENE][f"epicene_{gender}"] for gender in genders}
    others = {gender: every[gender] - epicene[gender] for gender in genders}
    table = pd.DataFrame(
        [{"words": words} | counts for words, counts in (("all", every), ("epicene", epicene), ("others", others))]
    )
    table["masculine_per_feminine"] = table["masculine"] / table["feminine"]
    for gender in genders:
        table[f"{gender}_percent"] = [percentage(count, every[gender]) for count in table[gender]]
    return table
