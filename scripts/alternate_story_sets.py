from textparity.entry import run
from textparity.propagation.story_generation import alternate_story_sets

run(alternate_story_sets, globals().get("snakemake"))
