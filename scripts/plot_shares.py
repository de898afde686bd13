from textparity.entry import run
from textparity.newsroom.figures import plot_shares

run(plot_shares, snakemake)  # noqa: F821
