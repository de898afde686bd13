"""Words of each gender in texts of any study: by lists, and as a language model tags them (Derner 2025, §3)."""

from textparity_studies.workflow.plans import TaggingPlan

TAGGING = TaggingPlan(CONTEXT)


use rule core_step as count_polarity with:
    input:
        texts="results/{texts}.parquet",
        words=resource(CONFIG.tagging.polarity_words),
    output:
        counts="results/polarity/{texts}.parquet",
    log:
        "logs/count_polarity/{texts}.log",
    params:
        **step("textparity_studies.measures.gender_ratios:count_polarity"),
        name="{texts}",


# This rule runs on the submit host, because compute nodes are often offline and the server does the work.
use rule ml_step as ask_tagger with:
    input:
        unpack(lambda wildcards: TAGGING.prompt(wildcards.texts, wildcards.tagger)),
        texts="results/{texts}.parquet",
        recorded=recorded_answers(),
    output:
        answers="results/tagging/answers/{texts}.{tagger}.parquet",
    log:
        "logs/ask_tagger/{texts}.{tagger}.log",
    wildcard_constraints:
        tagger=model_names(is_local=False),
    resources:
        language_models=1,
    params:
        **step("textparity_studies.llm.answering:ask_tagger"),
        asking=lambda wildcards: CONTEXT.asking(wildcards.tagger),
        runs=lambda wildcards: TAGGING.runs(wildcards.texts),


# Here the model's server is part of the job.
use rule ask_tagger as ask_local_tagger with:
    log:
        "logs/ask_local_tagger/{texts}.{tagger}.log",
    wildcard_constraints:
        tagger=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_tagger,


use rule core_step as parse_answers with:
    input:
        skip_list=lambda wildcards: TAGGING.skip_list(wildcards.texts, wildcards.tagger),
        answers="results/tagging/answers/{texts}.{tagger}.parquet",
        epicene_words=resource(CONFIG.tagging.epicene_words),
    output:
        tags="results/tagging/tags/{texts}.{tagger}.parquet",
        problems="results/tagging/problems/{texts}.{tagger}.csv",
    log:
        "logs/parse_answers/{texts}.{tagger}.log",
    params:
        **step("textparity_studies.measures.tag_counts:parse_answers"),
        name="{texts}",
        lang=lambda wildcards: TAGGING.lang(wildcards.texts),


# `snakemake estimate` runs this: it estimates the cost without asking.
use rule ask_tagger as estimate_tagging with:
    output:
        estimate_csv=temp("results/tagging/estimates/{texts}.{tagger}.csv"),
    log:
        "logs/estimate_tagging/{texts}.{tagger}.log",
    wildcard_constraints:
        tagger=one_of(LANGUAGE_MODELS),
    conda:
        "../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity_studies.llm.answering:estimate_tagging",
        name="{texts}",
