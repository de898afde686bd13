"""The `swapping` study (Nahurna 2025), §4.1.3: candidates are checked and reviewed, and make a swapped corpus.

People review the candidates of models. The checks review those of the rules. The authors' candidates and decisions
(`recorded`), and the sentences that their reviewers left (`recorded_reviewed`), are written in the same form.
"""


use rule core_step as check_candidates with:
    input:
        **SWAP_CORPUS,
        **SWAP_LISTS,
        candidates="results/swapping/swapped/{system}/candidates.csv",
    output:
        checks="results/swapping/swapped/{system}/checks.csv",
    log:
        "logs/check_candidates/{system}.log",
    wildcard_constraints:
        system=one_of([*LANGUAGE_MODELS, *SWAPPING.sequence_models, "rules", "recorded", "recorded_reviewed"]),
    params:
        **step("textparity_studies.swapping.swapped_corpora:check_candidates"),


# People do not review rule-based candidates: those that pass the required checks are accepted.
use rule core_step as review_by_checks with:
    input:
        candidates="results/swapping/swapped/rules/candidates.csv",
        checks="results/swapping/swapped/rules/checks.csv",
    output:
        reviews="results/swapping/swapped/rules/reviews.csv",
    log:
        "logs/review_by_checks.log",
    params:
        **step("textparity_studies.swapping.swapped_corpora:review_by_checks"),
        required=SWAPPING.settings.required_checks,


# People's decisions are an input if there are any; no rule writes their file.
use rule core_step as read_reviews with:
    input:
        candidates="results/swapping/swapped/{system}/candidates.csv",
        people=lambda wildcards: SWAPPING.people(wildcards.system),
    output:
        reviews="results/swapping/swapped/{system}/reviews.csv",
    log:
        "logs/read_reviews/{system}.log",
    wildcard_constraints:
        system=one_of([*LANGUAGE_MODELS, *SWAPPING.sequence_models]),
    localrule: True
    params:
        **step("textparity_studies.swapping.swapped_corpora:read_reviews"),
        system="{system}",
        expected=SWAPPING.settings.review_file,


use rule core_step as write_swapped_corpus with:
    input:
        **SWAP_CORPUS,
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
        system=one_of([*LANGUAGE_MODELS, *SWAPPING.sequence_models, "rules"]),
    params:
        **step("textparity_studies.swapping.swapped_corpora:write_swapped_corpus"),


if SWAP_REVIEWS:

    use rule core_step as import_reviews with:
        input:
            **SWAP_CORPUS,
            published_reviews=SWAP_REVIEWS,
        output:
            candidates="results/swapping/swapped/recorded/candidates.csv",
            reviews="results/swapping/swapped/recorded/reviews.csv",
            reviewed_candidates="results/swapping/swapped/recorded_reviewed/candidates.csv",
        log:
            "logs/import_reviews.log",
        params:
            **step("textparity_studies.swapping.swapped_corpora:import_reviews"),


if SWAPPING.runs:

    use rule core_step as tabulate_checks with:
        input:
            candidates=expand("results/swapping/swapped/{system}/candidates.csv", system=SWAPPING.checked_systems),
            checks=expand("results/swapping/swapped/{system}/checks.csv", system=SWAPPING.checked_systems),
            reviews=expand("results/swapping/swapped/{system}/reviews.csv", system=SWAPPING.reviewed_systems),
            captions=CONTEXT.captions("swapping"),
        output:
            tables=[
                *expand("results/swapping/tables/checks.{ending}", ending=TABLE),
                *expand("results/swapping/tables/check_prediction.{ending}", ending=TABLE),
            ],
        log:
            "logs/tabulate_checks.log",
        params:
            **step("textparity_studies.swapping.output_tables:tabulate_checks"),


# If the corpus is swapped here, there are no published sentences to compare.
if SWAPPING.runs and SWAPPING.settings.swapped != "rules":

    use rule core_step as measure_reanchoring with:
        input:
            **SWAP_CORPORA,
            captions=CONTEXT.captions("swapping"),
        output:
            tables=[
                "results/swapping/tables/reanchoring.csv",
                "results/swapping/reanchoring_differences.csv",
            ],
        log:
            "logs/measure_reanchoring.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:measure_reanchoring"),
