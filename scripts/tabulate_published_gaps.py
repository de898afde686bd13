from textparity.entry import run
from textparity.stereotypes.published_gaps import tabulate_published_gaps

run(tabulate_published_gaps, snakemake)  # noqa: F821
