from textparity.entry import run
from textparity.propagation.stories import write_stories

run(write_stories, snakemake)  # noqa: F821
