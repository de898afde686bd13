from textparity.entry import run
from textparity.newsroom.balancing.exclusion_figures import plot_all_gender_ratios

run(plot_all_gender_ratios, snakemake)  # noqa: F821
