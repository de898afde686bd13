"""The `stereotypes` study (Soundararajan 2023): coded lexicons, generated sentences, and telling stereotypes from them.

NEEDS  rows of resources/registry/coded_lexicons.tsv, prompts, rows of the language models table, the English person nouns
GIVES  results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet    per question: the answer
       results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv      sentences that pass every check
       results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv  every sentence, labelled as asked
       results/stereotypes/rejected/{coded_lexicon}.{generator}.set{number}.csv       what was rejected, and why
       results/stereotypes/tables/
"""

STEREOTYPES_ON = "stereotypes" in CONFIG.studies
CODED_LEXICONS = select_coded_lexicons(REGISTRY, CONFIG)
GENERATORS = select_generators(REGISTRY, CONFIG, LANGUAGE_MODELS)
# Lexicon, generator, number of the set.
GENERATED = [
    (row.lexicon, generator, number)
    for row in CODED_LEXICONS
    for generator in GENERATORS
    for number in range(1, STEREOTYPES.sets + 1)
]
GENERATED_SET = "{}.{}.set{}"


rule measure_coded_lexicons:
    input:
        lexicons=[
            REGISTRY.coded_lexicon_file(row.lexicon).path for row in CODED_LEXICONS
        ],
    output:
        table_csv="results/stereotypes/tables/coded_lexicons.csv",
        table_latex="results/stereotypes/tables/coded_lexicons.tex",
    log:
        "logs/measure_coded_lexicons.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.coded_lexicons:measure_coded_lexicons"),
        names=[row.lexicon for row in CODED_LEXICONS],
        forms=[row.form for row in CODED_LEXICONS],
    script:
        "../../scripts/step.py"


# Runs on the submit host, as compute nodes are often offline; the work is the server's.
rule ask_generator:
    input:
        unpack(lambda wildcards: sentence_prompt(wildcards.generator)),
        lexicon=lambda wildcards: REGISTRY.coded_lexicon_file(
            wildcards.coded_lexicon
        ).path,
        person_nouns=english_person_nouns,
        recorded=recorded_answers(),
    output:
        answers="results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet",
    log:
        "logs/ask_generator/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=model_names(is_local=False),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity.studies.stereotypes.generation:ask_generator"),
        form=lambda wildcards: REGISTRY.coded_lexicons[wildcards.coded_lexicon].form,
        asking=lambda wildcards: CONTEXT.asking(wildcards.generator),
        number=lambda wildcards: int(wildcards.number),
        max_attempts=STEREOTYPES.tries,
    script:
        "../../scripts/step.py"


# The model's server is part of the job.
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
        answers="results/stereotypes/answers/{coded_lexicon}.{generator}.set{number}.parquet",
        lexicon=lambda wildcards: REGISTRY.coded_lexicon_file(
            wildcards.coded_lexicon
        ).path,
        person_nouns=english_person_nouns,
        prompt=lambda wildcards: sentence_prompt(wildcards.generator)["prompt"],
    output:
        sentences="results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv",
        all_sentences="results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv",
        rejected="results/stereotypes/rejected/{coded_lexicon}.{generator}.set{number}.csv",
    log:
        "logs/check_sentences/{coded_lexicon}.{generator}.set{number}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.checked_sentences:check_sentences"),
        name="{coded_lexicon}.{generator}.set{number}",
        form=lambda wildcards: REGISTRY.coded_lexicons[wildcards.coded_lexicon].form,
    script:
        "../../scripts/step.py"


rule tabulate_sentences:
    input:
        answers=[
            f"results/stereotypes/answers/{GENERATED_SET.format(*unit)}.parquet"
            for unit in GENERATED
        ],
        all_sentences=[
            f"results/stereotypes/all_sentences/{GENERATED_SET.format(*unit)}.csv"
            for unit in GENERATED
        ],
        rejected=[
            f"results/stereotypes/rejected/{GENERATED_SET.format(*unit)}.csv"
            for unit in GENERATED
        ],
    output:
        table_csv="results/stereotypes/tables/sentences.csv",
        table_latex="results/stereotypes/tables/sentences.tex",
        rejections_csv="results/stereotypes/tables/rejections.csv",
        tries_csv="results/stereotypes/tables/tries.csv",
        examples_csv="results/stereotypes/tables/examples.csv",
    log:
        "logs/tabulate_sentences.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.tables:tabulate_sentences"),
        units=[list(unit) for unit in GENERATED],
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


# What asking would take at most, without asking: `snakemake estimate`.
use rule ask_generator as estimate_sentences with:
    output:
        estimate_csv=temp(
            "results/stereotypes/estimates/{coded_lexicon}.{generator}.set{number}.csv"
        ),
    log:
        "logs/estimate_sentences/{coded_lexicon}.{generator}.set{number}.log",
    wildcard_constraints:
        generator=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity.studies.stereotypes.generation:estimate_sentences",
        name="{coded_lexicon}.set{number}",


rule tabulate_published_gaps:
    input:
        published=resource("resources/stereotypes/published.csv"),
    output:
        gaps_csv="results/stereotypes/tables/published_gaps.csv",
        spreads_csv="results/stereotypes/tables/published_spreads.csv",
        detectable_csv="results/stereotypes/tables/detectable_gaps.csv",
    log:
        "logs/tabulate_published_gaps.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.published_gaps:tabulate_published_gaps"),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


ESTIMATES += [
    f"results/stereotypes/estimates/{GENERATED_SET.format(*unit)}.csv"
    for unit in GENERATED
]
STUDY_TARGETS["stereotypes"] = (
    [
        *rules.measure_coded_lexicons.output,
        *rules.tabulate_published_gaps.output,
        "results/stereotypes/not_run.csv",
    ]
    if STEREOTYPES_ON
    else []
)
if GENERATED:
    STUDY_TARGETS["stereotypes"] += [
        *rules.tabulate_sentences.output,
        *(
            f"results/stereotypes/sentences/{GENERATED_SET.format(*unit)}.csv"
            for unit in GENERATED
        ),
    ]
