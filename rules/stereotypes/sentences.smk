"""The `stereotypes` study (Soundararajan 2023): sentences about women and men with words of coded lexicons.

Language models write them in sets (§III), the paper publishes some, and people wrote the pairs of CrowS-Pairs.
Classifiers learn whether a sentence is a stereotype or its opposite (§IV).
"""

from textparity_studies.stereotypes.classifiers import missing_classifier

STEREOTYPES = PLANS["stereotypes"]

ESTIMATES += each("results/stereotypes/estimates/{coded_lexicon}.{generator}.set{number}.csv", STEREOTYPES.sets)


wildcard_constraints:
    coded_lexicon=one_of([*REGISTRY.coded_lexicons, *(unit.coded_lexicon for unit in STEREOTYPES.published_files)]),
    classifier=one_of(STEREOTYPES.classifier_rows),
    learnt_from=one_of(STEREOTYPES.training_sets),


# This rule runs on the submit host, because compute nodes are often offline and the server does the work. It checks the
# answers too, because the next questions depend on them.
use rule ml_step as ask_generator with:
    input:
        unpack(lambda wildcards: STEREOTYPES.prompt(wildcards.generator)),
        lexicon=lambda wildcards: REGISTRY.file_of(REGISTRY.coded_lexicons[wildcards.coded_lexicon]).path,
        person_nouns=lambda wildcards: REGISTRY.lexicon_file(CONFIG.person_nouns, "eng").path,
        recorded=recorded_answers(),
    output:
        answers="results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet",
    log:
        "logs/ask_generator/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=model_names(is_local=False),
    resources:
        language_models=1,
    params:
        **step("textparity_studies.stereotypes.generation:ask_generator"),
        asking=lambda wildcards: CONTEXT.asking(wildcards.generator),
        wanted=lambda wildcards: {
            "form": REGISTRY.coded_lexicons[wildcards.coded_lexicon].form,
            "number": int(wildcards.number),
            "max_attempts": CONFIG.stereotypes.max_attempts,
        },


# Here the model's server is part of the job.
use rule ask_generator as ask_local_generator with:
    log:
        "logs/ask_local_generator/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_generator,


# `snakemake estimate` runs this: it estimates the maximum cost without asking.
use rule ask_generator as estimate_sentences with:
    output:
        estimate_csv=temp("results/stereotypes/estimates/{coded_lexicon}.{generator}.set{number}.csv"),
    log:
        "logs/estimate_sentences/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity_studies.stereotypes.generation:estimate_sentences",
        name="{coded_lexicon}.set{number}",


# `sentences` pass every check; `all_sentences` are labelled as asked, with the reasons to reject them.
use rule core_step as check_sentences with:
    input:
        answers="results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet",
        lexicon=lambda wildcards: REGISTRY.file_of(REGISTRY.coded_lexicons[wildcards.coded_lexicon]).path,
        person_nouns=lambda wildcards: REGISTRY.lexicon_file(CONFIG.person_nouns, "eng").path,
        prompt=lambda wildcards: STEREOTYPES.prompt(wildcards.generator)["prompt"],
    output:
        sentences="results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv",
        all_sentences="results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv",
        rejected="results/stereotypes/rejected/{coded_lexicon}.{generator}.set{number}.csv",
    log:
        "logs/check_sentences/{coded_lexicon}.{generator}.set{number}.log",
    params:
        **step("textparity_studies.stereotypes.generation:check_sentences"),
        name="{coded_lexicon}.{generator}.set{number}",
        form=lambda wildcards: REGISTRY.coded_lexicons[wildcards.coded_lexicon].form,


# This reads the sets that the paper publishes, if the user has them.
use rule core_step as read_published_sentences with:
    input:
        source=lambda wildcards: STEREOTYPES.published_files[
            wildcards.coded_lexicon, "published", int(wildcards.number)
        ],
    output:
        sentences="results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv",
        all_sentences="results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv",
    log:
        "logs/read_published_sentences/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator="published",
    params:
        **step("textparity_studies.stereotypes.sentences:read_published_sentences"),
        name="{coded_lexicon}.{generator}.set{number}",


use rule ml_step as classify_sentences with:
    input:
        sentences="results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv",
        all_sentences="results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv",
    output:
        published="results/stereotypes/predictions/{coded_lexicon}.{generator}.set{number}.published.{classifier}.csv",
        corrected="results/stereotypes/predictions/{coded_lexicon}.{generator}.set{number}.corrected.{classifier}.csv",
        published_folds="results/stereotypes/predictions/{coded_lexicon}.{generator}.set{number}.published.{classifier}.folds.csv",
        corrected_folds="results/stereotypes/predictions/{coded_lexicon}.{generator}.set{number}.corrected.{classifier}.folds.csv",
    log:
        "logs/classify_sentences/{coded_lexicon}.{generator}.set{number}.{classifier}.log",
    wildcard_constraints:
        generator=one_of(["published", *LANGUAGE_MODELS]),
    params:
        **step("textparity_studies.stereotypes.classification:classify_sentences"),
        classifier=lambda wildcards: vars(STEREOTYPES.classifier_rows[wildcards.classifier]),
        name="{coded_lexicon}.{generator}.set{number}",
        seed=CONFIG.seed,


NEEDS["classify_sentences"] = lambda wildcards: missing_classifier(STEREOTYPES.classifier_rows[wildcards.classifier])


# The training data are a generator's sentences, or the other folds of the human-written sentences.
if STEREOTYPES.reads_pairs:

    use rule ml_step as classify_human_text with:
        input:
            pairs=CONTEXT.source_file(CONFIG.stereotypes.stereotype_pairs).path,
            person_nouns=REGISTRY.lexicon_file(CONFIG.person_nouns, "eng").path,
            polarity_words=resource(CONFIG.tagging.polarity_words),
            sentences=lambda wildcards: each(
                "results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv",
                STEREOTYPES.training_sets[wildcards.learnt_from],
            ),
        output:
            predictions="results/stereotypes/human_text/{learnt_from}.{classifier}.csv",
            folds="results/stereotypes/human_text/{learnt_from}.{classifier}.folds.csv",
        log:
            "logs/classify_human_text/{learnt_from}.{classifier}.log",
        params:
            **step("textparity_studies.stereotypes.classification:classify_human_text"),
            classifier=lambda wildcards: vars(STEREOTYPES.classifier_rows[wildcards.classifier]),
            name=lambda wildcards: wildcards.learnt_from.removeprefix("from."),
            seed=CONFIG.seed,

    NEEDS["classify_human_text"] = NEEDS["classify_sentences"]
