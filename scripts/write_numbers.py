from textparity.entry import run
from textparity.report.macros import write_numbers

run(write_numbers, snakemake)  # noqa: F821
