from textparity.entry import run
from textparity.lexicon_study.tables import tabulate_verdicts

run(tabulate_verdicts, snakemake)  # noqa: F821
