from textparity.crawl import choose_wet_files
from textparity.entry import run

run(choose_wet_files, snakemake)  # noqa: F821
