from textparity.entry import run
from textparity.representation_study.tables import summarise_polarity

run(summarise_polarity, snakemake)  # noqa: F821
