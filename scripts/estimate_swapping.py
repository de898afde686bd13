from textparity.entry import run
from textparity.swapping.candidates.answers import write_swap_estimate

run(write_swap_estimate, snakemake)  # noqa: F821
