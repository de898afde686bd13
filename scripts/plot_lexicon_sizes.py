from textparity.entry import run
from textparity.lexicon_study.figures import plot_lexicon_sizes

run(plot_lexicon_sizes, snakemake)  # noqa: F821
