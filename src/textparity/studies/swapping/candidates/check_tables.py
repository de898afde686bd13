"""What the automatic checks find in the candidates of several systems, and whether they foretell a correction."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.measures.statistics import percentage, share
from textparity.report.tables import write_csv, write_latex
from textparity.studies.swapping.candidates.checks import CHECKS, FAILED, PASSED
from textparity.studies.swapping.candidates.outputs import read_cells
from textparity.studies.swapping.candidates.reviews import (
    ACCEPT,
    CORRECT,
    Candidate,
    Key,
    Review,
    read_candidates,
    read_review_file,
)

ANY = "any"


def tabulate_checks(
    candidates: list[Path],
    checks: list[Path],
    reviews: list[Path],
    systems: list[str],
    reviewed_systems: list[str],
    names: dict[str, str],
    table_csv: Path,
    table_latex: Path,
    prediction_csv: Path,
    prediction_latex: Path,
) -> None:
    """Write how many candidates pass each check, by system, and how well a failed check foretells a correction.

    `any` is a candidate that fails at least one check. `reviews` are people's decisions about the candidates of
    `reviewed_systems`; what they dismissed or left undecided foretells nothing.
    """
    shares, predictions = [], []
    decisions = dict(zip(reviewed_systems, reviews, strict=True))
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
        label="tab:checks",
        formats={names.get(system, system): "{:.1f}" for system in systems},
    )
    columns = ["system", "check", "flagged", "corrected", "flagged_and_corrected", "reviewed", "precision", "recall"]
    prediction_frame = pd.DataFrame(predictions, columns=columns)
    write_csv(prediction_frame, prediction_csv)
    write_latex(
        prediction_frame.assign(
            system=prediction_frame["system"].map(lambda system: names.get(system, system)),
            check=prediction_frame["check"].str.replace("_", " "),
        ).rename(columns=lambda name: name.replace("_", " ")),
        prediction_latex,
        caption="Whether a failed check foretells that a reviewer corrects the sentence: precision and recall.",
        label="tab:check-prediction",
        formats={"precision": "{:.2f}", "recall": "{:.2f}"},
    )


def _failed(results: pd.DataFrame, rows: list[Candidate]) -> pd.DataFrame:
    """Return for each candidate which checks it fails, in the order of the candidates."""
    wrong = results[results["verdict"] == FAILED]
    found = set(zip(wrong["document"], wrong["line"].astype(int), wrong["check"], strict=True))
    wide = pd.DataFrame([[(*row.key, check) in found for check in CHECKS] for row in rows], columns=list(CHECKS))
    return wide.assign(**{ANY: wide.any(axis=1)})


def _predictions(failed: pd.DataFrame, rows: list[Candidate], reviews: dict[Key, Review]) -> list[list[object]]:
    judged: dict[tuple[str, str, str], int] = {}
    for place, row in enumerate(rows):
        review = reviews.get(row.key)
        if review and review.decision in (ACCEPT, CORRECT):
            # A sentence in several places of the corpus was judged once: its first place counts.
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
