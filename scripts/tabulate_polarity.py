from textparity.entry import run
from textparity.representation_study.tables import tabulate_polarity

run(tabulate_polarity, snakemake)  # noqa: F821
