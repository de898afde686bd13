from textparity.entry import run
from textparity.swapping.review.decisions import tabulate_reviews

run(tabulate_reviews, snakemake)  # noqa: F821
