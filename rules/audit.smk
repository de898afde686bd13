"""The audit of texts of one's own, as `textparity audit` does it, in parts that are merged.

NEEDS  files and folders that `audit.files` names
GIVES  results/audit/lexicons.tsv            what each language is counted with
       results/audit/parts/{part}.parquet    what is counted of some of the files
       results/audit/                        audit, words, examples, left_out as CSV; LaTeX; a page
"""

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
        langs=AUDIT.langs,
        mirror=CONFIG.mirror,


use rule ml_step as count_part with:
    input:
        files=AUDIT.files,
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
        sources=AUDIT.sources,
        ignored=AUDIT.ignored,


use rule core_step as merge_audit with:
    input:
        parts=AUDIT.parts,
    output:
        tables=collect(
            "results/audit/{table}.csv",
            table=["audit", "words", "examples", "left_out"],
        ),
        latex="results/audit/audit.tex",
        page="results/audit/audit.html",
    log:
        "logs/merge_audit.log",
    params:
        **step(
            "textparity_studies.workflow.audit_jobs:merge_audit",
            "textparity_studies.report.pages",
        ),
        **AUDIT.shown,
