"""The `propagation` study's rows of the reproduction ledger.

NEEDS  resources/propagation/published.csv, the study's tables
GIVES  results/ledger/propagation.csv, results/propagation/not_run.csv
"""

PROPAGATION = PLANS["propagation"]


rule build_propagation_ledger:
    input:
        **PROPAGATION.ledger_inputs(),
        published=resource("resources/propagation/published.csv"),
    output:
        ledger="results/ledger/propagation.csv",
        gaps="results/propagation/not_run.csv",
    log:
        "logs/build_propagation_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.ledger:build_propagation_ledger"),
        **PROPAGATION.ledger_params(),
    script:
        "../../scripts/step.py"
