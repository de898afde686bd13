from textparity.entry import run
from textparity.report.ledger_summary import summarise_ledger

run(summarise_ledger, snakemake)  # noqa: F821
