from textparity.entry import run
from textparity.representation_study.tag_tables import tabulate_epicene

run(tabulate_epicene, snakemake)  # noqa: F821
