from textparity.entry import run
from textparity.representation_study.published_numbers import tabulate_published_numbers

run(tabulate_published_numbers, snakemake)  # noqa: F821
