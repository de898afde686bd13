from textparity.entry import run
from textparity.swapping.corpus.entity_corpora import read_entity_corpus

run(read_entity_corpus, snakemake)  # noqa: F821
