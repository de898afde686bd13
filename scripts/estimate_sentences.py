from textparity.entry import run
from textparity.stereotypes.generation import estimate_sentences

run(estimate_sentences, snakemake)  # noqa: F821
