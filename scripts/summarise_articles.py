from textparity.entry import run
from textparity.newsroom.reporting.numbers import summarise_articles

run(summarise_articles, snakemake)  # noqa: F821
