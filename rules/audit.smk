"""The audit of texts of one's own, as `textparity audit` does it, in parts that are merged."""

from textparity_studies.workflow.audit_plan import AuditPlan

AUDIT = AuditPlan(CONFIG)


# This rule runs on the submit host, because compute nodes are often offline.
use rule core_step as prepare_audit with:
    input:
        own=AUDIT.lexicons,
    output:
        lexicons="results/audit/lexicons.tsv",
    log:
        "logs/prepare_audit.log",
    localrule: True
    resources:
        downloads=1,
    params:
        **step("textparity_studies.workflow.audit_jobs:prepare_audit"),
        settings=AUDIT.settings,
        langs=lambda wildcards: AUDIT.langs,
        mirror=CONFIG.mirror,


use rule ml_step as count_part with:
    input:
        files=lambda wildcards: AUDIT.files(int(wildcards.part)),
        lexicons=rules.prepare_audit.output.lexicons,
    output:
        part="results/audit/parts/{part}.parquet",
    log:
        "logs/count_part/{part}.log",
    benchmark:
        "logs/count_part/{part}.benchmark.tsv"
    params:
        **step("textparity_studies.workflow.audit_jobs:count_part", *AUDIT.readers),
        **AUDIT.reading,
        settings=AUDIT.settings,
        sources=lambda wildcards: AUDIT.sources(int(wildcards.part)),
        ignored=lambda wildcards: AUDIT.ignored(int(wildcards.part)),


use rule core_step as merge_audit with:
    input:
        parts=lambda _: expand("results/audit/parts/{part}.parquet", part=range(AUDIT.parts)),
    output:
        tables=[
            "results/audit/audit.csv",
            "results/audit/words.csv",
            "results/audit/examples.csv",
            "results/audit/left_out.csv",
        ],
        latex="results/audit/audit.tex",
        page="results/audit/audit.html",
    log:
        "logs/merge_audit.log",
    params:
        **step("textparity_studies.workflow.audit_jobs:merge_audit", "textparity_studies.report.pages"),
        **AUDIT.shown,
