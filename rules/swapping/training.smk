"""The `swapping` study (Nahurna 2025), §4.2: recognizers of entities are trained on the original and the balanced corpus.

It ends with the study's ledger.
"""

from textparity_studies.swapping.settings import TEST_SETS

RECOGNITION = SWAPPING.settings.recognition
# The training data of recognizers by architecture, of which one is chosen.
DATA_FOR = {"tok2vec": [], "transformer": []} | {RECOGNITION.architecture: RECOGNITION.data}


use rule ml_step as prepare_ner_data with:
    input:
        **SWAP_CORPORA,
    output:
        corpora=[
            *expand(
                "results/swapping/ner/{{procedure}}/data/{data}_{split}.spacy",
                data=RECOGNITION.data,
                split=["train", "dev"],
            ),
            *expand("results/swapping/ner/{{procedure}}/data/{test_set}_test.spacy", test_set=TEST_SETS),
        ],
        spans="results/swapping/ner/{procedure}/data/spans.parquet",
        counts="results/swapping/ner/{procedure}/data.csv",
    log:
        "logs/prepare_ner_data/{procedure}.log",
    params:
        **step("textparity_studies.swapping.ner_data:prepare_ner_data"),
        procedure="{procedure}",
        dev_share=RECOGNITION.dev_share,
        seed=CONFIG.seed,


use rule ml_step as train_ner with:
    input:
        config=resource(f"resources/swapping/ner/{RECOGNITION.architecture}.cfg"),
        train="results/swapping/ner/{procedure}/data/{data}_train.spacy",
        dev="results/swapping/ner/{procedure}/data/{data}_dev.spacy",
    output:
        model=directory("results/swapping/ner/{procedure}/models/{data}/{seed}"),
        training_log="results/swapping/ner/{procedure}/models/{data}/{seed}.csv",
    log:
        "logs/train_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(DATA_FOR["tok2vec"]),
        seed=r"\d+",
    threads: 1
    params:
        **step("textparity_studies.swapping.ner_models:train_ner"),
        # This is not an output, because it exists only during a training, and must survive a kill.
        state="results/swapping/ner/{procedure}/models/{data}/{seed}.state",
        max_steps=RECOGNITION.max_steps,
        seed=lambda wildcards: int(wildcards.seed),


# This variant uses a GPU, and a version of transformers that other studies do not use.
use rule train_ner as train_transformer_ner with:
    log:
        "logs/train_transformer_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(DATA_FOR["transformer"]),
        seed=r"\d+",
    conda:
        "../../envs/ner.yaml"


use rule ml_step as evaluate_ner with:
    input:
        model="results/swapping/ner/{procedure}/models/{data}/{seed}",
        tests=expand("results/swapping/ner/{{procedure}}/data/{test_set}_test.spacy", test_set=TEST_SETS),
        spans="results/swapping/ner/{procedure}/data/spans.parquet",
    output:
        scores="results/swapping/ner/{procedure}/scores/{data}/{seed}.csv",
        jobs="results/swapping/ner/{procedure}/jobs/{data}/{seed}.parquet",
    log:
        "logs/evaluate_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(DATA_FOR["tok2vec"]),
    params:
        **step("textparity_studies.swapping.ner_models:evaluate_ner"),
        procedure="{procedure}",
        data="{data}",
        seed=lambda wildcards: int(wildcards.seed),


use rule evaluate_ner as evaluate_transformer_ner with:
    log:
        "logs/evaluate_transformer_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(DATA_FOR["transformer"]),
    conda:
        "../../envs/ner.yaml"


if SWAPPING.trainings:

    use rule core_step as measure_job_recall with:
        input:
            jobs=each("results/swapping/ner/{procedure}/jobs/{data}/{seed}.parquet", SWAPPING.trainings),
            genders=expand("results/swapping/{annotated}/genders.parquet", annotated=SWAPPING.annotated),
        output:
            recall="results/swapping/ner/job_recall.csv",
        log:
            "logs/measure_job_recall.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:measure_job_recall"),

    use rule core_step as compare_trainings with:
        input:
            scores=each("results/swapping/ner/{procedure}/scores/{data}/{seed}.csv", SWAPPING.trainings),
            recall="results/swapping/ner/job_recall.csv",
            captions=CONTEXT.captions("swapping"),
        output:
            tables=[
                *expand("results/swapping/tables/ner_scores.{ending}", ending=TABLE),
                *expand("results/swapping/tables/job_recall.{ending}", ending=TABLE),
            ],
        log:
            "logs/compare_trainings.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:compare_trainings"),
            confidence_level=CONFIG.bootstrap.confidence_level,

    use rule core_step as plot_job_recall with:
        input:
            recall="results/swapping/ner/job_recall.csv",
        output:
            figures=figures(expand("results/swapping/figures/job_recall.{ending}", ending=FIGURE)),
        log:
            "logs/plot_job_recall.log",
        params:
            **step("textparity_studies.swapping.figures:plot_job_recall"),


# Counts from another corpus are not the paper's.
PAPERS_COUNTS = [
    "results/swapping/tables/entities.csv",
    "results/swapping/tables/composition.csv",
    "results/swapping/tables/job_lines.csv",
    "results/swapping/tables/recorded_recall.csv",
    "results/swapping/tables/reviews.csv",
    "results/swapping/tables/ner_scores.csv",
    "results/swapping/tables/job_recall.csv",
]


use rule core_step as build_swapping_ledger with:
    input:
        **ledger_inputs("swapping"),
        tables=[
            *made("results/swapping/tables/name_bias.csv", *(PAPERS_COUNTS if SWAPPING.is_papers else [])),
            *expand("results/swapping/scores/{system}.csv", system=SWAPPING.scored_systems),
        ],
    output:
        ledger="results/ledger/swapping.csv",
        gaps="results/swapping/not_run.csv",
    log:
        "logs/build_swapping_ledger.log",
    params:
        **step("textparity_studies.report.comparison:build_ledger", "textparity_studies.swapping.ledger"),
        study="swapping",
        not_run=SWAPPING.not_run,
        computed={"run": [{"recognizer_setup": SWAPPING.recognizer_setup}]},


rule swapping:
    input:
        expand("results/swapping/{entity_corpus}/repairs.csv", entity_corpus=SWAPPING.entity_corpora),
        final_outputs("swapping"),
        expand("results/swapping/swapped/{swapper}/reviews.csv", swapper=SWAPPING.swappers),
        expand(
            ["results/swapping/outputs/{swapper}.csv", "results/swapping/outputs/{swapper}.answers.csv"],
            swapper=SWAPPING.evaluated_swappers,
        ),
        "results/swapping/outputs/rules.csv" if SWAPPING.runs and SWAP_TEST_SET else [],
        expand(
            [
                "results/swapping/swapped/{system}/documents.parquet",
                "results/swapping/swapped/{system}/entities.parquet",
                "results/swapping/swapped/{system}/left_out.csv",
                "results/swapping/swapped/{system}/brat",
            ],
            system=SWAPPING.accepted_systems,
        ),
        expand("results/swapping/ner/{procedure}/data.csv", procedure=RECOGNITION.procedures)
        if SWAPPING.trainings
        else [],
        each("results/swapping/ner/{procedure}/models/{data}/{seed}.csv", SWAPPING.trainings),
        rules.build_swapping_ledger.output.ledger,
