"""Write the tables of corpora and candidates: entities, genders, checks, re-anchored entities (Nahurna 2025, §4.1).

Entities by type are Tables 4 and 7 of the paper; the genders of titles and names are Tables 1, 9 and 10.
"""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.counting.statistics import percentage, share
from textparity.files import write_rows
from textparity.tables import write_csv, write_latex
from textparity_studies.swapping.candidates.candidates import CHECKS, FAILED, PASSED
from textparity_studies.swapping.candidates.outputs import read_cells
from textparity_studies.swapping.candidates.reviews import (
    ACCEPT,
    CORRECT,
    Candidate,
    Key,
    Review,
    read_candidates,
    read_review_file,
)
from textparity_studies.swapping.entity_corpora import read_documents
from textparity_studies.swapping.names import (
    AUGMENTED,
    BESIDE_JOB,
    CORRECTED,
    ENDING,
    GENDER_COLUMNS,
    GENDERS,
    JOB,
    LABELS,
    ORIGINAL,
    PERS,
    RECORDED,
    RECORDED_REVIEWED,
    RULES,
    SWAPPED,
    TOTAL,
)
from textparity_studies.swapping.reanchoring import Lost, entities_of_line, reanchor

SAMPLES = (BESIDE_JOB, ORIGINAL, SWAPPED, AUGMENTED)
_KEYS = ["sample", "subcorpus", "label", "procedure", "method"]
ANY = "any"
_CHECKED_NAMES = {
    RULES: "Rules",
    RECORDED: "GPT-4o-mini, as generated",
    RECORDED_REVIEWED: "GPT-4o-mini, reviewed",
}


def tabulate_corpora(
    documents: list[Path],
    entities: list[Path],
    genders: list[Path],
    candidates: list[Path],
    checks: list[Path],
    reviews: list[Path],
    entities_csv: Path,
    entities_latex: Path,
    composition_csv: Path,
    composition_latex: Path,
    job_lines_csv: Path,
    checks_csv: Path,
    checks_latex: Path,
    prediction_csv: Path,
    prediction_latex: Path,
    reanchoring_csv: Path | None = None,
    differences_csv: Path | None = None,
) -> None:
    """Write the tables of both corpora and of candidates and, for a published corpus, of re-anchored entities."""
    count_entities(documents, entities, entities_csv, entities_latex)
    tabulate_composition(genders, composition_csv, composition_latex, job_lines_csv)
    tabulate_checks(candidates, checks, reviews, checks_csv, checks_latex, prediction_csv, prediction_latex)
    if reanchoring_csv and differences_csv:
        measure_reanchoring(documents, entities, reanchoring_csv, differences_csv)


def tabulate_composition(
    genders: list[Path], composition_csv: Path, composition_latex: Path, job_lines_csv: Path
) -> None:
    """Count titles and names by gender and procedure, in the lines with a title and in all lines; count those too.

    `genders` are those of the original corpus and of its swapped sentences. In Table 1, the paper counts the names in
    the lines that its search finds, but all titles of the corpus. The procedures here do the same.
    """
    original, swapped = (read_rows(path).to_pandas() for path in genders)
    rows = {ORIGINAL: original, SWAPPED: swapped, AUGMENTED: pd.concat([original, swapped])}
    parts = [_long(rows[sample]).assign(sample=sample) for sample in rows]
    parts.append(_beside_job(_long(original)).assign(sample=BESIDE_JOB))
    counts = _count(pd.concat(parts))
    write_csv(counts, composition_csv)
    write_csv(_count_lines(original), job_lines_csv)
    write_latex(
        _wide(counts),
        composition_latex,
        caption="Titles (JOB) and names (PERS) by gender and procedure, in percent, with their number.",
        formats=dict.fromkeys(GENDERS, "{:.1f}"),
    )


def _long(rows: pd.DataFrame) -> pd.DataFrame:
    """Build a row per entity and procedure."""
    names = {column: procedure for procedure, column in GENDER_COLUMNS.items()}
    kept = ["subcorpus", "label", "beside_job", "beside_job_published", "method"]
    return rows.rename(columns=names).melt(kept, list(names.values()), "procedure", "gender")


def _beside_job(rows: pd.DataFrame) -> pd.DataFrame:
    ours = rows["procedure"] == CORRECTED
    is_name = rows["label"] == PERS
    return rows[(~is_name) | (ours & rows["beside_job"]) | (~ours & rows["beside_job_published"])]


def _count(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the entities of each gender (0 for none), with percentages of a sample's entities."""
    everything = pd.concat([rows, rows.assign(subcorpus=TOTAL)])
    counts = everything.groupby([*_KEYS, "gender"]).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(GENDERS), fill_value=0).rename_axis(columns="gender")
    long = counts.stack().rename("count").reset_index()
    long["total"] = long.groupby(_KEYS)["count"].transform("sum")
    long["percent"] = 100 * long["count"] / long["total"]
    order = {
        value: place for values in (SAMPLES, LABELS, GENDER_COLUMNS, GENDERS) for place, value in enumerate(values)
    }
    ranked = [*_KEYS, "gender"]
    return long.sort_values(ranked, key=lambda column: column.map(lambda value: (order.get(value, -1), value)))


def _count_lines(original: pd.DataFrame) -> pd.DataFrame:
    """Count the lines with a title that the authors' search finds, and all such lines, with their titles and names."""
    parts = []
    for lines, column in (("published", "beside_job_published"), ("corrected", "beside_job")):
        kept = original[original[column]]
        for subcorpus, rows in [*kept.groupby("subcorpus"), (TOTAL, kept)]:
            counted = {label: (rows["label"] == label).sum() for label in LABELS}
            number = len(rows[rows["label"] == JOB].drop_duplicates(["document", "line"]))
            parts.append({"lines": lines, "subcorpus": subcorpus, "number": number} | counted)
    return pd.DataFrame(parts)


def _wide(counts: pd.DataFrame) -> pd.DataFrame:
    totals = counts[counts["subcorpus"] == TOTAL]
    wide = totals.pivot(index=["sample", "label", "procedure", "total"], columns="gender", values="percent")
    order = [tuple(row) for row in totals[[*wide.index.names]].drop_duplicates().itertuples(index=False)]
    return wide.loc[order, list(GENDERS)].reset_index().rename_axis(columns=None)


def count_entities(documents: list[Path], entities: list[Path], table_csv: Path, table_latex: Path) -> None:
    """Count entities by corpus, subcorpus and type, with totals of each.

    `documents` and `entities` are those of the original corpus and of its swapped sentences. The LaTeX table shows the
    corpora side by side.
    """
    parts = []
    for corpus, document_path, entity_path in zip((ORIGINAL, SWAPPED), documents, entities, strict=True):
        subcorpora = read_rows(document_path, ["document", "subcorpus"]).to_pandas()
        labels = read_rows(entity_path, ["document", "label"]).to_pandas().merge(subcorpora, on="document")
        parts.append(labels.assign(corpus=corpus))
    rows = pd.concat([*parts, pd.concat(parts).assign(corpus=AUGMENTED)])
    everything = pd.concat([rows, rows.assign(subcorpus=TOTAL)])
    everything = pd.concat([everything, everything.assign(label=TOTAL)])
    keys = ["corpus", "subcorpus", "label"]
    counts = everything.groupby(keys, sort=True).size().rename("entities").reset_index()
    order = {corpus: place for place, corpus in enumerate((ORIGINAL, SWAPPED, AUGMENTED))}
    counts = counts.sort_values(keys, key=lambda column: column.map(order) if column.name == "corpus" else column)
    write_csv(counts, table_csv)
    totals = counts[counts["subcorpus"] == TOTAL].pivot(index="label", columns="corpus", values="entities")
    wide = totals.reindex(columns=list(order)).fillna(0).astype(int)
    wide = wide.sort_index(key=lambda labels: labels == TOTAL, kind="stable")
    write_latex(
        wide.reset_index().rename(columns={"label": "entity type"}),
        table_latex,
        caption="Entities by type in the original corpus, in its gender-swapped sentences, and in both together.",
    )


def tabulate_checks(
    candidates: list[Path],
    checks: list[Path],
    reviews: list[Path],
    table_csv: Path,
    table_latex: Path,
    prediction_csv: Path,
    prediction_latex: Path,
) -> None:
    """Write the number of candidates that pass each check, by system, and score failed checks as predictions.

    `any` is a candidate that fails at least one check. The files of a system are in a folder with its name. `reviews`
    are people's decisions about some systems' candidates. Candidates that were dismissed or left undecided do not count
    in the prediction.
    """
    shares, predictions = [], []
    systems = [path.parent.name for path in candidates]
    names = {system: _CHECKED_NAMES.get(system, system) for system in systems}
    decisions = {path.parent.name: path for path in reviews}
    for system, candidate_path, check_path in zip(systems, candidates, checks, strict=True):
        results = read_cells(check_path)
        rows = read_candidates(candidate_path)
        failed = _failed(results, rows)
        for check in [*CHECKS, ANY]:
            verdicts = results.loc[results["check"] == check, "verdict"]
            passed, wrong = int((verdicts == PASSED).sum()), int((verdicts == FAILED).sum())
            if check == ANY:
                passed, wrong = int((~failed[ANY]).sum()), int(failed[ANY].sum())
            rest = len(rows) - passed - wrong
            shares.append([system, check, passed, wrong, rest, percentage(passed, passed + wrong)])
        if system in decisions:
            reviewed = read_review_file(decisions[system], rows)
            predictions += [[system, *cells] for cells in _predictions(failed, rows, reviewed)]
    columns = ["system", "check", PASSED, FAILED, "not_applicable", "passed_percent"]
    share_frame = pd.DataFrame(shares, columns=columns)
    write_csv(share_frame, table_csv)
    wide = share_frame.pivot(index="check", columns="system", values="passed_percent").reindex([*CHECKS, ANY])[systems]
    wide = wide.rename(columns=names).rename_axis(columns=None).reset_index()
    write_latex(
        wide.assign(check=wide["check"].str.replace("_", " ")),
        table_latex,
        caption="Candidates that pass each automatic check, in percent of those that it applies to (any: of all).",
        formats=dict.fromkeys(names.values(), "{:.1f}"),
    )
    columns = ["system", "check", "flagged", "corrected", "flagged_and_corrected", "reviewed", "precision", "recall"]
    prediction_frame = pd.DataFrame(predictions, columns=columns)
    write_csv(prediction_frame, prediction_csv)
    write_latex(
        prediction_frame.assign(
            system=prediction_frame["system"].map(names),
            check=prediction_frame["check"].str.replace("_", " "),
        ).rename(columns=lambda name: name.replace("_", " ")),
        prediction_latex,
        caption="Whether a failed check foretells that a reviewer corrects the sentence: precision and recall.",
        formats={"precision": "{:.2f}", "recall": "{:.2f}"},
    )


def _failed(results: pd.DataFrame, rows: list[Candidate]) -> pd.DataFrame:
    """Compute the failed checks of each candidate, in the order of the candidates."""
    wrong = results[results["verdict"] == FAILED]
    found = set(zip(wrong["document"], wrong["line"].astype(int), wrong["check"], strict=True))
    wide = pd.DataFrame([[(*row.key, check) in found for check in CHECKS] for row in rows], columns=list(CHECKS))
    return wide.assign(**{ANY: wide.any(axis=1)})


def _predictions(failed: pd.DataFrame, rows: list[Candidate], reviews: dict[Key, Review]) -> list[list[object]]:
    judged: dict[tuple[str, str, str], int] = {}
    for place, row in enumerate(rows):
        review = reviews.get(row.key)
        if review and review.decision in (ACCEPT, CORRECT):
            # A sentence in several places of the corpus was judged once, so its first place counts.
            judged.setdefault((row.original, row.swapped, review.decision), place)
    if not judged:
        return []
    corrected = np.array([decision == CORRECT for *_, decision in judged])
    chosen = failed.iloc[list(judged.values())]
    found = []
    for check in [*CHECKS, ANY]:
        flagged = chosen[check].to_numpy()
        both = int((flagged & corrected).sum())
        found.append(
            [
                check, int(flagged.sum()), int(corrected.sum()), both, len(corrected),
                share(both, int(flagged.sum())), share(both, int(corrected.sum())),
            ]
        )  # fmt: skip
    return found


def measure_reanchoring(documents: list[Path], entities: list[Path], table: Path, differences: Path) -> None:
    """Re-anchor the original's entities in a published swapped corpus, and compare them with its published entities.

    `documents` and `entities` are those of the original and of the swapped corpus. `table` has by type: published,
    anchored, equal (type, start and end), not anchored, and equal in percent of published. `differences` lists every
    line with a difference, including a line whose source is not in the original.
    """
    originals = {document.document: document for document in read_documents(documents[0], entities[0])}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    rows = []
    for document in read_documents(documents[1], entities[1]):
        original = originals[document.document.removesuffix(ENDING)]
        lines = [line for line in document.lines if document.text[slice(*line)].strip()]
        for (start, end), source in zip(lines, document.source_lines, strict=True):
            published = {(item.label, item.start, item.end) for item in entities_of_line(document.entities, start, end)}
            anchored: set[tuple[str, int, int]] = set()
            lost: list[Lost] = []
            if source < len(original.lines):
                first, last = original.lines[source]
                found, lost = reanchor(
                    original.text[first:last],
                    entities_of_line(original.entities, first, last),
                    document.text[start:end],
                )
                anchored = {(item.label, item.start, item.end) for item in found}
            for place, items in enumerate((published, anchored, published & anchored)):
                for label, _, _ in items:
                    counts[label][place] += 1
            for item in lost:
                counts[item.entity.label][3] += 1
            if published != anchored:
                reasons = [f"{item.entity.label} {item.entity.text}: {item.reason}" for item in lost]
                if source >= len(original.lines):
                    reasons = [f"the original has no line {source}"]
                texts = [
                    "; ".join(f"{label} {document.text[start + a : start + b]}" for label, a, b in sorted(items))
                    for items in (published - anchored, anchored - published)
                ]
                rows.append([document.document, source, *texts, "; ".join(reasons)])
    frame = pd.DataFrame(
        [[label, *counts[label]] for label in sorted(counts)],
        columns=["label", "published", "anchored", "equal", "not_anchored"],
    )
    frame = pd.concat([frame, pd.DataFrame([{"label": TOTAL, **frame.drop(columns="label").sum()}])])
    write_csv(frame.assign(equal_percent=100 * frame["equal"] / frame["published"]), table)
    write_rows(differences, ["document", "line", "published_only", "anchored_only", "reason"], rows)
