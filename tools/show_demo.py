"""Print the demo's main tables and the place of the results; `make demo` ends with it."""

import sys
from pathlib import Path

import pandas as pd

from textparity.auditing.reliability import describe_mentions
from textparity.estimating.estimates import Estimate
from textparity_studies.report.scorecard import describe_ledgers

COLUMNS = {
    "lang": "lang",
    "words": "words",
    "feminine_percent": "feminine %",
    "masculine_percent": "masculine %",
    "unspecified_percent": "unspecified %",
    "masculine_per_feminine": "M : F",
    "masculine_per_feminine_low": "from",
    "masculine_per_feminine_high": "to",
    "verdict": "verdict",
    "coverage_percent": "sentences matched %",
}

METHODS = {
    "gold": "sentences",
    "method": "method",
    "found_masculine": "masculine",
    "found_feminine": "feminine",
    "masculine_per_feminine": "M : F",
    "true_masculine_per_feminine": "annotated M : F",
    "recall_masculine": "recall % M",
    "recall_feminine": "recall % F",
}
SCORES = {
    "tagger": "model",
    "runs": "runs",
    "precision": "precision",
    "recall": "recall",
    "f1": "F-score",
    "f1_low": "from",
    "f1_high": "to",
}
SENTENCES = {"procedure": "procedure", "consistent": "consistent", "contradictory": "contradictory", "sentences": "all"}


def main(folder: Path) -> None:
    """Show the results of `snakemake --directory folder` with the demo's config."""
    newsroom = folder / "results" / "newsroom"
    rows = pd.read_csv(newsroom / "demo_news" / "corrected" / "summary.csv")
    percent = rows[(rows["group"] == "all") & (rows["section"] == "percent")].set_index(["metric", "statistic"])[
        "feminine"
    ]
    share = (percent["mentions", statistic] for statistic in ("percent", "percent_low", "percent_high"))
    print(f"In 48 newspaper passages: {describe_mentions(Estimate(*share))}.\n")
    study = folder / "results" / "lexicon"
    table = study / "tables" / "corrected" / "distribution_ntrex.csv"
    print("Person nouns of small lexicons in NTREX-128 (corrected procedure, 95 % bootstrap interval of M : F):\n")
    rows = pd.read_csv(table).query("lang != 'avg.'")
    print(rows[list(COLUMNS)].rename(columns=COLUMNS).round(2).to_string(index=False))
    representation = folder / "results" / "representation" / "tables"
    print("\nEnglish gender polarity, masculine : feminine words, as in Table 7 of Derner et al., and corrected:\n")
    counts = [
        pd.read_csv(representation / name / "polarity.csv").set_index("corpus") for name in ("published", "corrected")
    ]
    for corpus in [name for name in counts[0].index if name != "Demo sentences"]:
        pairs = (f"{table.loc[corpus, 'masculine']:.0f} : {table.loc[corpus, 'feminine']:.0f}" for table in counts)
        print(f"  {corpus:18}" + "".join(f"{pair:>12}" for pair in pairs))
    ledger = pd.read_csv(folder / "results" / "report" / "ledger_summary.csv").set_index("study").loc["representation"]
    print(f"  {ledger['exact']:.0f} printed numbers of this study are met exactly, {ledger['differs']:.0f} differ")
    print("\nPerson words in annotated Spanish sentences, by method (the language model is a very small one):\n")
    rows = pd.read_csv(folder / "results" / "instruments" / "tables" / "methods.csv").query("half == 'all'")
    print(rows[list(METHODS)].rename(columns=METHODS).round(2).to_string(index=False, na_rep=""))
    print("\nLanguage models on the annotated sentences, all nouns and pronouns (corrected procedure, %):\n")
    rows = pd.read_csv(representation / "corrected" / "validation.csv")
    print(rows[list(SCORES)].rename(columns=SCORES).round(1).to_string(index=False))
    print("\nWomen's share in 48 newspaper passages (corrected procedure, %, 95 % bootstrap interval):\n")
    for metric in ("actors", "mentions", "subject_roles", "direct_quotes"):
        share, low, high = (percent[metric, statistic] for statistic in ("percent", "percent_low", "percent_high"))
        print(f"  {metric.replace('_', ' '):14} {share:5.1f}  ({low:.1f}–{high:.1f})")
    ratios = pd.read_csv(newsroom / "demo_news" / "corrected" / "ratios.csv").set_index("step")
    before, after = ratios.loc["before"], ratios.loc["after_balancing"]
    print(
        f"\nBalanced: women per man {before['actor_ratio']:.2f} to {after['actor_ratio']:.2f} among actors, "
        f"{before['mention_ratio']:.2f} to {after['mention_ratio']:.2f} among mentions; "
        f"{before['articles'] - after['articles']} of {before['articles']} articles left out"
    )
    swapping = folder / "results" / "swapping"
    rows = pd.read_csv(swapping / "tables" / "composition.csv")
    rows = rows[(rows["procedure"] == "corrected") & (rows["label"] == "JOB") & (rows["subcorpus"] == "total")]
    percent = rows[rows["sample"].isin(["original", "augmented"])].pivot(
        index="sample", columns="gender", values="percent"
    )
    print("\nUkrainian job titles by gender, before and after gender-swapped sentences join them (%):\n")
    print(percent.loc[["original", "augmented"], ["feminine", "masculine", "common", "unknown"]].round(1).to_string())
    stereotypes = folder / "results" / "stereotypes" / "tables"
    print("\nSentences that the small language model wrote with coded words, all of the first try and what passes:\n")
    rows = pd.read_csv(stereotypes / "sentences.csv")
    print(rows.loc[rows["set"] == 1, list(SENTENCES)].rename(columns=SENTENCES).to_string(index=False))
    print(f"\n{describe_ledgers([folder / 'results' / 'ledger.csv'])}")
    print("\nTables (CSV, LaTeX):     ", study / "tables", representation, swapping / "tables", stereotypes)
    print("Report of the articles:  ", newsroom / "pages" / "demo_news.corrected.html")
    print("Figure (PDF, SVG):       ", study / "figures" / "corrected" / "representation_demo.pdf")
    print("Swapped sentences:       ", swapping / "swapped" / "rules" / "candidates.csv")
    print("Diverging sentence pairs:", study / "divergence" / "demo")
    print("Front page of the report:", (folder / "results" / "report" / "index.html").resolve().as_uri())


main(Path(sys.argv[1]))
