from textparity.entry import run
from textparity.lexicon_study.printed_tables import read_printed_tables

run(read_printed_tables, snakemake)  # noqa: F821
