from textparity.entry import run
from textparity.stereotypes.human_text import tabulate_human_text

run(tabulate_human_text, snakemake)  # noqa: F821
