from textparity.entry import run
from textparity.newsroom.balancing.exclusion_figures import plot_yearly_exclusions

run(plot_yearly_exclusions, snakemake)  # noqa: F821
