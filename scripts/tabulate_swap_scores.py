from textparity.entry import run
from textparity.swapping.scoring.tables import tabulate_swap_scores

run(tabulate_swap_scores, snakemake)  # noqa: F821
