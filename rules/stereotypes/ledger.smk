"""The ledger of the `stereotypes` study, and the list of what was not run.

NEEDS  resources/stereotypes/{published,ledger_notes}.csv, results/stereotypes/tables/
GIVES  results/ledger/stereotypes.csv, results/stereotypes/not_run.csv
"""

STEREOTYPES = PLANS["stereotypes"]


rule build_stereotypes_ledger:
    input:
        **ledger_inputs("stereotypes"),
        tables=STEREOTYPES.compared_tables,
    output:
        ledger=STEREOTYPES.ledger,
        gaps=STEREOTYPES.gaps,
    log:
        "logs/build_stereotypes_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.report.comparison:build_ledger"),
        study="stereotypes",
        not_run=STEREOTYPES.not_run,
        withdrawn=CONTEXT.withdrawn,
    script:
        "../../scripts/step.py"
