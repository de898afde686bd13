from textparity.entry import run
from textparity.swapping.candidates.rule_outputs import swap_corpus

run(swap_corpus, snakemake)  # noqa: F821
