from textparity.corpora import read_corpus
from textparity.entry import run

run(read_corpus, snakemake)  # noqa: F821
