from textparity.entry import run
from textparity.swapping.swap_scores import score_outputs

run(score_outputs, snakemake)  # noqa: F821
