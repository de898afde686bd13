from textparity.entry import run
from textparity.propagation.story_generation import estimate_stories

run(estimate_stories, globals().get("snakemake"))
