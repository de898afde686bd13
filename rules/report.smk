"""The report: a front page, every final table as a page to sort and search, and numbers to quote in LaTeX.

NEEDS  results/ledger.csv, the final tables of all studies, resources/{study}/claims.tsv, resources/registry/quoted_tables.tsv,
       report/{study}/{tables,figures}/*.rst
GIVES  results/report/index.html                       the front page
       results/report/tables/                          a page for each table
       results/report/{ledger_summary,ledger_reasons,claims,claim_numbers}.csv
       results/numbers.tex, results/summary.{tex,pdf}  one macro per number; a summary made of them
"""

from textparity.report.catalogue import captioned_tables, list_figures, list_tables
from textparity.report.latex import LATEX_MISSING, find_latex

# What the studies of this run end in: paths alone, as the marks of the report belong to the rules that make them.
FINAL_FILES = list(
    map(str, flatten([STUDY_TARGETS[study] for study in CONFIG.studies]))
)
REPORT_TABLES = list_tables(
    ["results/ledger.csv", "results/ledger_counts.csv", *FINAL_FILES],
    STUDY_NAMES,
    REGISTRY.corpora,
    CAPTIONS,
)
REPORT_FIGURES = list_figures(FINAL_FILES, STUDY_NAMES, REGISTRY.corpora, CAPTIONS)
# Of these, claims and macros are made.
QUOTED_TABLES = [item.path for item in REPORT_TABLES if item.study in CONFIG.studies]
LATEX = find_latex()


rule summarise_ledger:
    input:
        ledger=rules.join_ledgers.output.ledger,
    output:
        summary="results/report/ledger_summary.csv",
        reasons="results/report/ledger_reasons.csv",
    log:
        "logs/summarise_ledger.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.ledger_summary:summarise_ledger"),
    script:
        "../scripts/step.py"


rule write_claims:
    input:
        tables=QUOTED_TABLES,
        ledger=rules.join_ledgers.output.ledger,
        claims=[resource(f"resources/{study}/claims.tsv") for study in STUDY_NAMES],
    output:
        filled="results/report/claims.csv",
        numbers="results/report/claim_numbers.csv",
    log:
        "logs/write_claims.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.claims:write_claims"),
        studies=CONFIG.studies,
        # Not a folder of that name that a run has for files of its own.
        known_tables=captioned_tables(os.path.join(workflow.basedir, "resources")),
    script:
        "../scripts/step.py"


rule write_table_pages:
    input:
        tables=[item.path for item in REPORT_TABLES],
        captions=[resource(item.caption) for item in REPORT_TABLES],
    output:
        pages=[
            report(
                item.page,
                category=item.study_name,
                subcategory="Tables",
                labels=item.labels(resource(item.caption)),
                caption=caption_path(item.caption),
            )
            for item in REPORT_TABLES
        ],
    log:
        "logs/write_table_pages.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.table_page:write_table_pages"),
        details=[item.detail for item in REPORT_TABLES],
    script:
        "../scripts/step.py"


rule write_front_page:
    input:
        summary=rules.summarise_ledger.output.summary,
        reasons=rules.summarise_ledger.output.reasons,
        claims=rules.write_claims.output.filled,
        gaps=collect("results/{study}/not_run.csv", study=CONFIG.studies),
        captions=[resource(item.caption) for item in REPORT_TABLES + REPORT_FIGURES],
    output:
        page=report(
            "results/report/index.html",
            category="Summary",
            subcategory="Front page",
            labels={"title": "Front page", "of": "", "procedure": ""},
            caption=caption_path("resources/summary/captions/front_page.rst"),
        ),
    log:
        "logs/write_front_page.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.front_page:write_front_page"),
        shown=[asdict(item) for item in REPORT_TABLES + REPORT_FIGURES],
        pages=[path for path in FINAL_FILES if path.endswith(".html")],
        studies=CONFIG.studies,
        study_names=STUDY_NAMES,
        latex_missing=LATEX_MISSING if not LATEX else "",
    script:
        "../scripts/step.py"


rule write_numbers:
    input:
        ledger=rules.join_ledgers.output.ledger,
        summary=rules.summarise_ledger.output.summary,
        claim_numbers=rules.write_claims.output.numbers,
        quoted_tables=resource("resources/registry/quoted_tables.tsv"),
        tables=QUOTED_TABLES,
    output:
        numbers="results/numbers.tex",
    log:
        "logs/write_numbers.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.macros:write_numbers"),
    script:
        "../scripts/step.py"


rule write_summary:
    input:
        summary=rules.summarise_ledger.output.summary,
        claims=rules.write_claims.output.filled,
        numbers=rules.write_numbers.output.numbers,
    output:
        summary_latex="results/summary.tex",
        summary_pdf="results/summary.pdf",
    log:
        "logs/write_summary.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.summary:write_summary"),
        latex=LATEX,
        study_names=STUDY_NAMES,
    script:
        "../scripts/step.py"


REPORT_TARGETS = [
    rules.write_front_page.output,
    rules.write_table_pages.output,
    rules.write_numbers.output,
    *(rules.write_summary.output if LATEX else []),
]
