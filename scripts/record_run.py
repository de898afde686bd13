from textparity.entry import run
from textparity.run_record import record_run

run(record_run, snakemake)  # noqa: F821
