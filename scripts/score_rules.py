from textparity.entry import run
from textparity.newsroom.quality.scores import score_rules

run(score_rules, snakemake)  # noqa: F821
