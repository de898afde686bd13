from textparity.entry import run
from textparity.lexicon_study.tables import tabulate_distribution

run(tabulate_distribution, snakemake)  # noqa: F821
