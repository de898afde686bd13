from textparity.entry import run
from textparity.swapping.corpus.composition import tabulate_composition

run(tabulate_composition, snakemake)  # noqa: F821
