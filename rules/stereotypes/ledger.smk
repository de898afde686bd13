"""The ledger of the `stereotypes` study, and what of it was not run.

NEEDS  resources/stereotypes/published.csv, resources/stereotypes/ours.csv, results/stereotypes/tables/
GIVES  results/ledger/stereotypes.csv, results/stereotypes/not_run.csv
"""

STEREOTYPES = PLANS["stereotypes"]


rule build_stereotypes_ledger:
    input:
        published=resource("resources/stereotypes/published.csv"),
        sources=resource("resources/stereotypes/ours.csv"),
        lexicon_sizes=STEREOTYPES.table("coded_lexicons_csv"),
        sentences=STEREOTYPES.table("sentences_csv"),
        classification=STEREOTYPES.table("classification_csv"),
        agreement=STEREOTYPES.table("agreement_csv"),
        published_sentences=STEREOTYPES.published_table,
    output:
        ledger=STEREOTYPES.ledger,
        gaps=STEREOTYPES.gaps,
    log:
        "logs/build_stereotypes_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.ledger:build_stereotypes_ledger"),
        not_run=STEREOTYPES.not_run,
        withdrawn=CONTEXT.withdrawn,
    script:
        "../../scripts/step.py"
