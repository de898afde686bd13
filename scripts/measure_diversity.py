from textparity.entry import run
from textparity.propagation.diversity import measure_diversity

run(measure_diversity, globals().get("snakemake"))
