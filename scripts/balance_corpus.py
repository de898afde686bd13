from textparity.entry import run
from textparity.newsroom.balancing.balance import balance_corpus

run(balance_corpus, snakemake)  # noqa: F821
