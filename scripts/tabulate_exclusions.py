from textparity.entry import run
from textparity.newsroom.balancing.exclusion_tables import tabulate_exclusions

run(tabulate_exclusions, snakemake)  # noqa: F821
