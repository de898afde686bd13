from textparity.entry import run
from textparity.representation_study.tag_tables import summarise_tags

run(summarise_tags, snakemake)  # noqa: F821
