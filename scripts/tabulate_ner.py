from textparity.entry import run
from textparity.swapping.recognition.tables import tabulate_ner

run(tabulate_ner, snakemake)  # noqa: F821
