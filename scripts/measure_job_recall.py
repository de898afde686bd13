from textparity.entry import run
from textparity.swapping.recognition.tables import measure_job_recall

run(measure_job_recall, snakemake)  # noqa: F821
