from textparity.entry import run
from textparity.swapping.candidates.candidate_files import check_candidates

run(check_candidates, snakemake)  # noqa: F821
