"""The `propagation` study: sets of stories, published or written by a language model (Derner 2025, §5, App. E).

NEEDS  sets of stories (rows of resources/registry/story_sets.tsv), or prompts and a row of the language models table
GIVES  results/propagation/story_answers/{condition}.{lang}.{generator}.parquet  stories as a language model answered
       results/propagation/story_sets/{condition}/{lang}.parquet                 sentences of them, a corpus
       results/propagation/tables/story_sets.csv, story_set_overlap.csv
"""

PROPAGATION = PLANS["propagation"]


# This rule runs on the submit host, because compute nodes are often offline and the server does the work.
rule ask_story_generator:
    input:
        unpack(lambda wildcards: PROPAGATION.story_prompt(**wildcards)),
        recorded=recorded_answers(),
    output:
        answers=PROPAGATION.answers,
    log:
        "logs/ask_story_generator/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=model_names(is_local=False),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity_studies.propagation.story_sets:ask_story_generator"),
        name="{condition}.{lang}",
        asking=lambda wildcards: CONTEXT.asking(wildcards.generator),
        icu_locale=lambda wildcards: PROPAGATION.locale(wildcards.lang),
        sentences=PROPAGATION.settings.sentences,
    script:
        "../../scripts/step.py"


# Here the model's server is part of the job.
use rule ask_story_generator as ask_local_story_generator with:
    log:
        "logs/ask_local_story_generator/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_story_generator,


rule collect_story_sets:
    input:
        female_answers=PROPAGATION.answers_of("female"),
        male_answers=PROPAGATION.answers_of("male"),
    output:
        female=PROPAGATION.generated_set.format(condition="female", lang="{lang}"),
        male=PROPAGATION.generated_set.format(condition="male", lang="{lang}"),
        balanced=PROPAGATION.generated_set.format(condition="balanced", lang="{lang}"),
    log:
        "logs/collect_story_sets/{lang}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.story_sets:collect_story_sets"),
        lang="{lang}",
        icu_locale=lambda wildcards: PROPAGATION.locale(wildcards.lang),
        sentences=PROPAGATION.settings.sentences,
    script:
        "../../scripts/step.py"


# `snakemake estimate` runs this: it estimates the cost without asking.
use rule ask_story_generator as estimate_stories with:
    output:
        estimate_csv=temp(PROPAGATION.estimate),
    log:
        "logs/estimate_stories/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity_studies.propagation.story_sets:estimate_stories",
        name="stories_{condition}.{lang}",


rule tabulate_story_sets:
    input:
        **PROPAGATION.set_inputs(),
        captions=CONTEXT.captions("propagation"),
    output:
        tables=PROPAGATION.tables["sets"],
    log:
        "logs/tabulate_story_sets.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.story_sets:tabulate_story_sets"),
        **PROPAGATION.set_params(),
        **BOOTSTRAP,
    script:
        "../../scripts/step.py"
