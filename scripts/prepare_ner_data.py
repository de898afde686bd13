from textparity.entry import run
from textparity.swapping.recognition.data import prepare_ner_data

run(prepare_ner_data, snakemake)  # noqa: F821
