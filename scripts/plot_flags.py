from textparity.entry import run
from textparity.newsroom.balancing.exclusion_figures import plot_flags

run(plot_flags, snakemake)  # noqa: F821
