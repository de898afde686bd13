from textparity.counting import count_lexicon
from textparity.entry import run

run(count_lexicon, snakemake)  # noqa: F821
