from textparity.entry import run
from textparity.swapping.candidate_files import list_published_candidates

run(list_published_candidates, snakemake)  # noqa: F821
