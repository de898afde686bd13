from textparity.entry import run
from textparity.swapping.candidates.reviews import read_reviews

run(read_reviews, snakemake)  # noqa: F821
