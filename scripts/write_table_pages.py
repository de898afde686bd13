from textparity.entry import run
from textparity.report.table_page import write_table_pages

run(write_table_pages, snakemake)  # noqa: F821
