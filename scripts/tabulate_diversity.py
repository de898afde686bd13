from textparity.entry import run
from textparity.propagation.text_tables import tabulate_diversity

run(tabulate_diversity, snakemake)  # noqa: F821
