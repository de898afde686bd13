from textparity.entry import run
from textparity.propagation.training import train_adapter

run(train_adapter, snakemake)  # noqa: F821
