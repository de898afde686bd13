from textparity.entry import run
from textparity.swapping.candidates.swapped_corpora import write_swapped_corpus

run(write_swapped_corpus, snakemake)  # noqa: F821
