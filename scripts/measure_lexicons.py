from textparity.entry import run
from textparity.lexicon_study.sizes import measure_lexicons

run(measure_lexicons, snakemake)  # noqa: F821
