from textparity.entry import run
from textparity.propagation.language_model import prepare_base_model

run(prepare_base_model, snakemake)  # noqa: F821
