from textparity.entry import run
from textparity.swapping.candidates.swapped_corpora import measure_reanchoring

run(measure_reanchoring, snakemake)  # noqa: F821
