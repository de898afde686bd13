from textparity.entry import run
from textparity.report.summary import write_summary

run(write_summary, snakemake)  # noqa: F821
