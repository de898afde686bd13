from textparity.entry import run
from textparity.sampling import sample_pairs

run(sample_pairs, snakemake)  # noqa: F821
