"""Connect the package to Snakemake: the runner of steps, digests, configuration, registry, run record."""
