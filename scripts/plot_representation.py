from textparity.entry import run
from textparity.lexicon_study.figures import plot_representation

run(plot_representation, snakemake)  # noqa: F821
