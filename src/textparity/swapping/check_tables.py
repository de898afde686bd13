"""What the automatic checks find in the candidates of several systems, and whether they foretell a correction."""

from pathlib import Path

import pandas as pd

from textparity.statistics import percentage
from textparity.swapping.candidate_checks import CHECKS, FAILED, PASSED
from textparity.swapping.candidate_files import ACCEPT, CORRECT
from textparity.tables import write_csv, write_latex

ANY = "any"
_KEYS = ["document", "line"]


def tabulate_checks(
    candidates: list[Path],
    checks: list[Path],
    systems: list[str],
    names: dict[str, str],
    table_csv: Path,
    table_latex: Path,
    prediction_csv: Path,
    prediction_latex: Path,
) -> None:
    """Write how many candidates pass each check, by system, and how well a failed check foretells a correction.

    `any` is a candidate that fails at least one check. A correction can only be foretold where candidates have a
    `decision` that the reviewers made of them; what they dismissed is in neither.
    """
    shares, predictions = [], []
    for system, candidate_path, check_path in zip(systems, candidates, checks, strict=True):
        results = pd.read_csv(check_path, dtype=str, keep_default_na=False)
        rows = pd.read_csv(candidate_path, dtype=str, keep_default_na=False)
        failed = _failed(results, rows)
        for check in [*CHECKS, ANY]:
            verdicts = results.loc[results["check"] == check, "verdict"]
            passed, wrong = int((verdicts == PASSED).sum()), int((verdicts == FAILED).sum())
            if check == ANY:
                passed, wrong = int((~failed[ANY]).sum()), int(failed[ANY].sum())
            rest = len(rows) - passed - wrong
            shares.append([system, check, passed, wrong, rest, percentage(passed, passed + wrong)])
        # What is left of a reviewed set was accepted or corrected already.
        if "decision" in rows and set(rows["decision"]) - {ACCEPT, CORRECT}:
            predictions += [[system, *cells] for cells in _predictions(failed, rows["decision"])]
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


def _failed(results: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return for each candidate which checks it fails, in the order of the candidates."""
    # A line may have several candidates of its own: results come in their order, all checks of one together.
    number = results.groupby("check").cumcount()
    wide = (results["verdict"] == FAILED).groupby([number, results["check"]]).first().unstack(fill_value=False)
    wide = wide.reindex(range(len(rows)), fill_value=False)
    return wide.assign(**{ANY: wide.any(axis=1)})


def _predictions(failed: pd.DataFrame, decisions: pd.Series) -> list[list[object]]:
    judged = decisions.isin([ACCEPT, CORRECT]).to_numpy()
    corrected = (decisions == CORRECT).to_numpy()[judged]
    rows = []
    for check in [*CHECKS, ANY]:
        flagged = failed.loc[judged, check].to_numpy()
        both = int((flagged & corrected).sum())
        rows.append(
            [
                check, int(flagged.sum()), int(corrected.sum()), both, len(corrected),
                percentage(both, int(flagged.sum())) / 100, percentage(both, int(corrected.sum())) / 100,
            ]
        )  # fmt: skip
    return rows
