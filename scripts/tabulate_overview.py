from textparity.entry import run
from textparity.lexicon_study.tables import tabulate_overview

run(tabulate_overview, snakemake)  # noqa: F821
