from textparity.entry import run
from textparity.representation_study.tag_tables import tabulate_answers

run(tabulate_answers, snakemake)  # noqa: F821
