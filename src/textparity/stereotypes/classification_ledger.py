"""What of Table VII and §IV can stand beside the paper's: only what the paper's model wrote."""

from pathlib import Path

import pandas as pd

PAPERS_GENERATOR = "gpt-3.5-turbo"
PAPERS_CLASSIFIER = "bert-base-uncased"
_ELSEWHERE = "what ran stands in results/stereotypes/tables/{}.csv"
# Why a number of a table is not there, unless the reason is another one.
NOT_CLASSIFIED = {
    "VII": f"needs the sentences of {PAPERS_GENERATOR} and the classifier {PAPERS_CLASSIFIER}; "
    + _ELSEWHERE.format("classification"),
    "§IV": f"needs people's labels of sentences of {PAPERS_GENERATOR}; " + _ELSEWHERE.format("agreement"),
}
_KAPPA = ("§IV", "all annotators", "cohen_kappa")
Numbers = dict[tuple[str, str, str], tuple[float, float | None, str]]


def classification_numbers(classification: Path | None, agreement: Path | None) -> Numbers:
    """Return ours by table, row and column: as published, corrected, remark. Files are there if something ran."""
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
                    "corrected: no lexicon word in training and test at once",
                )
    if agreement:
        table = pd.read_csv(agreement)
        means = table[(table["annotator"] == "all annotators") & table["sample"].str.endswith(f".{PAPERS_GENERATOR}")]
        # The paper has one sample, and does not say of which lexicon.
        if len(means) == 1:
            numbers[_KAPPA] = (means["cohen_kappa"].item(), None, f"mean of ours; sample {means['sample'].item()}")
    return numbers
