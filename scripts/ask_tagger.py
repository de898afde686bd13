from textparity.entry import run
from textparity.representation_study.tagging import ask_tagger

run(ask_tagger, snakemake)  # noqa: F821
