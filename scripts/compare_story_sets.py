from textparity.entry import run
from textparity.propagation.story_set_tables import compare_story_sets

run(compare_story_sets, globals().get("snakemake"))
