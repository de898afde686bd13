from textparity.entry import run
from textparity.representation_study.yardstick import measure_tagger_on_gold

run(measure_tagger_on_gold, snakemake)  # noqa: F821
