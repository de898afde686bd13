from textparity.crawl import split_wet_file
from textparity.entry import run

run(split_wet_file, snakemake)  # noqa: F821
