from textparity.entry import run
from textparity.representation_study.tagging import write_estimate

run(write_estimate, snakemake)  # noqa: F821
