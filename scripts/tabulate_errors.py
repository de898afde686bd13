from textparity.entry import run
from textparity.representation_study.scores import tabulate_errors

run(tabulate_errors, snakemake)  # noqa: F821
