"""The ledger of the `stereotypes` study, and the list of what was not run.

NEEDS  resources/stereotypes/published.csv, results/stereotypes/tables/
GIVES  results/ledger/stereotypes.csv, results/stereotypes/not_run.csv
"""

STEREOTYPES = PLANS["stereotypes"]


rule build_stereotypes_ledger:
    input:
        published=resource("resources/stereotypes/published.csv"),
        tables=STEREOTYPES.compared_tables,
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
