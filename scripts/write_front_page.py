from textparity.entry import run
from textparity.report.front_page import write_front_page

run(write_front_page, snakemake)  # noqa: F821
