from textparity.crawl import collect_documents
from textparity.entry import run

run(collect_documents, snakemake)  # noqa: F821
