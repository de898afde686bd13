from textparity.entry import run
from textparity.swapping.check_tables import tabulate_checks

run(tabulate_checks, snakemake)  # noqa: F821
