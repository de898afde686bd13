from textparity.entry import run
from textparity.propagation.text_tables import tabulate_perplexity

run(tabulate_perplexity, snakemake)  # noqa: F821
