from textparity.entry import run
from textparity.swapping.gender.classification import classify_entities

run(classify_entities, snakemake)  # noqa: F821
