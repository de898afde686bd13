"""Write the tables of Derner 2025, §3–4 and App. C, D, I, with our values by both procedures.

Some tables use only the paper's printed numbers, without counting. One has the labelled F-score, which penalises words
found with a wrong mark, unlike that of App. C. One sums the words of Tables 5 and 6 by gender and by reference; the
sums are equal if each line of an answer has both marks. One has the share of epicene words among the person words of a
gender, and the ratio without them.
"""

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import PROCEDURES
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.estimates import percentage
from textparity.persons.mentions import GENDERS as MENTION_GENDERS
from textparity.tables import Table
from textparity_studies.measures.gender_ratios import (
    GENDERS,
    RATIO,
    WORD_RATIO,
    summarise_polarity,
    summarise_pooled_polarity,
    summarise_tags,
)
from textparity_studies.measures.tag_counts import (
    COUNTS,
    ERROR,
    FURTHER_EXAMPLES,
    PROBLEMS,
    REPAIRS,
    SEVERAL_TAGS,
    STATUSES,
    read_gold,
    read_skip_list,
)
from textparity_studies.measures.tag_counts import GENDERS as TAG_GENDERS
from textparity_studies.report.ledger import read_published
from textparity_studies.representation.persons import summarise_persons
from textparity_studies.representation.scores import f_score

_SPANISH_TABLE = "5"
_SCORE_TABLES = ("4", "App. C")
_COUNT_TABLES = (_SPANISH_TABLE, "6")
_EPICENE = ("App. I", "all")
_LANGUAGES = {
    ("1", "english_masculine_per_feminine"): "eng",
    ("1", "spanish_person_masculine_per_feminine"): "spa",
    ("2", "person_masculine_per_feminine"): "cat",
}
_RATIO_FORMAT = "{:.2f} : 1"
# A sample of a corpus is named by its number, such as "Europarl 2".
_NUMBERED = re.compile(r"(?P<corpus>.+) \d+")
ALL_SAMPLES = "all"


def tabulate_polarity(counts: list[Path], corpus_names: dict[str, str], bootstrap: Bootstrap) -> Iterator[Table]:
    """Tabulate masculine and feminine words of English corpora and their ratio (the paper's Table 7).

    `polarity_summary` has both procedures, and the configured names of corpora. `pooled_polarity` pools the samples of
    each corpus, and all of them.
    """
    summary = pd.DataFrame([row for path in counts for row in summarise_polarity(path, _corpus_of(path), bootstrap)])
    yield Table("polarity_summary", summary)
    columns = {"corpus": "Dataset"} | {gender: gender.capitalize() for gender in GENDERS}
    columns |= {WORD_RATIO: "Ratio", f"{WORD_RATIO}_interval": "Interval"}
    for procedure in PROCEDURES:
        rows = _of_procedure(summary, procedure, corpus_names)
        yield Table(f"{procedure}/polarity", rows, columns, {WORD_RATIO: _RATIO_FORMAT}, of=procedure)
    yield Table("pooled_polarity", pool_samples(counts, corpus_names, bootstrap))


def pool_samples(counts: list[Path], corpus_names: dict[str, str], bootstrap: Bootstrap) -> pd.DataFrame:
    """Pool the samples of each corpus, whose names end in their numbers, and the samples of all corpora."""
    samples: dict[str, list[Path]] = {}
    for path in counts:
        numbered = _NUMBERED.fullmatch(corpus_names[_corpus_of(path)])
        if numbered:
            samples.setdefault(numbered["corpus"], []).append(path)
    everything = [path for paths in samples.values() for path in paths]
    rows = []
    for corpus, paths in (samples | {ALL_SAMPLES: everything}).items():
        if paths:
            rows += [row | {"samples": len(paths)} for row in summarise_pooled_polarity(paths, corpus, bootstrap)]
    columns = ["corpus", "procedure", "samples", "texts", "words", *GENDERS]
    columns += [WORD_RATIO, f"{WORD_RATIO}_low", f"{WORD_RATIO}_high"]
    return pd.DataFrame(rows, columns=columns)


def tabulate_skipped_words(
    gold: list[Path], skip_lists: list[Path], gold_names: list[str], languages: list[str]
) -> Iterator[Table]:
    """Count the annotated words that the scoring leaves out, because they are on the list of their language."""
    rows = []
    for path, skip_list, name, lang in zip(gold, skip_lists, gold_names, languages, strict=True):
        skipped = read_skip_list(skip_list)
        words = [tag.word.upper() for sentence in read_gold(path) for tag in sentence.tags]
        counts = {"listed": len(skipped), "words": len(words), "skipped": sum(word in skipped for word in words)}
        rows.append({"gold": name, "lang": lang} | counts)
    yield Table("skipped_words", pd.DataFrame(rows, columns=["gold", "lang", "listed", "words", "skipped"]))


def tabulate_tags(tags: list[Path], corpus_names: dict[str, str], bootstrap: Bootstrap) -> Iterator[Table]:
    """Tabulate the words that a language model tagged in corpora (the paper's Tables 5 and 6, 1 and 2, and 10).

    `tags_summary` has both procedures, and the reason why a corpus has no numbers; the other tables omit that corpus.
    """
    summary = pd.DataFrame([
        row
        for path in tags
        for row in summarise_tags(path, _corpus_of(path), read_metadata(path)["lang"], bootstrap)
    ])  # fmt: skip
    yield Table("tags_summary", summary)
    for procedure in PROCEDURES:
        yield tabulate_tag_ratios(summary, corpus_names, procedure)
    yield tabulate_epicene(tags)


def tabulate_tag_ratios(summary: pd.DataFrame, corpus_names: dict[str, str], procedure: str) -> Table:
    """Tabulate counts and ratio of each corpus that was tagged whole, by one procedure."""
    rows = _of_procedure(summary[summary["reason"] == ""], procedure, corpus_names).drop(columns="reason")
    names = ("L*,M", "L*,F", "LN,*", "LP,*", "LP,M", "LP,F")
    heads = dict(zip(COUNTS, names, strict=True)) | {RATIO: "LP,M : LP,F"}
    further = {f"{RATIO}_without_epicene": "Without epicene", "not_in_text": "Not in the text"}
    if procedure == "published":
        rows = rows.drop(columns=[name for name in rows if "epicene" in name or name == "not_in_text"])
        further = {}
    keys = {"corpus": "Dataset", "lang": "Lang", "tagger": "Model"}
    return Table(
        f"{procedure}/tags",
        rows,
        keys | heads | {f"{RATIO}_interval": "Interval"} | further,
        dict.fromkeys([*COUNTS, "not_in_text"], _show_count)
        | dict.fromkeys((RATIO, f"{RATIO}_without_epicene"), _RATIO_FORMAT),
        # Without a corpus that was tagged whole, there are no columns of numbers.
        printed=rows.reindex(columns=[*keys, *heads, f"{RATIO}_low", f"{RATIO}_high", *further]),
        of=procedure,
    )


def _corpus_of(counts: Path) -> str:
    """Extract the corpus of a file of counts or tags, whose texts are `corpora/{corpus}/{lang}`."""
    return read_metadata(counts)["texts"].split("/")[1]


def _of_procedure(summary: pd.DataFrame, procedure: str, corpus_names: dict[str, str]) -> pd.DataFrame:
    rows = summary[summary["procedure"] == procedure].drop(columns="procedure")
    return rows.assign(corpus=rows["corpus"].map(corpus_names))


def tabulate_persons(
    counts: list[Path], published: Path, corpus_names: dict[str, str], bootstrap: Bootstrap
) -> Iterator[Table]:
    """Tabulate the mentions of persons per corpus, language and method, with the ratio of Tables 1 and 2."""
    printed = {
        (number.row, _LANGUAGES[number.table, number.column]): float(number.value or "nan")
        for number in read_published(published)
        if (number.table, number.column) in _LANGUAGES
    }
    table = pd.DataFrame([row for path in counts for row in summarise_persons(path, _corpus_of(path), bootstrap)])
    table["corpus"] = table["corpus"].map(corpus_names)
    table["published"] = [printed.get(key, math.nan) for key in zip(table["corpus"], table["lang"], strict=True)]
    yield Table(
        "persons",
        table,
        {"corpus": "Dataset", "lang": "Lang", "method": "Method"}
        | {gender: gender.capitalize() for gender in MENTION_GENDERS}
        | {WORD_RATIO: "Ratio", f"{WORD_RATIO}_interval": "Interval", "published": "The paper's"},
        dict.fromkeys((WORD_RATIO, "published"), _RATIO_FORMAT),
    )


def tabulate_epicene(tags: list[Path]) -> Table:
    """Count how often each epicene word was tagged as a person, over all corpora of a language (Table 10).

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
                    entry = (*key, word["word"].lower(), TAG_GENDERS[word["gender"]])
                    frequencies[entry] = frequencies.get(entry, 0) + 1 / metadata["runs"]
    ordered = sorted(frequencies.items(), key=lambda item: (item[0][:2], -item[1], item[0]))
    rows = [(*entry, count, percentage(count, persons[entry[:2]])) for entry, count in ordered]
    heads = {
        "lang": "Lang", "tagger": "Model", "word": "Word", "gender": "Gender", "frequency": "Frequency",
        "percent_of_person": "Of person words (%)",
    }  # fmt: skip
    table = pd.DataFrame(rows, columns=list(heads))
    return Table("epicene", table, heads, {"frequency": _show_count, "percent_of_person": "{:.1f}"})


def tabulate_answers(tags: list[Path]) -> Iterator[Table]:
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
    yield Table("answers", pd.DataFrame(rows))


def _column(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")


def tabulate_published_numbers(published: Path) -> Iterator[Table]:
    """Tabulate what follows from the paper's numbers (`resources/representation/published.csv`).

    `published_scores`: table, tagger, printed scores in percent, and `labelled_f1` from the printed means.
    `published_totals`: table, corpus, words by gender (M + F), by reference (N + P) and their difference.
    `published_epicene`: person words of all Spanish samples together, in all and split into epicene and other words,
    with masculine : feminine and their percentage by gender.
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
    by_corpus = pd.DataFrame(totals)
    yield Table("published_scores", pd.DataFrame(scores))
    yield Table("published_totals", by_corpus.assign(difference=by_corpus["by_gender"] - by_corpus["by_reference"]))
    spanish = [cells for (table, _), cells in rows.items() if table == _SPANISH_TABLE]
    every = np.array([sum(cells[f"person_{gender}"] for cells in spanish) for gender in GENDERS])
    epicene = np.array([rows[_EPICENE][f"epicene_{gender}"] for gender in GENDERS])
    counts = {"all": every, "epicene": epicene, "others": every - epicene}
    epicene_words = pd.DataFrame.from_dict(counts, "index", columns=list(GENDERS)).rename_axis("words").reset_index()
    epicene_words[WORD_RATIO] = epicene_words["masculine"] / epicene_words["feminine"]
    for gender, whole in zip(GENDERS, every, strict=True):
        epicene_words[f"{gender}_percent"] = 100 * epicene_words[gender] / whole
    yield Table("published_epicene", epicene_words)


def _show_count(count: float) -> str:
    """Format a count for a table's cell, or a mean of counts with one decimal."""
    return "--" if math.isnan(count) else f"{count:.0f}" if float(count).is_integer() else f"{count:.1f}"
