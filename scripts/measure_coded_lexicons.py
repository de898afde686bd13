from textparity.entry import run
from textparity.stereotypes.coded_lexicons import measure_coded_lexicons

run(measure_coded_lexicons, snakemake)  # noqa: F821
