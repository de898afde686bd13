from textparity.entry import run
from textparity.swapping.swapped_corpora import measure_reanchoring

run(measure_reanchoring, snakemake)  # noqa: F821
