from textparity.entry import run
from textparity.swapping.scoring.name_figures import plot_name_bias

run(plot_name_bias, snakemake)  # noqa: F821
