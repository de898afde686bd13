from textparity.entry import run
from textparity.representation_study.scores import score_tagger

run(score_tagger, snakemake)  # noqa: F821
