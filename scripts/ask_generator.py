from textparity.entry import run
from textparity.stereotypes.generation import ask_generator

run(ask_generator, snakemake)  # noqa: F821
