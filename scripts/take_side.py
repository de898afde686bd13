from textparity.entry import run
from textparity.sampling import take_side

run(take_side, snakemake)  # noqa: F821
