from textparity.entry import run
from textparity.stereotypes.scores import tabulate_stereotypes

run(tabulate_stereotypes, snakemake)  # noqa: F821
