from textparity.entry import run
from textparity.stereotypes.ledger import build_stereotypes_ledger

run(build_stereotypes_ledger, snakemake)  # noqa: F821
