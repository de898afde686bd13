from textparity.entry import run
from textparity.propagation.ratio_tables import tabulate_story_ratios

run(tabulate_story_ratios, snakemake)  # noqa: F821
