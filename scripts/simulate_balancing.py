from textparity.entry import run
from textparity.newsroom.balancing.stopping import simulate_balancing

run(simulate_balancing, snakemake)  # noqa: F821
