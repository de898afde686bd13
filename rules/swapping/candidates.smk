"""The `swapping` study (Nahurna 2025), §4.1.2–4.1.4: rules and models propose a swapped form of a corpus' sentences.

Language models are asked with a prompt. Sequence-to-sequence models, of which one is first fine-tuned on parallel
sentences, are loaded here.
"""

SWAPPING = PLANS["swapping"]
SWAP_CORPUS = {
    "documents": f"results/swapping/{SWAPPING.settings.corpus}/documents.parquet",
    "entities": f"results/swapping/{SWAPPING.settings.corpus}/entities.parquet",
}
# The corpus, and its swapped sentences.
SWAP_CORPORA = {
    "documents": expand("results/swapping/{annotated}/documents.parquet", annotated=SWAPPING.annotated),
    "entities": expand("results/swapping/{annotated}/entities.parquet", annotated=SWAPPING.annotated),
}
SWAP_LISTS = {name: resource(path) for name, path in SWAPPING.settings.word_lists.model_dump().items()}
# Empty if there is none.
SWAP_TEST_SET = resource(SWAPPING.settings.test_set) if SWAPPING.settings.test_set else []
SWAP_REVIEWS = list(map(resource, SWAPPING.settings.reviews))
PARALLEL_SENTENCES = list(map(resource, SWAPPING.settings.parallel_sentences))

ESTIMATES += each("results/swapping/estimates/{part}.{swapper}.csv", SWAPPING.asked)


wildcard_constraints:
    swapper=one_of([*LANGUAGE_MODELS, *SWAPPING.sequence_models]),
    sequence_model=one_of(SWAPPING.sequence_models),


localrules:
    ask_swapper,
    ask_swapper_on_items,


use rule core_step as swap_by_rules with:
    input:
        **SWAP_CORPUS,
        **SWAP_LISTS,
    output:
        candidates="results/swapping/swapped/rules/candidates.csv",
    log:
        "logs/swap_by_rules.log",
    params:
        **step("textparity_studies.swapping.swapped_corpora:swap_by_rules"),
        seed=CONFIG.seed,


# This rule runs on the submit host, because compute nodes are often offline and the server does the work.
use rule ml_step as ask_swapper with:
    input:
        **SWAP_CORPUS,
        **SWAP_LISTS,
        prompt=lambda wildcards: SWAPPING.prompt_parts(SWAPPING.settings.prompt, "ukr", wildcards.swapper)["prompt"],
        recorded=recorded_answers(),
    output:
        answers="results/swapping/answers/{swapper}.parquet",
    log:
        "logs/ask_swapper/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=False),
    resources:
        language_models=1,
    params:
        **step("textparity_studies.swapping.asking:ask_swapper"),
        procedure=SWAPPING.settings.request,
        seed=CONFIG.seed,
        asking=lambda wildcards: CONTEXT.asking(wildcards.swapper),


# Here the model's server is part of the job.
use rule ask_swapper as ask_local_swapper with:
    log:
        "logs/ask_local_swapper/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=True),
    threads: ALL_CORES


# `snakemake estimate` runs this: it estimates the cost without asking.
use rule ask_swapper as estimate_swapping with:
    output:
        estimate_csv=temp("results/swapping/estimates/sentences.{swapper}.csv"),
    log:
        "logs/estimate_swapping/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity_studies.swapping.asking:estimate_swapping",
        name=f"{SWAPPING.settings.corpus}, sentences to swap",


use rule ml_step as train_swapper with:
    input:
        pairs="results/sources/ner_for_fem/data/csv_files_with_par_sentences/train_parallel_for_llm_df.csv",
    output:
        adapters=directory("results/swapping/adapters/{sequence_model}"),
        training_log="results/swapping/adapters/{sequence_model}.csv",
    log:
        "logs/train_swapper/{sequence_model}.log",
    params:
        **step("textparity_studies.swapping.asking:train_swapper"),
        # This is not an output, because it exists only during a training, and must survive a kill.
        state="results/swapping/adapters/{sequence_model}.state",
        row=lambda wildcards: vars(SWAPPING.sequence_models[wildcards.sequence_model]),
        seed=CONFIG.seed,


use rule ml_step as swap_sentences with:
    input:
        **SWAP_CORPUS,
        adapters=branch(
            lambda wildcards: SWAPPING.sequence_models[wildcards.sequence_model].is_trained,
            then="results/swapping/adapters/{sequence_model}",
        ),
    output:
        answers="results/swapping/answers/{sequence_model}.parquet",
    log:
        "logs/swap_sentences/{sequence_model}.log",
    params:
        **step("textparity_studies.swapping.asking:swap_sentences"),
        row=lambda wildcards: vars(SWAPPING.sequence_models[wildcards.sequence_model]),
        procedure=SWAPPING.settings.request,
        seed=CONFIG.seed,


# swap_items is in scores.smk.
for name in ("train_swapper", "swap_sentences", "swap_items"):
    NEEDS[name] = lambda wildcards: SWAPPING.unavailable_models.get(wildcards.sequence_model, "")


use rule core_step as parse_swaps with:
    input:
        answers="results/swapping/answers/{swapper}.parquet",
    output:
        candidates="results/swapping/swapped/{swapper}/candidates.csv",
    log:
        "logs/parse_swaps/{swapper}.log",
    params:
        **step("textparity_studies.swapping.asking:parse_swaps"),


if DRY_RUN and SWAPPING.asked:
    logger.info("swapping: `snakemake estimate` shows the estimated cost, and sends nothing")
