from textparity.entry import run
from textparity.representation_study.scores import tabulate_scores

run(tabulate_scores, snakemake)  # noqa: F821
