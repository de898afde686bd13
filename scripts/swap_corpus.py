from textparity.entry import run
from textparity.swapping.rule_outputs import swap_corpus

run(swap_corpus, snakemake)  # noqa: F821
