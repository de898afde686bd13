from textparity.entry import run
from textparity.newsroom.ledger import build_newsroom_ledger

run(build_newsroom_ledger, snakemake)  # noqa: F821
