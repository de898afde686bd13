from textparity.entry import run
from textparity.stereotypes.human_text import list_human_sentences

run(list_human_sentences, snakemake)  # noqa: F821
