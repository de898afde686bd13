"""The `representation` study's rows of the reproduction ledger.

NEEDS  resources/representation/{published,ledger_notes}.csv, the study's summaries and scores
GIVES  results/ledger/representation.csv, results/representation/not_run.csv
"""

REPRESENTATION = PLANS["representation"]


rule build_representation_ledger:
    input:
        **ledger_inputs("representation"),
        tables=REPRESENTATION.compared_tables,
    output:
        ledger="results/ledger/representation.csv",
        gaps="results/representation/not_run.csv",
    log:
        "logs/build_representation_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity_studies.report.comparison:build_ledger",
            "textparity_studies.representation.ledger",
        ),
        study="representation",
        not_run=REPRESENTATION.not_run,
        withdrawn=CONTEXT.withdrawn,
    script:
        "../../scripts/step.py"
