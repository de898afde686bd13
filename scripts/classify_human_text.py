from textparity.entry import run
from textparity.stereotypes.classification import classify_human_text

run(classify_human_text, snakemake)  # noqa: F821
