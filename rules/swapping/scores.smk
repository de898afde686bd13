"""The `swapping` study (Nahurna 2025), its swapped sentences: scores of systems, decisions of reviewers, names.

NEEDS  rows of resources/registry/swap_outputs.tsv, a test set, parallel sentences, reviews, the corpora's entities, word lists
GIVES  results/swapping/outputs/{system}.csv  item, kind, input, reference, output, round_trip
       results/swapping/scores/{system}.csv   each score with its interval, one way and back
       results/swapping/tables/{swap_scores,swap_differences,reviews,name_bias}.csv
       results/swapping/figures/name_bias.{pdf,svg}
"""

SWAP_OUTPUTS = "results/swapping/outputs/{system}.csv"
# Whose outputs are scored and looked through for names: the rules, recorded sets, language models.
SWAP_SYSTEMS = (
    [
        *([RULES] if SWAPPING.test_set else []),
        *(
            system
            for system in SWAPPING.outputs
            if not (CONFIG.skip_unavailable and system in SWAP_OUTPUT_GAPS)
        ),
        *EVALUATED_SWAPPERS,
    ]
    if SWAPPING_ON
    else []
)
# Scores need one more: what the inputs themselves get.
SCORED_SYSTEMS = SWAP_SYSTEMS + (
    [UNCHANGED] if SWAP_SYSTEMS and SWAPPING.test_set else []
)
SWAP_NAMES = {system: row.name for system, row in REGISTRY.swap_outputs.items()} | {
    RULES: "Rules",
    UNCHANGED: "Input, unchanged",
}


rule read_outputs:
    input:
        source=lambda wildcards: REGISTRY.swap_output_file(wildcards.system).path,
    output:
        outputs=SWAP_OUTPUTS,
    log:
        "logs/read_outputs/{system}.log",
    wildcard_constraints:
        system=one_of(REGISTRY.swap_outputs),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.candidates.outputs:read_outputs"),
        columns=lambda wildcards: REGISTRY.swap_outputs[wildcards.system].columns,
    script:
        "../../scripts/step.py"


use rule read_outputs as copy_test_sentences with:
    input:
        source=resource(SWAPPING.test_set) if SWAPPING.test_set else [],
    output:
        outputs=SWAP_OUTPUTS.format(system=UNCHANGED),
    log:
        "logs/copy_test_sentences.log",
    params:
        **step("textparity.studies.swapping.candidates.outputs:read_outputs"),
        columns={
            "input": "inputs",
            "reference": "references",
            "output": "inputs",
            "round_trip": "inputs",
        },


rule score_outputs:
    input:
        **SCORED_CORPORA,
        outputs=SWAP_OUTPUTS,
        parallel=list(map(resource, SWAPPING.parallel_sentences)),
    output:
        scores="results/swapping/scores/{system}.csv",
    log:
        "logs/score_outputs/{system}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.scoring.scores:score_outputs"),
        published_steps=lambda wildcards: (
            REGISTRY.swap_outputs[wildcards.system].published_steps.split()
            if wildcards.system in REGISTRY.swap_outputs
            else []
        ),
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_swap_scores:
    input:
        scores=collect(rules.score_outputs.output.scores, system=SCORED_SYSTEMS),
    output:
        table_csv=f"{ENTITY_TABLES}/swap_scores.csv",
        table_latex=f"{ENTITY_TABLES}/swap_scores.tex",
    log:
        "logs/tabulate_swap_scores.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.scoring.tables:tabulate_swap_scores"),
        names=SWAP_NAMES,
    script:
        "../../scripts/step.py"


rule compare_outputs:
    input:
        **SCORED_CORPORA,
        outputs=collect(SWAP_OUTPUTS, system=SCORED_SYSTEMS),
        parallel=list(map(resource, SWAPPING.parallel_sentences)),
    output:
        table_csv=f"{ENTITY_TABLES}/swap_differences.csv",
        table_latex=f"{ENTITY_TABLES}/swap_differences.tex",
    log:
        "logs/compare_outputs.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.scoring.tables:compare_outputs"),
        tidied=[
            system
            for system, row in REGISTRY.swap_outputs.items()
            if TIDIED in row.published_steps.split()
        ],
        names=SWAP_NAMES,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_reviews:
    input:
        **SCORED_CORPORA,
        **SWAPPING_WORD_LISTS,
        reviews=list(map(resource, SWAPPING.reviews)),
        parallel=list(map(resource, SWAPPING.parallel_sentences)),
        counts=rules.count_entities.output.table_csv,
    output:
        table_csv=f"{ENTITY_TABLES}/reviews.csv",
        table_latex=f"{ENTITY_TABLES}/reviews.tex",
    log:
        "logs/tabulate_reviews.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.scoring.reviews:tabulate_reviews"),
    script:
        "../../scripts/step.py"


rule measure_name_bias:
    input:
        **SWAPPING_WORD_LISTS,
        outputs=collect(SWAP_OUTPUTS, system=SWAP_SYSTEMS),
        reviews=list(map(resource, SWAPPING.reviews)),
    output:
        table=f"{ENTITY_TABLES}/name_bias.csv",
    log:
        "logs/measure_name_bias.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.scoring.name_bias:measure_name_bias"),
    script:
        "../../scripts/step.py"


rule plot_name_bias:
    input:
        table=rules.measure_name_bias.output.table,
    output:
        figure_pdf="results/swapping/figures/name_bias.pdf",
        figure_svg=in_report("results/swapping/figures/name_bias.svg"),
    log:
        "logs/plot_name_bias.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.scoring.name_bias:plot_name_bias"),
        names={**SWAP_NAMES, "reviewed": "Reviewed sentences"},
    script:
        "../../scripts/step.py"


STUDY_TARGETS["swapping"] += (
    [
        # A table of systems needs at least one of them.
        *(rules.tabulate_swap_scores.output if SWAP_SYSTEMS else []),
        *(rules.compare_outputs.output if SWAP_SYSTEMS else []),
        *(rules.tabulate_reviews.output if SWAPPING.reviews else []),
        *(
            [rules.measure_name_bias.output.table, *rules.plot_name_bias.output]
            if SWAP_SYSTEMS or SWAPPING.reviews
            else []
        ),
    ]
    if SWAPPING_ON
    else []
)
