from textparity.entry import run
from textparity.newsroom.rules.measuring import measure_articles

run(measure_articles, snakemake)  # noqa: F821
