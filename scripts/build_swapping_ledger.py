from textparity.entry import run
from textparity.swapping.ledger import build_swapping_ledger

run(build_swapping_ledger, snakemake)  # noqa: F821
