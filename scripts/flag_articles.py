from textparity.entry import run
from textparity.newsroom.balancing.flags import flag_articles

run(flag_articles, snakemake)  # noqa: F821
