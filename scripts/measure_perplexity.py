from textparity.entry import run
from textparity.propagation.perplexity import measure_perplexity

run(measure_perplexity, snakemake)  # noqa: F821
