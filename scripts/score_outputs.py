from textparity.entry import run
from textparity.swapping.scoring.scores import score_outputs

run(score_outputs, snakemake)  # noqa: F821
