"""What of Table VII and §IV can stand beside the paper's: only what the paper's model wrote."""

from pathlib import Path

import pandas as pd

PAPERS_GENERATOR = "gpt-3.5-turbo"
PAPERS_CLASSIFIER = "bert-base-uncased"
_KAPPA = ("§IV", "all annotators", "cohen_kappa")
Numbers = dict[tuple[str, str, str], tuple[float, float | None, str, str]]


def classification_numbers(classification: Path | None, agreement: Path | None) -> Numbers:
    """Return ours by table, row and column: as published, corrected, remark, setup; with the files of what ran."""
    numbers: Numbers = {}
    if classification:
        table = pd.read_csv(classification)
        papers = table[(table["generator"] == PAPERS_GENERATOR) & (table["classifier"] == PAPERS_CLASSIFIER)]
        for lexicon, rows in papers.groupby("lexicon"):
            ours = rows.set_index("procedure")
            for column in ours.columns.drop(["lexicon", "generator", "classifier"]):
                numbers["VII", lexicon, column] = (
                    ours.loc["published", column],
                    ours.loc["corrected", column],
                    "sentences asked for anew; corrected: no lexicon word in training and test at once",
                    "",
                )
    if agreement:
        table = pd.read_csv(agreement)
        means = table[(table["annotator"] == "all annotators") & table["sample"].str.endswith(f".{PAPERS_GENERATOR}")]
        # The paper has one sample, and does not say of which lexicon.
        if len(means) == 1:
            sample = means["sample"].item()
            numbers[_KAPPA] = means["cohen_kappa"].item(), None, "", f"other annotators; sentences of {sample}"
    return numbers
