"""The ledger of the `swapping` study.

NEEDS  resources/swapping/published.csv, the tables of the study, results/swapping/scores/
GIVES  results/ledger/swapping.csv, results/swapping/not_run.csv
"""

SWAPPING = PLANS["swapping"]


rule build_swapping_ledger:
    input:
        tables=SWAPPING.ledger_tables,
        swap_scores=SWAPPING.scores,
        published=resource("resources/swapping/published.csv"),
    output:
        ledger="results/ledger/swapping.csv",
        gaps="results/swapping/not_run.csv",
    log:
        "logs/build_swapping_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.ledger:build_swapping_ledger"),
        not_run=SWAPPING.not_run,
        recognizer_setup=SWAPPING.recognizer_setup,
    script:
        "../../scripts/step.py"
