from textparity.entry import run
from textparity.newsroom.flags import flag_articles

run(flag_articles, snakemake)  # noqa: F821
