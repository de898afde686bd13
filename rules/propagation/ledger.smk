"""The `propagation` study's rows of the reproduction ledger.

NEEDS  resources/propagation/{published,ledger_notes}.csv, the study's tables
GIVES  results/ledger/propagation.csv, results/propagation/not_run.csv
"""

PROPAGATION = PLANS["propagation"]


rule build_propagation_ledger:
    input:
        **ledger_inputs("propagation"),
        tables=PROPAGATION.compared_tables,
    output:
        ledger="results/ledger/propagation.csv",
        gaps="results/propagation/not_run.csv",
    log:
        "logs/build_propagation_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.ledger:build_propagation_ledger"),
        not_run=PROPAGATION.not_run,
        run=PROPAGATION.run_settings(),
    script:
        "../../scripts/step.py"
