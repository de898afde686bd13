"""The `lengths` study (Nobody 2026).

NEEDS  results/corpora/{corpus}/{lang}.parquet
GIVES  results/lengths/tables/lengths.csv  words of a sentence by language
"""

LENGTHS = PLANS["lengths"]


rule tabulate_lengths:
    input:
        texts=LENGTHS.texts,
        captions=CONTEXT.captions("lengths"),
    output:
        tables=LENGTHS.table,
    log:
        "logs/tabulate_lengths.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lengths.tables:tabulate_lengths"),
        langs=LENGTHS.langs,
    script:
        "../../scripts/step.py"


rule build_lengths_ledger:
    input:
        **ledger_inputs("lengths"),
        tables=LENGTHS.table,
    output:
        ledger="results/ledger/lengths.csv",
        gaps="results/lengths/not_run.csv",
    log:
        "logs/build_lengths_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.report.comparison:build_ledger"),
        study="lengths",
        not_run=LENGTHS.not_run,
    script:
        "../../scripts/step.py"
