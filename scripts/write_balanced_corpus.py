from textparity.entry import run
from textparity.newsroom.balancing.balanced_corpus import write_checked_corpus

run(write_checked_corpus, snakemake)  # noqa: F821
