"""The `swapping` study (Nahurna 2025), its swapped sentences: scores of systems, decisions of reviewers, names.

NEEDS  rows of resources/registry/swap_outputs.tsv, a test set, parallel sentences, reviews, the corpora, word lists
GIVES  results/swapping/outputs/{system}.csv  item, kind, input, reference, output, round_trip
       results/swapping/scores/{system}.csv   each score with its interval, one way and round trip
       results/swapping/tables/{swap_scores,swap_differences,reviews,name_bias}.csv
       results/swapping/figures/name_bias.{pdf,svg,png}
"""

SWAPPING = PLANS["swapping"]


localrules:
    ask_swapper_on_items,


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
        **step("textparity_studies.swapping.candidates.asking:ask_swapper_on_items"),
        asking=lambda wildcards: CONTEXT.asking(wildcards.swapper),
    script:
        "../../scripts/step.py"


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
        step="textparity_studies.swapping.candidates.asking:estimate_swapping_items",
        name="test items, there and back",


# This reads a recorded set; the unchanged inputs are also one.
rule read_outputs:
    input:
        source=lambda wildcards: SWAPPING.output_source(wildcards.system),
    output:
        outputs="results/swapping/outputs/{system}.csv",
    log:
        "logs/read_outputs/{system}.log",
    wildcard_constraints:
        system=one_of([*REGISTRY.swap_outputs, "unchanged"]),
    localrule: True
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.candidates.outputs:read_outputs"),
        columns=lambda wildcards: SWAPPING.output_columns(wildcards.system),
    script:
        "../../scripts/step.py"


rule score_outputs:
    input:
        **SWAPPING.both_corpora,
        outputs="results/swapping/outputs/{system}.csv",
        parallel=SWAPPING.parallel_sentences,
    output:
        scores="results/swapping/scores/{system}.csv",
    log:
        "logs/score_outputs/{system}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.scores:score_outputs"),
        **BOOTSTRAP,
        published_steps=lambda wildcards: SWAPPING.published_steps(wildcards.system),
    script:
        "../../scripts/step.py"


rule tabulate_outputs:
    input:
        **SWAPPING.both_corpora,
        **SWAPPING.word_lists,
        outputs=SWAPPING.outputs(SWAPPING.scored_systems),
        scores=SWAPPING.scores,
        parallel=SWAPPING.parallel_sentences,
        published_reviews=SWAPPING.published_reviews,
        counts="results/swapping/tables/entities.csv",
    output:
        **SWAPPING.output_tables,
        figures=figures(SWAPPING.output_figures),
    log:
        "logs/tabulate_outputs.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.output_tables:tabulate_outputs"),
        **BOOTSTRAP,
        tidied=SWAPPING.tidied,
        names=SWAPPING.names,
    script:
        "../../scripts/step.py"
