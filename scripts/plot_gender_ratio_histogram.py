from textparity.entry import run
from textparity.newsroom.exclusion_figures import plot_gender_ratio_histogram

run(plot_gender_ratio_histogram, snakemake)  # noqa: F821
