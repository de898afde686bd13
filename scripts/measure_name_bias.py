from textparity.entry import run
from textparity.swapping.scoring.name_bias import measure_name_bias

run(measure_name_bias, snakemake)  # noqa: F821
