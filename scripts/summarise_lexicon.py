from textparity.entry import run
from textparity.lexicon_study.summary import summarise_lexicon

run(summarise_lexicon, snakemake)  # noqa: F821
