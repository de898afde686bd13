"""The ledger of the `swapping` study.

NEEDS  resources/swapping/{published,ledger_notes}.csv, the tables of the study, results/swapping/scores/
GIVES  results/ledger/swapping.csv, results/swapping/not_run.csv
"""

SWAPPING = PLANS["swapping"]


rule build_swapping_ledger:
    input:
        **ledger_inputs("swapping"),
        tables=SWAPPING.ledger_tables + SWAPPING.scores,
    output:
        ledger="results/ledger/swapping.csv",
        gaps="results/swapping/not_run.csv",
    log:
        "logs/build_swapping_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity_studies.report.comparison:build_ledger",
            "textparity_studies.swapping.ledger",
        ),
        study="swapping",
        not_run=SWAPPING.not_run,
        computed={"run": [{"recognizer_setup": SWAPPING.recognizer_setup}]},
    script:
        "../../scripts/step.py"
