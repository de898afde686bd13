"""The `representation` study's rows of the reproduction ledger.

NEEDS  resources/representation/published.csv, the study's summaries
GIVES  results/ledger/representation.csv, results/representation/not_run.csv
"""

REPRESENTATION = PLANS["representation"]


rule build_representation_ledger:
    input:
        published=resource("resources/representation/published.csv"),
        results=REPRESENTATION.results,
    output:
        ledger="results/ledger/representation.csv",
        gaps="results/representation/not_run.csv",
    log:
        "logs/build_representation_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.ledger:build_representation_ledger"),
        not_run=REPRESENTATION.not_run,
        corpus_names=REPRESENTATION.corpus_names,
        gold_tables=REPRESENTATION.gold_tables,
        withdrawn=CONTEXT.withdrawn,
    script:
        "../../scripts/step.py"
