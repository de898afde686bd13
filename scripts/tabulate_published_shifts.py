from textparity.entry import run
from textparity.propagation.shift_tables import tabulate_published_shifts

run(tabulate_published_shifts, snakemake)  # noqa: F821
