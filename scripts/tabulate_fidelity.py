from textparity.entry import run
from textparity.lexicon_study.fidelity import tabulate_fidelity

run(tabulate_fidelity, snakemake)  # noqa: F821
