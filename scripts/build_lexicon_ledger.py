from textparity.entry import run
from textparity.lexicon_study.ledger import build_lexicon_ledger

run(build_lexicon_ledger, snakemake)  # noqa: F821
