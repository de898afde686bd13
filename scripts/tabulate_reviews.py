from textparity.entry import run
from textparity.swapping.reviews import tabulate_reviews

run(tabulate_reviews, snakemake)  # noqa: F821
