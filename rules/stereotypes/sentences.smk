"""The `stereotypes` study (Soundararajan 2023, §III): sentences that language models write with words of coded lexicons.

NEEDS  rows of resources/registry/coded_lexicons.tsv, prompts, rows of the language models table, the English person nouns
GIVES  results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet    per question: the answer
       results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv      sentences that pass every check
       results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv  every sentence, labelled as asked
       results/stereotypes/rejected/{coded_lexicon}.{generator}.set{number}.csv       what was rejected, and why
"""

STEREOTYPES = PLANS["stereotypes"]


wildcard_constraints:
    coded_lexicon=one_of([*REGISTRY.coded_lexicons, *STEREOTYPES.published_lexicons]),
    classifier=one_of(STEREOTYPES.classifier_rows),


# This rule runs on the submit host, because compute nodes are often offline and the server does the work. It checks the
# answers too, because the next questions depend on them.
rule ask_generator:
    input:
        unpack(lambda wildcards: STEREOTYPES.prompt_parts(STEREOTYPES.settings.prompt, "eng", wildcards.generator)),
        lexicon=lambda wildcards: STEREOTYPES.lexicon_file(wildcards.coded_lexicon),
        person_nouns=STEREOTYPES.person_nouns,
        recorded=recorded_answers(),
    output:
        answers=STEREOTYPES.answers,
    log:
        "logs/ask_generator/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=model_names(is_local=False),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity_studies.stereotypes.generation:ask_generator"),
        asking=lambda wildcards: CONTEXT.asking(wildcards.generator),
        wanted=lambda wildcards: STEREOTYPES.sentence_set(**wildcards),
    script:
        "../../scripts/step.py"


# Here the model's server is part of the job.
use rule ask_generator as ask_local_generator with:
    log:
        "logs/ask_local_generator/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_generator,


rule check_sentences:
    input:
        answers=STEREOTYPES.answers,
        lexicon=lambda wildcards: STEREOTYPES.lexicon_file(wildcards.coded_lexicon),
        person_nouns=STEREOTYPES.person_nouns,
        prompt=lambda wildcards: STEREOTYPES.prompt_parts(STEREOTYPES.settings.prompt, "eng", wildcards.generator)[
            "prompt"
        ],
    output:
        sentences=STEREOTYPES.sentences,
        all_sentences=STEREOTYPES.all_sentences,
        rejected=STEREOTYPES.rejected,
    log:
        "logs/check_sentences/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.generation:check_sentences"),
        name="{coded_lexicon}.{generator}.set{number}",
        form=lambda wildcards: STEREOTYPES.form(wildcards.coded_lexicon),
    script:
        "../../scripts/step.py"


# This reads the sets that the paper publishes, if the user has them.
rule read_published_sentences:
    input:
        source=STEREOTYPES.published_file,
    output:
        sentences=STEREOTYPES.sentences,
        all_sentences=STEREOTYPES.all_sentences,
    log:
        "logs/read_published_sentences/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator="published",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.sentences:read_published_sentences"),
        name="{coded_lexicon}.{generator}.set{number}",
    script:
        "../../scripts/step.py"


# `snakemake estimate` runs this: it estimates the maximum cost without asking.
use rule ask_generator as estimate_sentences with:
    output:
        estimate_csv=temp(STEREOTYPES.estimate),
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
