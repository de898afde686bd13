"""The one script of all rules: it runs the function that the job's params name."""

from textparity_studies.workflow.runner import run

run(snakemake)  # noqa: F821
