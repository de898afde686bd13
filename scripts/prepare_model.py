from textparity.entry import run
from textparity.models import prepare_model

run(prepare_model, snakemake)  # noqa: F821
