from textparity.entry import run
from textparity.representation_study.polarity import count_polarity

run(count_polarity, snakemake)  # noqa: F821
