from textparity.entry import run
from textparity.propagation.story_generation import collect_story_sentences

run(collect_story_sentences, globals().get("snakemake"))
