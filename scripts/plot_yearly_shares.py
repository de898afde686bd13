from textparity.entry import run
from textparity.newsroom.reporting.figures import plot_all_yearly_shares

run(plot_all_yearly_shares, snakemake)  # noqa: F821
