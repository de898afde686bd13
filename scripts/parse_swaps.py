from textparity.entry import run
from textparity.swapping.candidates.candidates import parse_swaps

run(parse_swaps, snakemake)  # noqa: F821
