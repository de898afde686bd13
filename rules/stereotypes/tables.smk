"""The `stereotypes` study (Soundararajan 2023): its tables, samples for annotators, and its ledger."""


# This is a rule of its own, because people fill in a sample and may make mistakes.
use rule core_step as export_sample with:
    input:
        sentences=expand(
            "results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv",
            number=range(1, CONFIG.stereotypes.sets + 1),
            allow_missing=True,
        ),
    output:
        sample="results/stereotypes/annotation/{coded_lexicon}.{generator}.sample.csv",
        key="results/stereotypes/annotation/{coded_lexicon}.{generator}.key.csv",
    log:
        "logs/export_sample/{coded_lexicon}.{generator}.log",
    params:
        **step("textparity_studies.stereotypes.sentences:export_sample"),
        name="{coded_lexicon}.{generator}",
        size=CONFIG.stereotypes.annotated_sentences,
        seed=CONFIG.seed,


use rule core_step as describe_coded_lexicons with:
    input:
        lexicons=[REGISTRY.file_of(REGISTRY.coded_lexicons[name]).path for name in STEREOTYPES.lexicons],
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=expand("results/stereotypes/tables/coded_lexicons.{ending}", ending=TABLE),
    log:
        "logs/describe_coded_lexicons.log",
    params:
        **step("textparity_studies.stereotypes.tables:describe_coded_lexicons"),
        names=STEREOTYPES.lexicons,
        forms=[REGISTRY.coded_lexicons[name].form for name in STEREOTYPES.lexicons],


if STEREOTYPES.sets:

    use rule core_step as tabulate_sentences with:
        input:
            answers=each(
                "results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet", STEREOTYPES.sets
            ),
            all_sentences=each(
                "results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv", STEREOTYPES.sets
            ),
            rejected=each("results/stereotypes/rejected/{coded_lexicon}.{generator}.set{number}.csv", STEREOTYPES.sets),
            captions=CONTEXT.captions("stereotypes"),
        output:
            tables=[
                *expand("results/stereotypes/tables/sentences.{ending}", ending=TABLE),
                "results/stereotypes/tables/rejections.csv",
                "results/stereotypes/tables/tries.csv",
                "results/stereotypes/tables/examples.csv",
            ],
        log:
            "logs/tabulate_sentences.log",
        params:
            **step("textparity_studies.stereotypes.tables:tabulate_sentences"),
            sets=[tuple(unit) for unit in STEREOTYPES.sets],
            seed=CONFIG.seed,


if STEREOTYPES.annotations:

    use rule core_step as measure_agreement with:
        input:
            sample_keys=each("results/stereotypes/annotation/{coded_lexicon}.{generator}.key.csv", STEREOTYPES.datasets),
            annotations=STEREOTYPES.annotations,
            captions=CONTEXT.captions("stereotypes"),
        output:
            tables=[
                "results/stereotypes/tables/agreement.csv",
                "results/stereotypes/tables/agreement_levels.csv",
                "results/stereotypes/annotation/agreement_sentences.csv",
            ],
        log:
            "logs/measure_agreement.log",
        params:
            **step("textparity_studies.stereotypes.tables:measure_agreement"),
            names=each("{coded_lexicon}.{generator}", STEREOTYPES.datasets),


if STEREOTYPES.classified:

    use rule core_step as tabulate_classification with:
        input:
            predictions=each(
                "results/stereotypes/predictions/{coded_lexicon}.{generator}.set{number}.{procedure}.{classifier}.csv",
                STEREOTYPES.classified,
            ),
            captions=CONTEXT.captions("stereotypes"),
        output:
            tables=[
                *expand("results/stereotypes/tables/classification.{ending}", ending=TABLE),
                "results/stereotypes/tables/classification_by_set.csv",
            ],
        log:
            "logs/tabulate_classification.log",
        params:
            **step("textparity_studies.stereotypes.tables:tabulate_classification"),
            **BOOTSTRAP,
            classified=[tuple(unit) for unit in STEREOTYPES.classified],


if STEREOTYPES.reads_pairs:

    use rule core_step as tabulate_human_text with:
        input:
            pairs=CONTEXT.source_file(CONFIG.stereotypes.stereotype_pairs).path,
            person_nouns=REGISTRY.lexicon_file(CONFIG.person_nouns, "eng").path,
            polarity_words=resource(CONFIG.tagging.polarity_words),
            predictions=each(
                "results/stereotypes/human_text/{learnt_from}.{classifier}.csv", STEREOTYPES.human_experiments
            ),
            captions=CONTEXT.captions("stereotypes"),
        output:
            tables=[
                *expand("results/stereotypes/tables/human_text.{ending}", ending=TABLE),
                "results/stereotypes/human_text/sentences.csv",
            ],
        log:
            "logs/tabulate_human_text.log",
        params:
            **step("textparity_studies.stereotypes.tables:tabulate_human_text"),
            **BOOTSTRAP,
            experiments=[(unit.trained_on, unit.classifier) for unit in STEREOTYPES.human_experiments],


if STEREOTYPES.published_sets:

    use rule core_step as count_published_sentences with:
        input:
            sentences=each(
                "results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv", STEREOTYPES.published_sets
            ),
            captions=CONTEXT.captions("stereotypes"),
        output:
            tables=["results/stereotypes/tables/published_sentences.csv"],
        log:
            "logs/count_published_sentences.log",
        params:
            **step("textparity_studies.stereotypes.tables:count_published_sentences"),
            sets=[tuple(unit) for unit in STEREOTYPES.published_sets],


use rule core_step as build_stereotypes_ledger with:
    input:
        **ledger_inputs("stereotypes"),
        tables=made(
            "results/stereotypes/tables/coded_lexicons.csv",
            "results/stereotypes/tables/sentences.csv",
            "results/stereotypes/tables/agreement.csv",
            "results/stereotypes/tables/classification.csv",
            "results/stereotypes/tables/published_sentences.csv",
        ),
    output:
        ledger="results/ledger/stereotypes.csv",
        gaps="results/stereotypes/not_run.csv",
    log:
        "logs/build_stereotypes_ledger.log",
    params:
        **step("textparity_studies.report.comparison:build_ledger"),
        study="stereotypes",
        not_run=STEREOTYPES.not_run,
        withdrawn=CONTEXT.withdrawn,


rule stereotypes:
    input:
        final_outputs("stereotypes"),
        each("results/stereotypes/annotation/{coded_lexicon}.{generator}.sample.csv", STEREOTYPES.datasets),
        each("results/stereotypes/annotation/{coded_lexicon}.{generator}.key.csv", STEREOTYPES.datasets),
        rules.build_stereotypes_ledger.output,
        each("results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv", STEREOTYPES.sets),
