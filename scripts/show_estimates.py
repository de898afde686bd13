from textparity.entry import run
from textparity.representation_study.tagging import show_estimates

run(show_estimates, snakemake)  # noqa: F821
