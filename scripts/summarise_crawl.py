from textparity.crawl import summarise_crawl
from textparity.entry import run

run(summarise_crawl, snakemake)  # noqa: F821
