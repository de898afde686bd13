from textparity.entry import run
from textparity.lexicon_study.divergence import list_divergences

run(list_divergences, snakemake)  # noqa: F821
