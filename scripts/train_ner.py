from textparity.entry import run
from textparity.swapping.ner_training import train_ner

run(train_ner, snakemake)  # noqa: F821
