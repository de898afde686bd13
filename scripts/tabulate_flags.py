from textparity.entry import run
from textparity.newsroom.balancing.exclusion_tables import tabulate_flags

run(tabulate_flags, snakemake)  # noqa: F821
