from textparity.entry import run
from textparity.swapping.ner_tables import measure_job_recall

run(measure_job_recall, snakemake)  # noqa: F821
