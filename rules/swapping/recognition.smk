"""The `swapping` study (Nahurna 2025), §4.2: recognizers of entities trained on the original and the balanced corpus.

NEEDS  results/swapping/{entity_corpus}/{documents,entities,genders}.parquet, spaCy
GIVES  results/swapping/ner/{procedure}/data.csv                 what training and test sets hold and leave out
       results/swapping/ner/{procedure}/models/{data}/{seed}     a spaCy pipeline, and .csv: how it was trained
       results/swapping/ner/{procedure}/scores/{data}/{seed}.csv precision, recall, F1 by test set and type
       results/swapping/ner/{procedure}/jobs/{data}/{seed}.parquet   each job title, and whether it is found
       results/swapping/ner/job_recall.csv                       recall of job titles by gender
       results/swapping/tables/, results/swapping/figures/
"""

SWAPPING = PLANS["swapping"]


rule prepare_ner_data:
    input:
        **SWAPPING.both_corpora,
    output:
        corpora=collect(
            "results/swapping/ner/{{procedure}}/data/{part}.spacy",
            part=SWAPPING.ner_parts,
        ),
        spans="results/swapping/ner/{procedure}/data/spans.parquet",
        counts="results/swapping/ner/{procedure}/data.csv",
    log:
        "logs/prepare_ner_data/{procedure}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.ner_data:prepare_ner_data"),
        procedure="{procedure}",
        dev_share=SWAPPING.recognition.dev_share,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule train_ner:
    input:
        config=resource(f"resources/swapping/ner/{SWAPPING.recognition.architecture}.cfg"),
        train="results/swapping/ner/{procedure}/data/{data}_train.spacy",
        dev="results/swapping/ner/{procedure}/data/{data}_dev.spacy",
    output:
        model=directory("results/swapping/ner/{procedure}/models/{data}/{seed}"),
        training_log="results/swapping/ner/{procedure}/models/{data}/{seed}.csv",
    log:
        "logs/train_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(SWAPPING.data_for("tok2vec")),
        seed=r"\d+",
    conda:
        "../../envs/ml.yaml"
    threads: 1
    params:
        **step("textparity_studies.swapping.ner_models:train_ner"),
        # This is not an output, because it exists only during a training, and must survive a kill.
        state="results/swapping/ner/{procedure}/models/{data}/{seed}.state",
        max_steps=SWAPPING.recognition.max_steps,
        seed=lambda wildcards: int(wildcards.seed),
    script:
        "../../scripts/step.py"


# This variant uses a GPU, and a version of transformers that other studies do not use.
use rule train_ner as train_transformer_ner with:
    log:
        "logs/train_transformer_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(SWAPPING.data_for("transformer")),
        seed=r"\d+",
    conda:
        "../../envs/ner.yaml"


rule evaluate_ner:
    input:
        model="results/swapping/ner/{procedure}/models/{data}/{seed}",
        tests=collect(
            "results/swapping/ner/{{procedure}}/data/{part}.spacy",
            part=SWAPPING.ner_tests,
        ),
        spans="results/swapping/ner/{procedure}/data/spans.parquet",
    output:
        scores="results/swapping/ner/{procedure}/scores/{data}/{seed}.csv",
        jobs="results/swapping/ner/{procedure}/jobs/{data}/{seed}.parquet",
    log:
        "logs/evaluate_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(SWAPPING.data_for("tok2vec")),
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.ner_models:evaluate_ner"),
        procedure="{procedure}",
        data="{data}",
        seed=lambda wildcards: int(wildcards.seed),
    script:
        "../../scripts/step.py"


use rule evaluate_ner as evaluate_transformer_ner with:
    log:
        "logs/evaluate_transformer_ner/{procedure}/{data}/{seed}.log",
    wildcard_constraints:
        data=one_of(SWAPPING.data_for("transformer")),
    conda:
        "../../envs/ner.yaml"


rule measure_job_recall:
    input:
        jobs=SWAPPING.of_ner_runs("jobs/{data}/{seed}.parquet"),
        genders=SWAPPING.genders,
    output:
        recall="results/swapping/ner/job_recall.csv",
    log:
        "logs/measure_job_recall.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:measure_job_recall"),
    script:
        "../../scripts/step.py"


rule compare_trainings:
    input:
        scores=SWAPPING.of_ner_runs("scores/{data}/{seed}.csv"),
        recall="results/swapping/ner/job_recall.csv",
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["compare_trainings"],
    log:
        "logs/compare_trainings.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:compare_trainings"),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule plot_job_recall:
    input:
        recall="results/swapping/ner/job_recall.csv",
    output:
        figures=figures(SWAPPING.figures["job_recall"]),
    log:
        "logs/plot_job_recall.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.figures:plot_job_recall"),
    script:
        "../../scripts/step.py"
