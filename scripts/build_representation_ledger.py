from textparity.entry import run
from textparity.representation_study.ledger import build_representation_ledger

run(build_representation_ledger, snakemake)  # noqa: F821
