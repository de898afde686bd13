from textparity.entry import run
from textparity.lexicon_study.tables import tabulate_correction

run(tabulate_correction, snakemake)  # noqa: F821
