from textparity.entry import run
from textparity.propagation.figures import plot_shifts

run(plot_shifts, snakemake)  # noqa: F821
