from textparity.entry import run
from textparity.swapping.swap_items import ask_swapper_on_items

run(ask_swapper_on_items, snakemake)  # noqa: F821
