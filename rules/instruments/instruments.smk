"""The `instruments` study: how well methods find who is mentioned, on annotated texts.

It finds persons by each method, and compares them with the annotation: recall, precision and the bias of the ratio.
"""

INSTRUMENTS = PLANS["instruments"]


use rule ml_step as find_persons with:
    input:
        texts=lambda wildcards: INSTRUMENTS.texts(**wildcards),
        beside=lambda wildcards: INSTRUMENTS.beside(**wildcards),
        tools=lambda wildcards: INSTRUMENTS.tools(**wildcards),
        gold_words=resource("resources/persons/gold_words.tsv"),
        given_names=resource("resources/instruments/given_names.tsv"),
        news=[
            resource("resources/instruments/news/articles.tsv"),
            resource("resources/instruments/news/mentions.tsv"),
            resource("resources/instruments/news/quotes.tsv"),
        ],
    output:
        found="results/instruments/found/{gold}/{lang}.parquet",
    log:
        "logs/find_persons/{gold}_{lang}.log",
    wildcard_constraints:
        gold=one_of([unit.gold for unit in INSTRUMENTS.units]),
    params:
        **step("textparity_studies.instruments.findings:find_persons", "textparity.persons.dictionary_finder"),
        corpus=lambda wildcards: INSTRUMENTS.corpus(**wildcards),
        methods=lambda wildcards: INSTRUMENTS.persons.methods(wildcards.lang),
        language=lambda wildcards: vars(INSTRUMENTS.language(**wildcards)),
        lexicon=CONFIG.person_nouns,
        word_list=CONFIG.word_list,


use rule core_step as tabulate_methods with:
    input:
        found=each("results/instruments/found/{gold}/{lang}.parquet", INSTRUMENTS.units),
        tags=expand(
            "results/tagging/tags/gold/{gold}.{tagger}.parquet",
            gold=INSTRUMENTS.tagged_gold,
            tagger=CONFIG.representation.taggers,
        ),
        field_matches=resource("resources/instruments/field_matches.tsv"),
        captions=CONTEXT.captions("instruments"),
    output:
        tables=[
            "results/instruments/tables/methods.csv",
            "results/instruments/tables/methods.tex",
            "results/instruments/tables/sentences.csv",
            "results/instruments/tables/kinds.csv",
            "results/instruments/tables/words.csv",
            "results/instruments/tables/errors.csv",
            "results/instruments/tables/method_error.csv",
            "results/instruments/tables/spreads.csv",
            "results/instruments/tables/people.csv",
            "results/instruments/tables/speakers.csv",
            "results/instruments/tables/coreference.csv",
            "results/instruments/tables/names.csv",
            "results/instruments/tables/field.csv",
        ],
        method_errors="results/instruments/method_errors.csv",
        gaps="results/instruments/not_run.csv",
    log:
        "logs/tabulate_methods.log",
    params:
        **step("textparity_studies.instruments.tables:tabulate_methods"),
        **BOOTSTRAP,
        not_run=INSTRUMENTS.not_run,
        corpus_names=INSTRUMENTS.corpus_names,


use rule core_step as simulate_checks with:
    input:
        found=each("results/instruments/found/{gold}/{lang}.parquet", INSTRUMENTS.units),
        captions=CONTEXT.captions("instruments"),
    output:
        tables=[
            "results/instruments/tables/checks.csv",
        ],
    log:
        "logs/simulate_checks.log",
    params:
        **step("textparity_studies.instruments.check_simulation:tabulate_checks"),
        **BOOTSTRAP,


if INSTRUMENTS.units:

    use rule core_step as plot_methods with:
        input:
            methods="results/instruments/tables/methods.csv",
        output:
            figures=figures(expand("results/instruments/figures/ratios.{ending}", ending=FIGURE)),
        log:
            "logs/plot_methods.log",
        params:
            **step("textparity_studies.instruments.figures:plot_methods"),
            corpus_names=INSTRUMENTS.corpus_names,
            language_names={lang: row.name for lang, row in REGISTRY.languages.items()},
            lexicon_name=REGISTRY.lexicon_name(CONFIG.person_nouns),


rule instruments:
    input:
        final_outputs("instruments"),
