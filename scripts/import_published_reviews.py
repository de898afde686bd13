from textparity.entry import run
from textparity.swapping.candidates.published_reviews import import_published_reviews

run(import_published_reviews, snakemake)  # noqa: F821
