"""The `swapping` study (Nahurna 2025): candidates from rules and language models, checked and reviewed (§4.1.2, §4.1.3).

NEEDS  the corpus' documents and entities, word lists, a prompt, rows of the language models table, people's reviews,
       the authors' reviews
GIVES  results/swapping/swapped/{system}/candidates.csv    document, line, original, swapped, names, entities, raw, repairs
       results/swapping/swapped/{system}/checks.csv        the automatic checks of each candidate
       results/swapping/swapped/{system}/reviews.csv       people's decisions, checked
       results/swapping/swapped/{system}/                  the corpus as rows and as BRAT files, left_out.csv
       results/swapping/swapped/rules/                     the same by rules; reviewed by the checks
       results/swapping/swapped/recorded/                  the authors' candidates and decisions in the same form
       results/swapping/swapped/recorded_reviewed/         the sentences that their reviewers left, as candidates
       results/swapping/outputs/rules.csv                  the test set's items, swapped and swapped back
"""

SWAPPING = PLANS["swapping"]


localrules:
    ask_swapper,


rule swap_by_rules:
    input:
        **SWAPPING.corpus,
        **SWAPPING.word_lists,
    output:
        candidates="results/swapping/swapped/rules/candidates.csv",
    log:
        "logs/swap_by_rules.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:swap_by_rules"),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule swap_test_items:
    input:
        **SWAPPING.word_lists,
        test_set=SWAPPING.test_set,
        parallel=SWAPPING.parallel_sentences,
        published_reviews=SWAPPING.published_reviews,
    output:
        outputs=SWAPPING.rule_outputs,
    log:
        "logs/swap_test_items.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:swap_test_items"),
        seed=CONFIG.seed,
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
        **step("textparity_studies.swapping.asking:ask_swapper"),
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


rule parse_swaps:
    input:
        answers="results/swapping/answers/{swapper}.parquet",
    output:
        candidates="results/swapping/swapped/{swapper}/candidates.csv",
    log:
        "logs/parse_swaps/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(SWAPPING.all_swappers),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.asking:parse_swaps"),
    script:
        "../../scripts/step.py"


rule check_candidates:
    input:
        **SWAPPING.corpus,
        **SWAPPING.word_lists,
        candidates="results/swapping/swapped/{system}/candidates.csv",
    output:
        checks="results/swapping/swapped/{system}/checks.csv",
    log:
        "logs/check_candidates/{system}.log",
    wildcard_constraints:
        system=one_of([*SWAPPING.all_swappers, "rules", "recorded", "recorded_reviewed"]),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:check_candidates"),
    script:
        "../../scripts/step.py"


# People do not review rule-based candidates: those that pass the required checks are accepted.
rule review_by_checks:
    input:
        candidates="results/swapping/swapped/rules/candidates.csv",
        checks="results/swapping/swapped/rules/checks.csv",
    output:
        reviews="results/swapping/swapped/rules/reviews.csv",
    log:
        "logs/review_by_checks.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:review_by_checks"),
        required=SWAPPING.settings.required_checks,
    script:
        "../../scripts/step.py"


# People's decisions are an input if there are any; no rule writes their file.
rule read_reviews:
    input:
        candidates="results/swapping/swapped/{system}/candidates.csv",
        people=lambda wildcards: SWAPPING.people(wildcards.system),
    output:
        reviews="results/swapping/swapped/{system}/reviews.csv",
    log:
        "logs/read_reviews/{system}.log",
    wildcard_constraints:
        system=one_of(SWAPPING.all_swappers),
    localrule: True
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:read_reviews"),
        system="{system}",
        expected=lambda wildcards: SWAPPING.review_file(wildcards.system),
    script:
        "../../scripts/step.py"


rule write_swapped_corpus:
    input:
        **SWAPPING.corpus,
        candidates="results/swapping/swapped/{system}/candidates.csv",
        reviews="results/swapping/swapped/{system}/reviews.csv",
    output:
        swapped_documents="results/swapping/swapped/{system}/documents.parquet",
        swapped_entities="results/swapping/swapped/{system}/entities.parquet",
        left_out="results/swapping/swapped/{system}/left_out.csv",
        folder=directory("results/swapping/swapped/{system}/brat"),
    log:
        "logs/write_swapped_corpus/{system}.log",
    wildcard_constraints:
        system=one_of([*SWAPPING.all_swappers, "rules"]),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:write_swapped_corpus"),
    script:
        "../../scripts/step.py"


rule import_reviews:
    input:
        **SWAPPING.corpus,
        published=SWAPPING.published_reviews,
    output:
        candidates="results/swapping/swapped/recorded/candidates.csv",
        reviews="results/swapping/swapped/recorded/reviews.csv",
        reviewed_candidates="results/swapping/swapped/recorded_reviewed/candidates.csv",
    log:
        "logs/import_reviews.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.swapped_corpora:import_reviews"),
    script:
        "../../scripts/step.py"


rule tabulate_checks:
    input:
        candidates=SWAPPING.swapped(["candidates.csv"], SWAPPING.checked_systems),
        checks=SWAPPING.swapped(["checks.csv"], SWAPPING.checked_systems),
        reviews=SWAPPING.swapped(["reviews.csv"], SWAPPING.reviewed_systems),
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["tabulate_checks"],
    log:
        "logs/tabulate_checks.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.output_tables:tabulate_checks"),
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
        step="textparity_studies.swapping.asking:estimate_swapping",
        name=f"{SWAPPING.settings.corpus}, sentences to swap",


if DRY_RUN and SWAPPING.estimates:
    logger.info("swapping: `snakemake estimate` shows the estimated cost, and sends nothing")
