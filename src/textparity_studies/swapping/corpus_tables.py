"""Tabulate corpora and recognizers: entities, genders, re-anchored entities, and how well genders and titles are found.

Entities by type are Tables 4 and 7 of the paper (Nahurna 2025); the genders of titles and names are Tables 1, 9 and 10.
Recognizers trained on the original and the balanced corpus are Tables 5, 6 and 11.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.corpora.reading import read_rows
from textparity.errors import InputError, TableError
from textparity.estimating.intervals import mean_interval, wilson_interval
from textparity.files import read_lines, read_tsv
from textparity.tables import Table, show_interval, write_csv
from textparity_studies.swapping.corpora import Entity, read_documents, reanchor
from textparity_studies.swapping.genders import GenderClassifier, load_classifier
from textparity_studies.swapping.settings import (
    ALL,
    AUGMENTED,
    BALANCED,
    BESIDE_JOB,
    COMMON,
    CORRECTED,
    DUPLICATED,
    ENDING,
    GENDER_COLUMNS,
    GENDERS,
    JOB,
    LABELS,
    MEASURES,
    ORIGINAL,
    PERS,
    RUN,
    SWAPPED,
    TEST,
    TOTAL,
    TRAINING_DATA,
    WITH_EXCEPTIONS,
)

_CORPORA = (ORIGINAL, SWAPPED, AUGMENTED)
_ORDER = {
    name: place
    for names in ((BESIDE_JOB, *_CORPORA), LABELS, GENDER_COLUMNS, GENDERS)
    for place, name in enumerate(names)
}
_COMPOSITION_KEYS = ["sample", "subcorpus", "label", "procedure", "method"]


def count_entities(documents: list[Path], entities: list[Path]) -> list[Table]:
    """Count entities by corpus, subcorpus and type, with totals of each.

    `documents` and `entities` are those of the original corpus and of its swapped sentences. The printed table shows
    the corpora side by side.
    """
    parts = []
    for corpus, document_path, entity_path in zip((ORIGINAL, SWAPPED), documents, entities, strict=True):
        subcorpora = read_rows(document_path, ["document", "subcorpus"]).to_pandas()
        labels = read_rows(entity_path, ["document", "label"]).to_pandas().merge(subcorpora, on="document")
        parts.append(labels.assign(corpus=corpus))
    rows = pd.concat([*parts, pd.concat(parts).assign(corpus=AUGMENTED)])
    rows = pd.concat([rows, rows.assign(subcorpus=TOTAL)])
    rows = pd.concat([rows, rows.assign(label=TOTAL)])
    keys = ["corpus", "subcorpus", "label"]
    counts = rows.groupby(keys, sort=True).size().rename("entities").reset_index()
    counts = counts.sort_values(keys, key=lambda column: column.map(_ORDER) if column.name == "corpus" else column)
    wide = counts[counts["subcorpus"] == TOTAL].pivot(index="label", columns="corpus", values="entities")
    wide = wide.reindex(columns=list(_CORPORA)).fillna(0).astype(int)
    wide = wide.sort_index(key=lambda labels: labels == TOTAL, kind="stable").reset_index()
    columns = {"label": "entity type"} | {corpus: corpus for corpus in _CORPORA}
    return [Table("entities", counts, columns, printed=wide)]


def tabulate_composition(genders: list[Path]) -> list[Table]:
    """Count titles and names by gender and procedure, in the lines with a title and in all lines; count those too.

    `genders` are those of the original corpus and of its swapped sentences. In Table 1, the paper counts the names in
    the lines that its search finds, but all titles of the corpus. The procedures here do the same.
    """
    original, swapped = (read_rows(path).to_pandas() for path in genders)
    rows = {ORIGINAL: original, SWAPPED: swapped, AUGMENTED: pd.concat([original, swapped])}
    long = {sample: _one_row_per_procedure(frame) for sample, frame in rows.items()}
    beside = long[ORIGINAL]
    is_ours = beside["procedure"] == CORRECTED
    is_beside = beside["beside_job"].where(is_ours, beside["beside_job_published"])
    long[BESIDE_JOB] = beside[(beside["label"] != PERS) | is_beside]
    counts = _count_genders(pd.concat([frame.assign(sample=sample) for sample, frame in long.items()]))
    totals = counts[counts["subcorpus"] == TOTAL]
    index = ["sample", "label", "procedure", "total"]
    wide = totals.pivot(index=index, columns="gender", values="percent")
    wide = wide.loc[list(totals[index].drop_duplicates().itertuples(index=False, name=None))].reset_index()
    columns = {name: name for name in (*index, *GENDERS)}
    return [
        Table("composition", counts, columns, dict.fromkeys(GENDERS, "{:.1f}"), printed=wide),
        Table("job_lines", _count_lines(original)),
    ]


def _one_row_per_procedure(rows: pd.DataFrame) -> pd.DataFrame:
    names = {column: procedure for procedure, column in GENDER_COLUMNS.items()}
    kept = ["subcorpus", "label", "beside_job", "beside_job_published", "method"]
    return rows.rename(columns=names).melt(kept, list(names.values()), "procedure", "gender")


def _count_genders(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the entities of each gender (0 for none), with percentages of a sample's entities."""
    rows = pd.concat([rows, rows.assign(subcorpus=TOTAL)])
    counts = rows.groupby([*_COMPOSITION_KEYS, "gender"]).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(GENDERS), fill_value=0).rename_axis(columns="gender")
    long = counts.stack().rename("count").reset_index()
    long["total"] = long.groupby(_COMPOSITION_KEYS)["count"].transform("sum")
    long["percent"] = 100 * long["count"] / long["total"]
    return long.sort_values(
        [*_COMPOSITION_KEYS, "gender"], key=lambda column: column.map(lambda value: (_ORDER.get(value, -1), value))
    )


def _count_lines(original: pd.DataFrame) -> pd.DataFrame:
    """Count the lines with a title that the authors' search finds, and all such lines, with their titles and names."""
    rows = []
    for lines, column in (("published", "beside_job_published"), ("corrected", "beside_job")):
        kept = original[original[column]]
        for subcorpus, part in [*kept.groupby("subcorpus"), (TOTAL, kept)]:
            counted = {label: (part["label"] == label).sum() for label in LABELS}
            number = len(part[part["label"] == JOB].drop_duplicates(["document", "line"]))
            rows.append({"lines": lines, "subcorpus": subcorpus, "number": number} | counted)
    return pd.DataFrame(rows)


def measure_reanchoring(documents: list[Path], entities: list[Path]) -> list[Table]:
    """Re-anchor the original's entities in a published swapped corpus, and compare them with its published entities.

    `documents` and `entities` are those of the original and of the swapped corpus. The first table has by type:
    published, anchored, equal (type, start and end), not anchored, and equal in percent of published. The second lists
    every line with a difference, including a line whose source is not in the original.
    """
    originals = {document.document: document for document in read_documents(documents[0], entities[0])}
    kinds = ("published", "anchored", "equal", "not_anchored")
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    differences = []
    for document in read_documents(documents[1], entities[1]):
        original = originals[document.document.removesuffix(ENDING)]
        lines = [number for number in range(len(document.lines)) if document.line(number)[0].strip()]
        for (text, annotated), source in zip(map(document.line, lines), document.source_lines, strict=True):
            is_known = source < len(original.lines)
            found, lost = reanchor(*original.line(source), text) if is_known else ([], [])
            published, anchored = _places(annotated), _places(found)
            for kind, items in zip(kinds, (published, anchored, published & anchored), strict=False):
                counts[kind].update(label for label, *_ in items)
            counts["not_anchored"].update(item.entity.label for item in lost)
            if published != anchored:
                texts = [
                    "; ".join(f"{label} {text[start:end]}" for label, start, end in sorted(items))
                    for items in (published - anchored, anchored - published)
                ]
                reason = "; ".join(map(str, lost)) if is_known else f"the original has no line {source}"
                differences.append([document.document, source, *texts, reason])
    frame = pd.DataFrame(counts).fillna(0).astype(int).sort_index().rename_axis("label").reset_index()
    frame = pd.concat([frame, pd.DataFrame([{"label": TOTAL, **frame.drop(columns="label").sum()}])])
    frame["equal_percent"] = 100 * frame["equal"] / frame["published"]
    columns = ["document", "line", "published_only", "anchored_only", "reason"]
    return [
        Table("reanchoring", frame),
        Table("reanchoring_differences", pd.DataFrame(differences, columns=columns)),
    ]


def _places(entities: Iterable[Entity]) -> set[tuple[str, int, int]]:
    return {(entity.label, entity.start, entity.end) for entity in entities}


# How well genders are classified.

# The lists of found titles as recorded, and without their excess over the test set.
AS_RECORDED, ONCE = "as recorded", "each once"
# The half of the entities whose errors are never inspected, and the other half.
HELD_OUT, SEEN = "held out", "seen"
_PARTS = {"yes": HELD_OUT, "no": SEEN}


def score_genders(gold: Path, stanza_folder: str, confidence_level: float, **gender_lists: Path) -> list[Table]:
    """Compute precision and recall of each gender by procedure, with Wilson intervals, and list the errors.

    Each entity is annotated once, whatever its documents, so the intervals apply to entities, not to texts. Errors on
    the held-out half are not listed, so that nobody writes rules to fit them.
    """
    classifier = load_classifier(stanza_folder, **gender_lists)
    annotated = read_gender_gold(gold)
    predicted = list(map(classifier.genders, annotated["label"], annotated["entity"]))
    rows = pd.concat(
        annotated.assign(procedure=procedure, predicted=[genders[procedure] for genders in predicted])
        for procedure in GENDER_COLUMNS
    )
    table = pd.DataFrame(_score_genders(rows, confidence_level)).assign(method=classifier.method)
    columns = {name: name for name in table.columns.drop(["entities", "method"])}
    formats = {name: "{:.2f}" for name in columns if name.startswith(("precision", "recall"))}
    wrong = rows[(rows["gender"] != rows["predicted"]) & (rows["part"] == SEEN)]
    return [
        Table("gender_quality", table, columns, formats, printed=table[table["entities"] == HELD_OUT]),
        Table("gender_errors", wrong[["label", "entity", "gender", "procedure", "predicted", "note"]]),
    ]


def _score_genders(rows: pd.DataFrame, confidence_level: float) -> Iterator[dict[str, Any]]:
    """Iterate over a row for each gender, and one for all, whose precision and recall are the share of correct ones."""
    for part, label, procedure in product((HELD_OUT, SEEN), LABELS, GENDER_COLUMNS):
        chosen = rows[(rows["part"] == part) & (rows["label"] == label) & (rows["procedure"] == procedure)]
        is_true = chosen["gender"] == chosen["predicted"]
        for gender in (*GENDERS, ALL):
            is_gold, is_predicted = ((chosen[column] == gender) | (gender == ALL) for column in ("gender", "predicted"))
            if not is_gold.any() and not is_predicted.any():
                continue
            gold, predicted, true_positives = (int(which.sum()) for which in (is_gold, is_predicted, is_true & is_gold))
            yield {
                "entities": part,
                "label": label,
                "procedure": procedure,
                "gender": gender,
                "gold": gold,
                "predicted": predicted,
                "true_positives": true_positives,
                **wilson_interval(true_positives, predicted, confidence_level).columns("precision"),
                **wilson_interval(true_positives, gold, confidence_level).columns("recall"),
            }


def read_gender_gold(path: Path) -> pd.DataFrame:
    """Read annotated entities; `TableError` names the line of an invalid value or a duplicate entity."""
    allowed = {"label": LABELS, "gender": GENDERS, "held_out": tuple(_PARTS)}
    rows = read_tsv(path, ("entity", "label", "gender", "held_out", "note"), allowed=allowed)
    seen = set()
    for line, row in enumerate(rows, start=2):
        if row["label"] == PERS and row["gender"] == COMMON:
            raise TableError(f"{path}, line {line}: a name has no common gender; write unknown")
        if (row["entity"], row["label"]) in seen:
            raise TableError(f"{path}, line {line}: {row['entity']} is a duplicate; keep one")
        seen.add((row["entity"], row["label"]))
    frame = pd.DataFrame(rows)
    return frame.assign(part=frame["held_out"].map(_PARTS))


def measure_recorded_recall(
    found: list[Path],
    missed: list[Path],
    models: list[str],
    documents: list[Path],
    entities: list[Path],
    stanza_folder: str,
    confidence_level: float,
    **gender_lists: Path,
) -> list[Table]:
    """Compute the recall of titles by model, gender, procedure and state of the lists, with Wilson intervals (Table 6).

    The intervals ignore that titles share documents, because the lists do not name a title's document.

    `found` and `missed` have a title per line, and a file for each of `models`. `documents` and `entities` belong to
    the corpora with the lists' test sets. The first lines of the lists are duplicates (see `drop_repeated`).
    """
    classifier = load_classifier(stanza_folder, **gender_lists)
    titles_of_test_sets = Counter(
        " ".join(entity.text.split())
        for paths in zip(documents, entities, strict=True)
        for document in read_documents(*paths, split=TEST)
        for entity in document.entities
        if entity.label == JOB
    )
    rows = []
    for model, *paths in zip(models, found, missed, strict=True):
        recorded = _read_titles(paths[0]), _read_titles(paths[1])
        states = {AS_RECORDED: recorded, ONCE: drop_repeated(*recorded, titles_of_test_sets)}
        for state, lists in states.items():
            keys = {"model": model, "records": state}
            rows += [keys | row for row in _recall_by_gender(lists, classifier, confidence_level)]
    table = pd.DataFrame(rows)
    columns = {name: name for name in table.columns.drop("method")}
    return [Table("recorded_recall", table, columns, dict.fromkeys(("recall", "recall_low", "recall_high"), "{:.2f}"))]


def _recall_by_gender(
    lists: Sequence[list[str]], classifier: GenderClassifier, confidence_level: float
) -> Iterator[dict[str, Any]]:
    genders = [[classifier.genders(JOB, title) for title in titles] for titles in lists]
    for procedure in GENDER_COLUMNS:
        counts = [Counter(of_title[procedure] for of_title in titles) for titles in genders]
        for gender in (*GENDERS, ALL):
            found, missed = (count.total() if gender == ALL else count[gender] for count in counts)
            yield {
                "procedure": procedure,
                "method": classifier.method,
                "gender": gender,
                "true_positives": found,
                "false_negatives": missed,
                **wilson_interval(found, found + missed, confidence_level).columns("recall"),
            }


def drop_repeated(found: list[str], missed: list[str], titles: Counter[str]) -> tuple[list[str], list[str]]:
    """Remove each title's excess over `titles`, the test set, from the beginnings of both lists.

    The authors' lists for the original model begin with 24 and 42 titles of an aborted run, followed by the complete
    run.
    """
    excess = Counter(found) + Counter(missed) - titles
    kept = []
    for recorded in (found, missed):
        place = 0
        while place < len(recorded) and excess[recorded[place]] > 0:
            excess[recorded[place]] -= 1
            place += 1
        kept.append(recorded[place:])
    return kept[0], kept[1]


def _read_titles(path: Path) -> list[str]:
    titles = [" ".join(line.split()) for line in read_lines(path) if line.strip()]
    if not titles:
        raise InputError(f"{path}: has no titles; it needs one a line")
    return titles


# Recognizers.

# The effect of swapping, and the part of it that duplicating the same sentences does not have.
DIFFERENCES = {"difference": (BALANCED, ORIGINAL), "beyond_duplicates": (BALANCED, DUPLICATED)}
# The genders used with each procedure: the paper's include its lists of exceptions.
_GENDERS_BY = {"published": WITH_EXCEPTIONS, "corrected": CORRECTED}
_LETTERS = {"precision": "P", "recall": "R", "f1": "F1"}


def measure_job_recall(jobs: list[Path], genders: list[Path], recall: Path) -> None:
    """Write the recall of job titles by gender for each training: found titles of a gender over all of it (Formula 1).

    `genders` belong to both corpora. Raises `InputError` for a job title without a gender.
    """
    known = pd.concat([read_rows(path).to_pandas() for path in genders], ignore_index=True)
    parts = []
    for path in jobs:
        titles = read_rows(path).to_pandas()
        column = GENDER_COLUMNS[_GENDERS_BY[titles["procedure"].iloc[0]]]
        labelled = titles.merge(known[["document", "entity", column]], on=["document", "entity"], how="left")
        if len(missing := labelled[labelled[column].isna()]):
            document, entity = missing[["document", "entity"]].iloc[0]
            raise InputError(f"{path}: the genders have no row of {document}, {entity}; classify the corpora again")
        counts = labelled.groupby([*RUN, "test_set", column])["found"].agg(["size", "sum", "mean"]).reset_index()
        counts.columns = [*RUN, "test_set", "gender", "titles", "true_positives", "recall"]
        parts.append(counts)
    write_csv(pd.concat(parts), recall)


def compare_trainings(scores: list[Path], recall: Path, confidence_level: float) -> list[Table]:
    """Tabulate mean scores, in percent, and recalls over seeds with t intervals, and paired differences of models."""
    rows = pd.concat(map(pd.read_csv, scores))
    rows[list(MEASURES)] *= 100
    found = compare_models(rows, ["procedure", "test_set", "label", "support"], MEASURES, confidence_level)
    titles = compare_models(
        pd.read_csv(recall), ["procedure", "test_set", "gender", "titles"], ("recall",), confidence_level
    )
    shown = found[found["label"].isin([JOB, PERS, ALL])]
    return [
        _comparison_table("ner_scores", found, shown, MEASURES, decimals=1),
        _comparison_table("job_recall", titles, titles, ("recall",), decimals=2),
    ]


def compare_models(
    rows: pd.DataFrame, keys: list[str], measures: tuple[str, ...], confidence_level: float
) -> pd.DataFrame:
    """Compute, for each key, the mean of each measure by training data and of `DIFFERENCES`, with intervals.

    Intervals are Student's t over seeds; those of differences pair the models of a seed. They cover the variation of
    training on this corpus, not of another corpus. A type that a model never saw or predicted has no row of that model,
    and counts as 0.
    """
    found = []
    for key, group in rows.groupby(keys, sort=False):
        seeds = rows.loc[rows["procedure"] == key[0], ["data", "seed"]].drop_duplicates()
        cells = dict(zip(keys, key, strict=True)) | {"seeds": seeds["seed"].nunique()}
        for measure in measures:
            wide = seeds.merge(group, on=["data", "seed"], how="left").pivot(index="seed", columns="data")[measure]
            wide = wide.fillna(0)
            for name, (one, other) in DIFFERENCES.items():
                if {one, other} <= set(wide.columns):
                    wide[name] = wide[one] - wide[other]
            for name in [name for name in (*TRAINING_DATA, *DIFFERENCES) if name in wide]:
                values = wide[name].dropna()
                interval = mean_interval(values.to_numpy(), confidence_level)
                cells |= {f"{name}_{measure}": values.mean()} | interval.ends(f"{name}_{measure}")
        found.append(cells)
    return pd.DataFrame(found)


def _comparison_table(
    name: str, found: pd.DataFrame, shown: pd.DataFrame, measures: tuple[str, ...], decimals: int
) -> Table:
    heads = {"procedure": "procedure", "test_set": "test set", "label": "type", "gender": "gender", "titles": "titles"}
    formats = {}
    for data, measure in product(TRAINING_DATA, measures):
        heads[f"{data}_{measure}"] = f"{data} {_LETTERS[measure]}"
        formats[f"{data}_{measure}"] = f"{{:.{decimals}f}}"
    last = measures[-1]
    for difference, (one, other) in DIFFERENCES.items():
        column = f"{difference}_{last}"
        heads[column], formats[column] = f"{one} - {other} {_LETTERS[last]}", f"{{:+z.{decimals}f}}"
        if column in shown:
            ends = zip(shown[f"{column}_low"], shown[f"{column}_high"], strict=True)
            intervals = [show_interval(low, high, decimals) for low, high in ends]
            shown = shown.assign(**{f"{column}_interval": intervals})
            heads[f"{column}_interval"] = f"interval of - {other}"
    kept = {key: head for key, head in heads.items() if key in shown}
    return Table(name, found, kept, formats, printed=shown)
