from textparity.entry import run
from textparity.swapping.candidates.rule_outputs import swap_test_sentences

run(swap_test_sentences, snakemake)  # noqa: F821
