from textparity.entry import run
from textparity.newsroom.reporting.numbers import summarise_kept_articles

run(summarise_kept_articles, snakemake)  # noqa: F821
