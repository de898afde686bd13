from textparity.entry import run
from textparity.swapping.gender.gold import score_genders

run(score_genders, snakemake)  # noqa: F821
