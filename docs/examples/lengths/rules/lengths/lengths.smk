"""The `lengths` study (Nobody 2026): how many words a sentence has in each language."""

LENGTHS = PLANS["lengths"]


if LENGTHS.langs:

    use rule core_step as tabulate_lengths with:
        input:
            texts=expand("results/corpora/{corpus}/{lang}.parquet", corpus=LENGTHS.corpus, lang=LENGTHS.langs),
            captions=CONTEXT.captions("lengths"),
        output:
            tables=expand("results/lengths/tables/lengths.{ending}", ending=TABLE),
        log:
            "logs/tabulate_lengths.log",
        params:
            **step("textparity_studies.lengths.tables:tabulate_lengths"),
            corpus=LENGTHS.corpus,
            langs=LENGTHS.langs,

    use rule core_step as plot_lengths with:
        input:
            lengths="results/lengths/tables/lengths.csv",
        output:
            figures=figures(expand("results/lengths/figures/lengths.{ending}", ending=FIGURE)),
        log:
            "logs/plot_lengths.log",
        params:
            **step("textparity_studies.lengths.figures:plot_lengths"),


use rule core_step as build_lengths_ledger with:
    input:
        **ledger_inputs("lengths"),
        tables=made("results/lengths/tables/lengths.csv"),
    output:
        ledger="results/ledger/lengths.csv",
        gaps="results/lengths/not_run.csv",
    log:
        "logs/build_lengths_ledger.log",
    params:
        **step("textparity_studies.report.comparison:build_ledger"),
        study="lengths",
        not_run=LENGTHS.not_run,


rule lengths:
    input:
        final_outputs("lengths"),
        rules.build_lengths_ledger.output.ledger,
