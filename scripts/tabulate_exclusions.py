from textparity.entry import run
from textparity.newsroom.exclusion_tables import tabulate_exclusions

run(tabulate_exclusions, snakemake)  # noqa: F821
