from textparity.entry import run
from textparity.swapping.candidates.outputs import read_outputs

run(read_outputs, snakemake)  # noqa: F821
