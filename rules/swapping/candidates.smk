"""The `swapping` study (Nahurna 2025): candidates from rules and language models, checked and reviewed (§4.1.2, §4.1.3).

NEEDS  the corpus' documents and entities, word lists, a prompt, rows of the language models table, people's reviews,
       the authors' reviews
GIVES  results/swapping/swapped/{system}/candidates.csv    document, line, original, swapped, names, entities, raw, repairs
       results/swapping/swapped/{system}/checks.csv        the automatic checks of each candidate
       results/swapping/swapped/{system}/reviews.csv       people's decisions, checked; review_counts.csv beside it
       results/swapping/swapped/{system}/                  the corpus as rows and as BRAT files, left_out.csv
       results/swapping/swapped/rules/                     the same by rules; reviewed by the checks
       results/swapping/swapped/recorded/                  the authors' candidates and decisions in the same form
       results/swapping/swapped/recorded_reviewed/         the sentences that their reviewers left, as candidates
       results/swapping/outputs/rules.csv                  the test set's items, swapped and swapped back
"""

SWAPPING = PLANS["swapping"]


localrules:
    ask_swapper,


# People do not review rule-based candidates: those that pass the required checks are accepted.
rule swap_by_rules:
    input:
        **SWAPPING.corpus,
        **SWAPPING.word_lists,
        test_set=SWAPPING.test_set,
        parallel=SWAPPING.parallel_sentences,
        published_reviews=SWAPPING.published_reviews,
    output:
        **SWAPPING.rule_outputs,
        candidates="results/swapping/swapped/rules/candidates.csv",
        checks="results/swapping/swapped/rules/checks.csv",
        reviews="results/swapping/swapped/rules/reviews.csv",
        swapped_documents="results/swapping/swapped/rules/documents.parquet",
        swapped_entities="results/swapping/swapped/rules/entities.parquet",
        left_out="results/swapping/swapped/rules/left_out.csv",
        folder=directory("results/swapping/swapped/rules/brat"),
    log:
        "logs/swap_by_rules.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.candidates.rule_outputs:swap_by_rules"),
        seed=CONFIG.seed,
        required=SWAPPING.settings.required_checks,
    script:
        "../../scripts/step.py"


# This rule runs on the submit host, because compute nodes are often offline and the server does the work.
rule ask_swapper:
    input:
        **SWAPPING.corpus,
        **SWAPPING.word_lists,
        prompt=lambda wildcards: SWAPPING.prompt(wildcards.swapper),
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
        **step("textparity_studies.swapping.candidates.asking:ask_swapper"),
        procedure=SWAPPING.settings.request,
        seed=CONFIG.seed,
        asking=lambda wildcards: CONTEXT.asking(wildcards.swapper),
    script:
        "../../scripts/step.py"


# Here the model's server is part of the job.
use rule ask_swapper as ask_local_swapper with:
    log:
        "logs/ask_local_swapper/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=True),
    threads: ALL_CORES


rule make_candidates:
    input:
        **SWAPPING.corpus,
        **SWAPPING.word_lists,
        answers="results/swapping/answers/{swapper}.parquet",
    output:
        candidates="results/swapping/swapped/{swapper}/candidates.csv",
        checks="results/swapping/swapped/{swapper}/checks.csv",
    log:
        "logs/make_candidates/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(SWAPPING.all_swappers),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.candidates.swapped_corpora:make_candidates"),
    script:
        "../../scripts/step.py"


# People's decisions are an input if there are any; only the review page writes their file.
rule apply_reviews:
    input:
        **SWAPPING.corpus,
        candidates="results/swapping/swapped/{system}/candidates.csv",
        people=lambda wildcards: SWAPPING.people(wildcards.system),
    output:
        reviews="results/swapping/swapped/{system}/reviews.csv",
        counts="results/swapping/swapped/{system}/review_counts.csv",
        swapped_documents="results/swapping/swapped/{system}/documents.parquet",
        swapped_entities="results/swapping/swapped/{system}/entities.parquet",
        left_out="results/swapping/swapped/{system}/left_out.csv",
        folder=directory("results/swapping/swapped/{system}/brat"),
    log:
        "logs/apply_reviews/{system}.log",
    wildcard_constraints:
        system=one_of(SWAPPING.all_swappers),
    localrule: True
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.candidates.swapped_corpora:apply_reviews"),
        system="{system}",
        expected=lambda wildcards: SWAPPING.review_file(wildcards.system),
    script:
        "../../scripts/step.py"


rule import_reviews:
    input:
        **SWAPPING.corpus,
        **SWAPPING.word_lists,
        published=SWAPPING.published_reviews,
    output:
        candidates="results/swapping/swapped/recorded/candidates.csv",
        checks="results/swapping/swapped/recorded/checks.csv",
        reviews="results/swapping/swapped/recorded/reviews.csv",
        reviewed_candidates="results/swapping/swapped/recorded_reviewed/candidates.csv",
        reviewed_checks="results/swapping/swapped/recorded_reviewed/checks.csv",
        not_found="results/swapping/swapped/recorded/not_found.csv",
        counts="results/swapping/swapped/recorded/review_counts.csv",
    log:
        "logs/import_reviews.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.candidates.swapped_corpora:import_reviews"),
        model="GPT-4o-mini, recorded",
    script:
        "../../scripts/step.py"


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
        step="textparity_studies.swapping.candidates.asking:estimate_swapping",
        name=f"{SWAPPING.settings.corpus}, sentences to swap",


if DRY_RUN and SWAPPING.estimates:
    logger.info(
        "swapping: `snakemake estimate` says what asking would take, and sends nothing"
    )
