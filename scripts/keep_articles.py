from textparity.entry import run
from textparity.newsroom.balancing.kept_articles import keep_articles

run(keep_articles, snakemake)  # noqa: F821
