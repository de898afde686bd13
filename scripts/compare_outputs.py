from textparity.entry import run
from textparity.swapping.scoring.differences import compare_outputs

run(compare_outputs, snakemake)  # noqa: F821
