from textparity.entry import run
from textparity.propagation.ledger import build_propagation_ledger

run(build_propagation_ledger, snakemake)  # noqa: F821
