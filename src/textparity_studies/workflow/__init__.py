"""What Snakemake touches: the runner of steps, digests, configuration, registry, run record."""
