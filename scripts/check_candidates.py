from textparity.entry import run
from textparity.swapping.candidate_files import check_candidates

run(check_candidates, snakemake)  # noqa: F821
