from textparity.entry import run
from textparity.newsroom.reporting.tables import write_report

run(write_report, snakemake)  # noqa: F821
