from textparity.entry import run
from textparity.propagation.figures import plot_story_ratios

run(plot_story_ratios, snakemake)  # noqa: F821
