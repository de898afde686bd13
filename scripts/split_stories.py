from textparity.entry import run
from textparity.propagation.tagged_stories import split_stories

run(split_stories, globals().get("snakemake"))
