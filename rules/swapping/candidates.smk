"""The `swapping` study: candidates from language models, and their review (Nahurna 2025, §4.1.2, §4.1.3).

NEEDS  the corpus' documents and entities, a prompt, the word lists, rows of the language models table, people's reviews,
       the authors' reviews
GIVES  results/swapping/swapped/{swapper}/candidates.csv  document, line, original, swapped, names, entities, raw, repairs
       results/swapping/swapped/{system}/reviews.csv      people's decisions, checked; review_counts.csv beside it
       results/swapping/swapped/recorded/                 the authors' candidates and decisions in the same form
       results/swapping/swapped/recorded_reviewed/        the sentences that their reviewers left, as candidates
       results/swapping/outputs/{swapper}.csv             item, kind, input, reference, output, round_trip
"""

SWAP_ESTIMATE = "results/swapping/estimates/{part}.{swapper}.csv"


# Runs on the submit host, as compute nodes are often offline; the work is the server's.
rule ask_swapper:
    input:
        **CORPUS_ROWS,
        **SWAPPING_WORD_LISTS,
        prompt=lambda wildcards: swap_prompt(wildcards.swapper),
        recorded=recorded_answers(),
    output:
        answers="results/swapping/answers/{swapper}.parquet",
    log:
        "logs/ask_swapper/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=False),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity.studies.swapping.candidates.answers:ask_swapper"),
        procedure=SWAPPING.request,
        seed=CONFIG.seed,
        asking=lambda wildcards: CONTEXT.asking(wildcards.swapper),
    script:
        "../../scripts/step.py"


# The model's server is part of the job.
use rule ask_swapper as ask_local_swapper with:
    log:
        "logs/ask_local_swapper/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=True),
    threads: ALL_CORES


rule parse_swaps:
    input:
        answers="results/swapping/answers/{swapper}.parquet",
    output:
        candidates="results/swapping/swapped/{swapper}/candidates.csv",
    log:
        "logs/parse_swaps/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.candidates.candidates:parse_swaps"),
    script:
        "../../scripts/step.py"


rule ask_swapper_on_items:
    input:
        test_items="results/sources/ner_for_fem/data/csv_files_with_par_sentences/test_parallel_for_llm_df.csv",
        recorded=recorded_answers(),
    output:
        outputs="results/swapping/outputs/{swapper}.csv",
        answers="results/swapping/outputs/{swapper}.answers.csv",
    log:
        "logs/ask_swapper_on_items/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=False, besides=REGISTRY.swap_outputs),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity.studies.swapping.candidates.items:ask_swapper_on_items"),
        asking=lambda wildcards: CONTEXT.asking(wildcards.swapper),
    script:
        "../../scripts/step.py"


use rule ask_swapper_on_items as ask_local_swapper_on_items with:
    log:
        "logs/ask_local_swapper_on_items/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=True, besides=REGISTRY.swap_outputs),
    threads: ALL_CORES


localrules:
    ask_swapper,
    ask_swapper_on_items,


# People's decisions are an input where there are any; the file itself is written by the review page alone.
rule read_reviews:
    input:
        candidates=f"{SWAPPED_DIR}/candidates.csv",
        people=lambda wildcards: review_file(wildcards.system),
    output:
        reviews=f"{SWAPPED_DIR}/reviews.csv",
        counts=f"{SWAPPED_DIR}/review_counts.csv",
    log:
        "logs/read_reviews/{system}.log",
    wildcard_constraints:
        system=one_of(LANGUAGE_MODELS),
    localrule: True
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.candidates.reviews:read_reviews"),
        system="{system}",
        expected=lambda wildcards: SWAPPING.review_file.replace(
            "{system}", wildcards.system
        ),
    script:
        "../../scripts/step.py"


rule import_published_reviews:
    input:
        **CORPUS_ROWS,
        published=list(map(resource, SWAPPING.reviews)),
    output:
        candidates=f"{RECORDED_DIR}/candidates.csv",
        reviews=f"{RECORDED_DIR}/reviews.csv",
        reviewed_candidates=f"{REVIEWED_DIR}/candidates.csv",
        not_found=f"{RECORDED_DIR}/not_found.csv",
        counts=f"{RECORDED_DIR}/review_counts.csv",
    log:
        "logs/import_published_reviews.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.swapping.candidates.published_reviews:import_published_reviews"
        ),
        model="GPT-4o-mini, recorded",
    script:
        "../../scripts/step.py"


# What asking would take, without asking: `snakemake estimate`.
use rule ask_swapper as estimate_swapping with:
    output:
        estimate_csv=temp(SWAP_ESTIMATE.replace("{part}", "sentences")),
    log:
        "logs/estimate_swapping/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity.studies.swapping.candidates.answers:estimate_swapping",
        name=f"{SWAPPING.corpus}, sentences to swap",


use rule ask_swapper_on_items as estimate_swapping_items with:
    output:
        estimate_csv=temp(SWAP_ESTIMATE.replace("{part}", "items")),
    log:
        "logs/estimate_swapping_items/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity.studies.swapping.candidates.items:estimate_swapping_items",
        name="test items, there and back",


ESTIMATES += [
    *collect(rules.estimate_swapping.output, swapper=SWAPPERS),
    *collect(rules.estimate_swapping_items.output, swapper=EVALUATED_SWAPPERS),
]
STUDY_TARGETS["swapping"] += [
    *collect(rules.read_reviews.output, system=SWAPPERS),
    *collect(rules.ask_swapper_on_items.output, swapper=EVALUATED_SWAPPERS),
]
if DRY_RUN and (SWAPPERS or EVALUATED_SWAPPERS):
    logger.info(
        "swapping: `snakemake estimate` says what asking would take, and sends nothing"
    )
