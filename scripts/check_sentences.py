from textparity.entry import run
from textparity.stereotypes.checked_sentences import check_sentences

run(check_sentences, snakemake)  # noqa: F821
