from textparity.availability import list_gaps
from textparity.entry import run

run(list_gaps, snakemake)  # noqa: F821
