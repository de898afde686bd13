from textparity.entry import run
from textparity.representation_study.gold_texts import list_gold_texts

run(list_gold_texts, snakemake)  # noqa: F821
