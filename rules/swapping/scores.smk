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
        **step("textparity_studies.swapping.asking:ask_swapper_on_items"),
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
        step="textparity_studies.swapping.asking:estimate_swapping_items",
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
        **step("textparity_studies.swapping.outputs:read_outputs"),
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


rule tabulate_swap_scores:
    input:
        scores=SWAPPING.scores,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["tabulate_swap_scores"],
    log:
        "logs/tabulate_swap_scores.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.scores:tabulate_swap_scores"),
        names=SWAPPING.names,
    script:
        "../../scripts/step.py"


rule compare_outputs:
    input:
        **SWAPPING.both_corpora,
        outputs=SWAPPING.outputs(SWAPPING.scored_systems),
        parallel=SWAPPING.parallel_sentences,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["compare_outputs"],
    log:
        "logs/compare_outputs.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.scores:compare_outputs"),
        **BOOTSTRAP,
        tidied=SWAPPING.tidied,
        names=SWAPPING.names,
    script:
        "../../scripts/step.py"


rule tabulate_reviews:
    input:
        **SWAPPING.both_corpora,
        **SWAPPING.word_lists,
        parallel=SWAPPING.parallel_sentences,
        published_reviews=SWAPPING.published_reviews,
        counts="results/swapping/tables/entities.csv",
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["tabulate_reviews"],
    log:
        "logs/tabulate_reviews.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.output_tables:tabulate_reviews"),
    script:
        "../../scripts/step.py"


rule measure_name_bias:
    input:
        **SWAPPING.word_lists,
        outputs=SWAPPING.swapped_outputs,
        published_reviews=SWAPPING.published_reviews,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["measure_name_bias"],
    log:
        "logs/measure_name_bias.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.output_tables:measure_name_bias"),
    script:
        "../../scripts/step.py"


rule plot_name_bias:
    input:
        table="results/swapping/tables/name_bias.csv",
    output:
        figures=figures(SWAPPING.figures["name_bias"]),
    log:
        "logs/plot_name_bias.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.figures:plot_name_bias"),
        names=SWAPPING.names,
    script:
        "../../scripts/step.py"
