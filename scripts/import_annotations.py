from textparity.entry import run
from textparity.newsroom.parsing.conllu_files import import_annotations

run(import_annotations, snakemake)  # noqa: F821
