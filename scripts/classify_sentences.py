from textparity.entry import run
from textparity.stereotypes.classification import classify_sentences

run(classify_sentences, snakemake)  # noqa: F821
