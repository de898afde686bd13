"""The `swapping` study (Nahurna 2025), §4.1.5: swapped test items and their scores, the authors' reviews, names.

A system is the rules, a model, a set of outputs that the authors recorded, or the unchanged inputs. Each item is
swapped, and its output swapped back.
"""

from textparity_studies.swapping.plan import missing_scorers

SWAP_NAMES = {system: row.name for system, row in REGISTRY.swap_outputs.items()}
SWAP_NAMES |= {"rules": "Rules", "unchanged": "Input, unchanged"}
SWAP_COLUMNS = {system: row.columns for system, row in REGISTRY.swap_outputs.items()}
SWAP_COLUMNS["unchanged"] = {"input": "inputs", "reference": "references", "output": "inputs", "round_trip": "inputs"}
# The steps that only the authors apply, to some of their systems.
SWAP_STEPS = {system: row.published_steps.split() for system, row in REGISTRY.swap_outputs.items()}


if SWAP_TEST_SET:

    use rule core_step as swap_test_items with:
        input:
            **SWAP_LISTS,
            test_set=SWAP_TEST_SET,
            parallel=PARALLEL_SENTENCES,
            published_reviews=SWAP_REVIEWS,
        output:
            outputs="results/swapping/outputs/rules.csv",
        log:
            "logs/swap_test_items.log",
        params:
            **step("textparity_studies.swapping.swapped_corpora:swap_test_items"),
            seed=CONFIG.seed,


use rule ml_step as ask_swapper_on_items with:
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
    resources:
        language_models=1,
    params:
        **step("textparity_studies.swapping.asking:ask_swapper_on_items"),
        asking=lambda wildcards: CONTEXT.asking(wildcards.swapper),


use rule ask_swapper_on_items as ask_local_swapper_on_items with:
    log:
        "logs/ask_local_swapper_on_items/{swapper}.log",
    wildcard_constraints:
        swapper=model_names(is_local=True, besides=REGISTRY.swap_outputs),
    threads: ALL_CORES


use rule ask_swapper_on_items as estimate_swapping_items with:
    output:
        estimate_csv=temp("results/swapping/estimates/items.{swapper}.csv"),
    log:
        "logs/estimate_swapping_items/{swapper}.log",
    wildcard_constraints:
        swapper=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity_studies.swapping.asking:estimate_swapping_items",
        name="test items, there and back",


use rule ml_step as swap_items with:
    input:
        test_items="results/sources/ner_for_fem/data/csv_files_with_par_sentences/test_parallel_for_llm_df.csv",
        adapters=branch(
            lambda wildcards: SWAPPING.sequence_models[wildcards.sequence_model].is_trained,
            then="results/swapping/adapters/{sequence_model}",
        ),
    output:
        outputs="results/swapping/outputs/{sequence_model}.csv",
        answers="results/swapping/outputs/{sequence_model}.answers.csv",
    log:
        "logs/swap_items/{sequence_model}.log",
    params:
        **step("textparity_studies.swapping.asking:swap_items"),
        row=lambda wildcards: vars(SWAPPING.sequence_models[wildcards.sequence_model]),
        seed=CONFIG.seed,


use rule core_step as read_outputs with:
    input:
        source=branch(
            lambda wildcards: wildcards.system == "unchanged",
            then=SWAP_TEST_SET,
            otherwise=lambda wildcards: REGISTRY.file_of(REGISTRY.swap_outputs[wildcards.system]).path,
        ),
    output:
        outputs="results/swapping/outputs/{system}.csv",
    log:
        "logs/read_outputs/{system}.log",
    wildcard_constraints:
        system=one_of(SWAP_COLUMNS),
    localrule: True
    params:
        **step("textparity_studies.swapping.outputs:read_outputs"),
        columns=lambda wildcards: SWAP_COLUMNS[wildcards.system],


use rule ml_step as score_outputs with:
    input:
        **SWAP_CORPORA,
        outputs="results/swapping/outputs/{system}.csv",
        parallel=PARALLEL_SENTENCES,
    output:
        scores="results/swapping/scores/{system}.csv",
    log:
        "logs/score_outputs/{system}.log",
    params:
        **step("textparity_studies.swapping.scores:score_outputs"),
        **BOOTSTRAP,
        published_steps=lambda wildcards: SWAP_STEPS.get(wildcards.system, []),


NEEDS["score_outputs"] = lambda wildcards: missing_scorers()


if SWAPPING.scored_systems:

    use rule ml_step as tabulate_swap_scores with:
        input:
            scores=expand("results/swapping/scores/{system}.csv", system=SWAPPING.scored_systems),
            captions=CONTEXT.captions("swapping"),
        output:
            tables=expand("results/swapping/tables/swap_scores.{ending}", ending=TABLE),
        log:
            "logs/tabulate_swap_scores.log",
        params:
            **step("textparity_studies.swapping.scores:tabulate_swap_scores"),
            names=SWAP_NAMES,

    use rule ml_step as compare_outputs with:
        input:
            **SWAP_CORPORA,
            outputs=expand("results/swapping/outputs/{system}.csv", system=SWAPPING.scored_systems),
            parallel=PARALLEL_SENTENCES,
            captions=CONTEXT.captions("swapping"),
        output:
            tables=expand("results/swapping/tables/swap_differences.{ending}", ending=TABLE),
        log:
            "logs/compare_outputs.log",
        params:
            **step("textparity_studies.swapping.scores:compare_outputs"),
            **BOOTSTRAP,
            tidied=[system for system, steps in SWAP_STEPS.items() if "tidied" in steps],
            names=SWAP_NAMES,


if SWAPPING.runs and SWAP_REVIEWS:

    use rule ml_step as tabulate_reviews with:
        input:
            **SWAP_CORPORA,
            **SWAP_LISTS,
            parallel=PARALLEL_SENTENCES,
            published_reviews=SWAP_REVIEWS,
            counts="results/swapping/tables/entities.csv",
            captions=CONTEXT.captions("swapping"),
        output:
            tables=expand("results/swapping/tables/reviews.{ending}", ending=TABLE),
        log:
            "logs/tabulate_reviews.log",
        params:
            **step("textparity_studies.swapping.output_tables:tabulate_reviews"),


if SWAPPING.scored_systems or (SWAPPING.runs and SWAP_REVIEWS):

    use rule core_step as measure_name_bias with:
        input:
            **SWAP_LISTS,
            outputs=[
                f"results/swapping/outputs/{system}.csv" for system in SWAPPING.scored_systems if system != "unchanged"
            ],
            published_reviews=SWAP_REVIEWS,
            captions=CONTEXT.captions("swapping"),
        output:
            tables=["results/swapping/tables/name_bias.csv"],
        log:
            "logs/measure_name_bias.log",
        params:
            **step("textparity_studies.swapping.output_tables:measure_name_bias"),

    use rule core_step as plot_name_bias with:
        input:
            table="results/swapping/tables/name_bias.csv",
        output:
            figures=figures(expand("results/swapping/figures/name_bias.{ending}", ending=FIGURE)),
        log:
            "logs/plot_name_bias.log",
        params:
            **step("textparity_studies.swapping.figures:plot_name_bias"),
            names=SWAP_NAMES,
