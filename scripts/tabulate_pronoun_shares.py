from textparity.entry import run
from textparity.newsroom.rules.pronoun_shares import tabulate_pronoun_shares

run(tabulate_pronoun_shares, snakemake)  # noqa: F821
