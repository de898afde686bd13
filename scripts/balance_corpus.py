from textparity.entry import run
from textparity.newsroom.balancing import balance_corpus

run(balance_corpus, snakemake)  # noqa: F821
