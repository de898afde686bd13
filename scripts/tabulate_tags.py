from textparity.entry import run
from textparity.representation_study.tag_tables import tabulate_tags

run(tabulate_tags, snakemake)  # noqa: F821
