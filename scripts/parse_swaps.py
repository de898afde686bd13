from textparity.entry import run
from textparity.swapping.swap_candidates import parse_swaps

run(parse_swaps, snakemake)  # noqa: F821
