from textparity.entry import run
from textparity.propagation.tagged_stories import count_tagged_persons

run(count_tagged_persons, globals().get("snakemake"))
