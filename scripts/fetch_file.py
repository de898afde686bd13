from textparity.entry import run
from textparity.fetch import fetch_file

run(fetch_file, snakemake)  # noqa: F821
