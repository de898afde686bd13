from textparity.entry import run
from textparity.stereotypes.classification import classify_across

run(classify_across, snakemake)  # noqa: F821
