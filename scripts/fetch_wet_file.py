from textparity.crawl import fetch_wet_file
from textparity.entry import run

run(fetch_wet_file, snakemake)  # noqa: F821
