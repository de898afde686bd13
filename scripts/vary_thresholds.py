from textparity.entry import run
from textparity.newsroom.balancing.thresholds import vary_thresholds

run(vary_thresholds, snakemake)  # noqa: F821
