from textparity.entry import run
from textparity.representation_study.yardstick import tabulate_yardstick

run(tabulate_yardstick, snakemake)  # noqa: F821
