from textparity.entry import run
from textparity.swapping.recognition.tables import plot_job_recall

run(plot_job_recall, snakemake)  # noqa: F821
