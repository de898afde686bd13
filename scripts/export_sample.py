from textparity.entry import run
from textparity.stereotypes.annotation import export_sample

run(export_sample, snakemake)  # noqa: F821
