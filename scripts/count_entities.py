from textparity.entry import run
from textparity.swapping.corpus.entity_counts import count_entities

run(count_entities, snakemake)  # noqa: F821
