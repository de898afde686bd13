from textparity.entry import run
from textparity.swapping.recognition.scores import evaluate_ner

run(evaluate_ner, snakemake)  # noqa: F821
