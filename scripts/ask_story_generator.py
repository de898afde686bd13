from textparity.entry import run
from textparity.propagation.story_generation import ask_story_generator

run(ask_story_generator, globals().get("snakemake"))
