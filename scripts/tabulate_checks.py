from textparity.entry import run
from textparity.swapping.candidates.check_tables import tabulate_checks

run(tabulate_checks, snakemake)  # noqa: F821
