from textparity.entry import run
from textparity.lexicon_study.mends import tabulate_mends

run(tabulate_mends, snakemake)  # noqa: F821
