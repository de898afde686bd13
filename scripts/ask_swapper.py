from textparity.entry import run
from textparity.swapping.candidates.answers import ask_swapper

run(ask_swapper, snakemake)  # noqa: F821
