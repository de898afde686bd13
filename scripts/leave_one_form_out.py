from textparity.entry import run
from textparity.lexicon_study.leave_one_out import leave_one_form_out

run(leave_one_form_out, snakemake)  # noqa: F821
