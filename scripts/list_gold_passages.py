from textparity.entry import run
from textparity.newsroom.quality.scores import list_gold_passages

run(list_gold_passages, snakemake)  # noqa: F821
