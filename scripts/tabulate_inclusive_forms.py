from textparity.entry import run
from textparity.newsroom.quality.inclusive_forms import tabulate_inclusive_forms

run(tabulate_inclusive_forms, snakemake)  # noqa: F821
