from textparity.entry import run
from textparity.swapping.recognition.training import train_ner

run(train_ner, snakemake)  # noqa: F821
