from textparity.entry import run
from textparity.propagation.published_shifts import tabulate_published_shifts

run(tabulate_published_shifts, snakemake)  # noqa: F821
