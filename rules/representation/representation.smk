"""The `representation` study (Derner 2025, §3–4, App. C, D, I).

It counts words of each gender and persons in corpora, and lets language models tag words, also in annotated sentences.
"""

REPRESENTATION = PLANS["representation"]

ESTIMATES += each("results/tagging/estimates/{texts}.{tagger}.csv", REPRESENTATION.units)


# The annotated sentences are tagged like any corpus.
use rule core_step as list_gold_texts with:
    input:
        gold=lambda wildcards: REGISTRY.file_of(REGISTRY.gold[wildcards.gold]).path,
    output:
        texts="results/gold/{gold}.parquet",
    log:
        "logs/list_gold_texts/{gold}.log",
    params:
        **step("textparity_studies.representation.scores:list_gold_texts"),
        name="{gold}",
        lang=lambda wildcards: REGISTRY.gold[wildcards.gold].lang,


# Mentions of each gender in each text by each method, except in English also by the gender of the noun.
use rule ml_step as count_persons with:
    input:
        texts="results/corpora/{corpus}/{lang}.parquet",
        tools=lambda wildcards: REPRESENTATION.persons.files(wildcards.lang),
    output:
        counts="results/persons/corpora/{corpus}/{lang}.parquet",
    log:
        "logs/count_persons/{corpus}_{lang}.log",
    params:
        **step("textparity_studies.representation.persons:count_persons", "textparity.persons.dictionary_finder"),
        name="corpora/{corpus}/{lang}",
        methods=lambda wildcards: REPRESENTATION.persons.methods(wildcards.lang),
        language=lambda wildcards: vars(REPRESENTATION.persons.language(wildcards.lang)),
        grammatical=lambda wildcards: wildcards.lang != "eng",


if REPRESENTATION.corpora:

    use rule core_step as tabulate_polarity with:
        input:
            counts=expand("results/polarity/corpora/{corpus}/eng.parquet", corpus=REPRESENTATION.corpora),
            captions=CONTEXT.captions("representation"),
        output:
            summary="results/representation/polarity_summary.csv",
            tables=[
                *expand("results/representation/tables/published/polarity.{ending}", ending=TABLE),
                *expand("results/representation/tables/corrected/polarity.{ending}", ending=TABLE),
                "results/representation/tables/pooled_polarity.csv",
            ],
        log:
            "logs/tabulate_polarity.log",
        params:
            **step("textparity_studies.representation.tables:tabulate_polarity"),
            **BOOTSTRAP,
            corpus_names=REGISTRY.corpus_names,


if REPRESENTATION.counted:

    use rule core_step as tabulate_persons with:
        input:
            counts=each("results/persons/corpora/{corpus}/{lang}.parquet", REPRESENTATION.counted),
            published=resource("resources/representation/published.csv"),
            captions=CONTEXT.captions("representation"),
        output:
            tables=expand("results/representation/tables/persons.{ending}", ending=TABLE),
        log:
            "logs/tabulate_persons.log",
        params:
            **step("textparity_studies.representation.tables:tabulate_persons"),
            **BOOTSTRAP,
            corpus_names=REGISTRY.corpus_names,


if REPRESENTATION.gold_with_skip_list:

    use rule core_step as tabulate_skipped_words with:
        input:
            gold=[REGISTRY.file_of(REGISTRY.gold[name]).path for name in REPRESENTATION.gold_with_skip_list],
            skip_lists=[REPRESENTATION.skip_list(name) for name in REPRESENTATION.gold_with_skip_list],
            captions=CONTEXT.captions("representation"),
        output:
            tables=["results/representation/tables/skipped_words.csv"],
        log:
            "logs/tabulate_skipped_words.log",
        params:
            **step("textparity_studies.representation.tables:tabulate_skipped_words"),
            gold_names=REPRESENTATION.gold_with_skip_list,
            languages=[REGISTRY.gold[name].lang for name in REPRESENTATION.gold_with_skip_list],


use rule core_step as tabulate_published_numbers with:
    input:
        published=resource("resources/representation/published.csv"),
        captions=CONTEXT.captions("representation"),
    output:
        tables=[
            "results/representation/tables/published_scores.csv",
            "results/representation/tables/published_totals.csv",
            "results/representation/tables/published_epicene.csv",
        ],
    log:
        "logs/tabulate_published_numbers.log",
    params:
        **step("textparity_studies.representation.tables:tabulate_published_numbers"),


if REPRESENTATION.units:

    use rule core_step as tabulate_answers with:
        input:
            tags=each("results/tagging/tags/{texts}.{tagger}.parquet", REPRESENTATION.units),
            captions=CONTEXT.captions("representation"),
        output:
            tables=["results/representation/tables/answers.csv"],
        log:
            "logs/tabulate_answers.log",
        params:
            **step("textparity_studies.representation.tables:tabulate_answers"),


if REPRESENTATION.corpus_units:

    use rule core_step as tabulate_tags with:
        input:
            tags=each("results/tagging/tags/{texts}.{tagger}.parquet", REPRESENTATION.corpus_units),
            captions=CONTEXT.captions("representation"),
        output:
            summary="results/representation/tags_summary.csv",
            tables=[
                *expand("results/representation/tables/published/tags.{ending}", ending=TABLE),
                *expand("results/representation/tables/corrected/tags.{ending}", ending=TABLE),
                *expand("results/representation/tables/epicene.{ending}", ending=TABLE),
            ],
        log:
            "logs/tabulate_tags.log",
        params:
            **step("textparity_studies.representation.tables:tabulate_tags"),
            **BOOTSTRAP,
            corpus_names=REGISTRY.corpus_names,


if REPRESENTATION.gold_units:

    use rule core_step as score_taggers with:
        input:
            gold=[REGISTRY.file_of(REGISTRY.gold[name]).path for name in REPRESENTATION.gold],
            answers=each("results/tagging/answers/{texts}.{tagger}.parquet", REPRESENTATION.gold_units),
            tags=each("results/tagging/tags/{texts}.{tagger}.parquet", REPRESENTATION.gold_units),
            captions=CONTEXT.captions("representation"),
        output:
            scores="results/representation/scores.csv",
            tables=[
                *expand("results/representation/tables/published/validation.{ending}", ending=TABLE),
                *expand("results/representation/tables/corrected/validation.{ending}", ending=TABLE),
                "results/representation/tables/confusion.csv",
                "results/representation/tables/hardest_words.csv",
            ],
        log:
            "logs/score_taggers.log",
        params:
            **step("textparity_studies.representation.scores:tabulate_scores"),
            **BOOTSTRAP,
            gold_names=REPRESENTATION.gold,


use rule core_step as build_representation_ledger with:
    input:
        **ledger_inputs("representation"),
        tables=made(
            "results/representation/polarity_summary.csv",
            "results/representation/tags_summary.csv",
            "results/representation/tables/epicene.csv",
            "results/representation/scores.csv",
            "results/representation/tables/published/validation.csv",
            "results/representation/tables/corrected/validation.csv",
        ),
    output:
        ledger="results/ledger/representation.csv",
        gaps="results/representation/not_run.csv",
    log:
        "logs/build_representation_ledger.log",
    params:
        **step("textparity_studies.report.comparison:build_ledger", "textparity_studies.representation.ledger"),
        study="representation",
        not_run=REPRESENTATION.not_run,
        withdrawn=CONTEXT.withdrawn,


rule representation:
    input:
        final_outputs("representation"),
        rules.build_representation_ledger.output.ledger,


if DRY_RUN:
    TAGGING.report_estimates(REPRESENTATION.units, recorded_answers(), logger.info)
