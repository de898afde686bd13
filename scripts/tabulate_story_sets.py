from textparity.entry import run
from textparity.propagation.story_set_tables import tabulate_story_sets

run(tabulate_story_sets, globals().get("snakemake"))
