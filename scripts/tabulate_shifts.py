from textparity.entry import run
from textparity.propagation.shift_tables import tabulate_shifts

run(tabulate_shifts, snakemake)  # noqa: F821
