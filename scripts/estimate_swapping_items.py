from textparity.entry import run
from textparity.swapping.candidates.items import write_items_estimate

run(write_items_estimate, snakemake)  # noqa: F821
