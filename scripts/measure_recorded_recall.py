from textparity.entry import run
from textparity.swapping.gender.recorded_recall import measure_recorded_recall

run(measure_recorded_recall, snakemake)  # noqa: F821
