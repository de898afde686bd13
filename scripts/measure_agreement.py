from textparity.entry import run
from textparity.stereotypes.annotation import measure_agreement

run(measure_agreement, snakemake)  # noqa: F821
