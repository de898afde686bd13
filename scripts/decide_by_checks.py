from textparity.entry import run
from textparity.swapping.candidates.candidate_files import decide_by_checks

run(decide_by_checks, snakemake)  # noqa: F821
