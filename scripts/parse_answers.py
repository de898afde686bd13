from textparity.entry import run
from textparity.representation_study.tag_counts import parse_answers

run(parse_answers, snakemake)  # noqa: F821
