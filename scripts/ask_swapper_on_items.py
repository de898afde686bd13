from textparity.entry import run
from textparity.swapping.candidates.items import ask_swapper_on_items

run(ask_swapper_on_items, snakemake)  # noqa: F821
