from textparity.entry import run
from textparity.propagation.ratio_tables import tabulate_doses

run(tabulate_doses, snakemake)  # noqa: F821
