from textparity.entry import run
from textparity.newsroom.parsing.pipelines import parse_articles

run(parse_articles, snakemake)  # noqa: F821
