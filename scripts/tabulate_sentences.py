from textparity.entry import run
from textparity.stereotypes.sentence_tables import tabulate_sentences

run(tabulate_sentences, snakemake)  # noqa: F821
