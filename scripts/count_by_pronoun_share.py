from textparity.entry import run
from textparity.newsroom.rules.pronoun_shares import count_by_pronoun_share

run(count_by_pronoun_share, snakemake)  # noqa: F821
