from textparity.entry import run
from textparity.ledger import join_ledgers

run(join_ledgers, snakemake)  # noqa: F821
