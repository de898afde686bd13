"""The ledger of all studies, claims, the report (a front page, every final table as a page), and numbers to quote in LaTeX."""

from textparity_studies.workflow.plans import ReportPlan

REPORT = ReportPlan(
    CONTEXT,
    CATALOGUE,
    PLANS,
    FINAL_FILES,
    noun_tables={study: load_study(study).noun_tables for study in STUDIES},
)
CLAIMS = [resource(f"resources/{study}/claims.tsv") for study in STUDIES]
# Each job reads the rules again; once is enough.
if workflow.is_main_process:
    from textparity_studies.report.claims import read_claims

    for path in CLAIMS:
        read_claims(Path(path), KNOWN_TABLES)


use rule core_step as sum_up_ledgers with:
    input:
        parts=[LEDGERS[study] for study in CONFIG.studies if study in LEDGERS],
    output:
        ledger="results/ledger.csv",
        counts="results/ledger_counts.csv",
        summary="results/report/ledger_summary.csv",
        scorecard="results/report/scorecard.csv",
    log:
        "logs/sum_up_ledgers.log",
    localrule: True
    params:
        **step("textparity_studies.report.scorecard:sum_up_ledgers"),


use rule core_step as quote_results with:
    input:
        tables=REPORT.quoted_tables,
        kept=REPORT.kept,
        ledger="results/ledger.csv",
        claims=CLAIMS,
    output:
        filled="results/report/claims.csv",
        claim_numbers="results/report/claim_numbers.csv",
    log:
        "logs/quote_results.log",
    localrule: True
    params:
        **step("textparity_studies.report.claims:quote_results"),
        studies=CONFIG.studies,
        known_tables=KNOWN_TABLES,
        lexicon=REPORT.lexicon,
        names=REPORT.names,


use rule core_step as write_numbers with:
    input:
        ledger="results/ledger.csv",
        summary="results/report/ledger_summary.csv",
        claim_numbers="results/report/claim_numbers.csv",
    output:
        numbers="results/numbers.tex",
    log:
        "logs/write_numbers.log",
    localrule: True
    params:
        **step("textparity_studies.report.latex:write_numbers"),


use rule core_step as render_report with:
    input:
        tables=[item.path for item in REPORT.tables],
        captions=REPORT.captions,
        summary="results/report/ledger_summary.csv",
        scorecard="results/report/scorecard.csv",
        claims="results/report/claims.csv",
        gaps=collect("results/{study}/not_run.csv", study=CONFIG.studies),
        pictures=REPORT.pictures,
    output:
        pages=[
            report(
                item.page,
                category=item.study_name,
                subcategory="Tables",
                labels=item.labels(resource(item.caption)),
                caption=caption_path(item.caption),
            )
            for item in REPORT.tables
        ],
        front_page=report(
            "results/report/index.html",
            category="Summary",
            subcategory="Front page",
            labels={"title": "Front page", "of": "", "procedure": ""},
            caption=caption_path("resources/summary/captions/front_page.rst"),
        ),
    log:
        "logs/render_report.log",
    localrule: True
    params:
        **step("textparity_studies.report.pages:render_report"),
        run=REPORT.run,


# This environment has all packages whose versions are recorded.
use rule ml_step as record_run with:
    input:
        results=REPORT.final_files,
        ledger="results/ledger.csv",
    output:
        run="results/run/run.json",
        config="results/run/config.json",
        packages="results/run/packages.csv",
        sources="results/run/sources.csv",
        models="results/run/models.csv",
        files="results/run/files.csv",
    log:
        "logs/record_run.log",
    localrule: True
    params:
        **step("textparity_studies.workflow.run_record:record_run"),
        settings=CONFIG.model_dump(exclude={"mirror", "models"}),
        # A relative path avoids reruns after a checkout is moved with its results.
        repository=os.path.relpath(workflow.basedir),
