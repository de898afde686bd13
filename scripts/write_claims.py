from textparity.entry import run
from textparity.report.statements import write_statements

run(write_statements, snakemake)  # noqa: F821
