from textparity.entry import run
from textparity.newsroom.texts.articles import read_articles

run(read_articles, snakemake)  # noqa: F821
