"""The tables, figures and ledger of the `lexicon` study (Muller 2023).

Tables and figures show the main units, those by the first engine of their corpus; the ledger compares all.
"""

from textparity_studies.lexicon.plan import SENTENCE_LANGS

# The corpora of the main units.
SHOWN = [corpus for corpus, _ in LEXICON.main_corpora]
# The units with the sentences of the paper's Table 2, the paper's engine first.
PRINTED_SENTENCES = [
    unit
    for unit in sorted(LEXICON.units, key=lambda unit: ENGINES.index(unit.engine))
    if REGISTRY.corpora[unit.corpus].published_table == "4" and unit.lang in SENTENCE_LANGS
]


use rule core_step as describe_lexicons with:
    input:
        judged=sorted(filter(None, map(REGISTRY.judged_matches, REGISTRY.languages))),
        lexicons=[REGISTRY.lexicon_file(CONFIG.person_nouns, lang).path for lang in LEXICON.langs],
        captions=CONTEXT.captions("lexicon"),
    output:
        tables=[
            "results/lexicon/tables/precision.csv",
            *(["results/lexicon/tables/lexicon_sizes.csv"] if LEXICON.langs else []),
        ],
    log:
        "logs/describe_lexicons.log",
    params:
        **step("textparity_studies.lexicon.tables:describe_lexicons"),
        langs=LEXICON.langs,
        confidence_level=CONFIG.bootstrap.confidence_level,


if LEXICON.main_units:

    use rule core_step as tabulate_lexicon with:
        input:
            summaries=each("results/lexicon/summary/{corpus}.{engine}.parquet", LEXICON.main_corpora),
            compared_summaries=each("results/lexicon/summary/{corpus}.{engine}.parquet", LEXICON.compared_corpora),
            captions=CONTEXT.captions("lexicon"),
        output:
            tables=[
                *expand("results/lexicon/tables/published/distribution_{corpus}.{ending}", corpus=SHOWN, ending=TABLE),
                *expand("results/lexicon/tables/published/overview.{ending}", ending=TABLE),
                *expand("results/lexicon/tables/corrected/distribution_{corpus}.{ending}", corpus=SHOWN, ending=TABLE),
                *expand("results/lexicon/tables/corrected/overview.{ending}", ending=TABLE),
                *expand("results/lexicon/tables/verdicts.{ending}", ending=TABLE),
                *expand("results/lexicon/tables/correction.{ending}", ending=TABLE),
                *expand("results/lexicon/tables/revision.{ending}", ending=TABLE if LEXICON.is_revised else []),
                *expand("results/lexicon/tables/fidelity.{ending}", ending=TABLE if LEXICON.compared_corpora else []),
            ],
        log:
            "logs/tabulate_lexicon.log",
        params:
            **step("textparity_studies.lexicon.tables:tabulate_lexicon"),
            corpus_names=REGISTRY.corpus_names,

    use rule core_step as tabulate_matches with:
        input:
            counts=each("results/lexicon/counts/{corpus}/{lang}.{engine}.parquet", LEXICON.main_units),
            texts=each("results/corpora/{corpus}/{lang}.parquet", LEXICON.main_units),
            summaries=each("results/lexicon/summary/{corpus}.{engine}.parquet", LEXICON.main_corpora),
            captions=CONTEXT.captions("lexicon"),
        output:
            tables=[
                "results/lexicon/tables/fixes.csv",
                "results/lexicon/tables/leave_one_out.csv",
                *(["results/lexicon/tables/layers.csv"] if LEXICON.is_revised else []),
                *each(
                    "results/lexicon/divergence/{corpus}/{lang}.csv",
                    [unit for unit in LEXICON.main_units if unit.lang != LEXICON.pivots.get(unit.corpus, unit.lang)],
                ),
            ],
        log:
            "logs/tabulate_matches.log",
        params:
            **step("textparity_studies.lexicon.tables:tabulate_matches"),
            corpus_names=REGISTRY.corpus_names,
            pivots=LEXICON.pivots,
            divergence_rows=LEXICON.settings.divergence_rows,
            confidence_level=CONFIG.bootstrap.confidence_level,
            minimum=MINIMUM,


if LEXICON.balanced_files:

    use rule core_step as measure_symmetry with:
        input:
            texts=LEXICON.balanced_inputs,
            captions=CONTEXT.captions("lexicon"),
        output:
            tables=expand("results/lexicon/tables/symmetry.{ending}", ending=TABLE),
        log:
            "logs/measure_symmetry.log",
        params:
            **step("textparity_studies.lexicon.symmetry:measure_symmetry"),
            **BOOTSTRAP,
            files=LEXICON.balanced_files,


if LEXICON.parallel_units:

    use rule core_step as tabulate_average_leads with:
        input:
            counts=each("results/lexicon/counts/{corpus}/{lang}.{engine}.parquet", LEXICON.parallel_units),
            captions=CONTEXT.captions("lexicon"),
        output:
            tables=["results/lexicon/tables/average_lead.csv"],
        log:
            "logs/tabulate_average_leads.log",
        params:
            **step("textparity_studies.lexicon.tables:tabulate_average_leads"),
            **BOOTSTRAP,
            corpus_names=REGISTRY.corpus_names,


if LEXICON.langs:

    use rule core_step as plot_lexicon with:
        input:
            summaries=each("results/lexicon/summary/{corpus}.{engine}.parquet", LEXICON.main_corpora),
            lexicon_sizes="results/lexicon/tables/lexicon_sizes.csv",
        output:
            figures=figures(
                expand(
                    "results/lexicon/figures/published/representation_{corpus}.{ending}", corpus=SHOWN, ending=FIGURE
                )
                + expand(
                    "results/lexicon/figures/corrected/representation_{corpus}.{ending}", corpus=SHOWN, ending=FIGURE
                )
                + expand("results/lexicon/figures/lexicon_sizes.{ending}", ending=FIGURE)
            ),
        log:
            "logs/plot_lexicon.log",
        params:
            **step("textparity_studies.lexicon.figures:plot_lexicon"),
            corpus_names=REGISTRY.corpus_names,
            lexicon_name=REGISTRY.lexicon_name(CONFIG.person_nouns),
            language_names={lang: row.name for lang, row in REGISTRY.languages.items()},
            confidence_level=CONFIG.bootstrap.confidence_level,


use rule core_step as build_lexicon_ledger with:
    input:
        **ledger_inputs("lexicon"),
        printed_sentences=resource("resources/lexicon/kept/printed_sentences.csv"),
        summaries=each("results/lexicon/summary/{corpus}.{engine}.parquet", LEXICON.counted_corpora),
        sentence_counts=each("results/lexicon/counts/{corpus}/{lang}.{engine}.parquet", PRINTED_SENTENCES),
    output:
        ledger="results/ledger/lexicon.csv",
        gaps="results/lexicon/not_run.csv",
    log:
        "logs/build_lexicon_ledger.log",
    params:
        **step("textparity_studies.lexicon.ledger:build_lexicon_ledger"),
        corpora={
            "by_table": {row.published_table: name for name, row in REGISTRY.corpora.items() if row.published_table},
            "in_run": LEXICON.settings.corpora,
            "crawls": CORPORA.crawls,
        },
        paper_tokenizers={lang: row.published_tokenizer for lang, row in REGISTRY.languages.items()},
        not_run=LEXICON.not_run,


rule lexicon:
    input:
        final_outputs("lexicon"),
        expand("results/crawls/{crawl}/documents.csv", crawl=[name for name in SHOWN if name in CORPORA.crawls]),
        rules.build_lexicon_ledger.output.ledger,
