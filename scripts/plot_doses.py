from textparity.entry import run
from textparity.propagation.figures import plot_doses

run(plot_doses, snakemake)  # noqa: F821
