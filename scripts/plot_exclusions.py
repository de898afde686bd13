from textparity.entry import run
from textparity.newsroom.balancing.exclusion_figures import plot_exclusions

run(plot_exclusions, snakemake)  # noqa: F821
