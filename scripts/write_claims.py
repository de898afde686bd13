from textparity.entry import run
from textparity.report.claims import write_claims

run(write_claims, snakemake)  # noqa: F821
