"""The `swapping` study (Nahurna 2025), §4.2: recognizers of entities trained on the original and the balanced corpus.

NEEDS  results/swapping/{entity_corpus}/{documents,entities,genders}.parquet, spaCy
GIVES  results/swapping/ner/{procedure}/data.csv                 what training and test sets hold and leave out
       results/swapping/ner/{procedure}/models/{data}/{seed}     a spaCy pipeline, and .csv: how it was trained
       results/swapping/ner/{procedure}/scores/{data}/{seed}.csv precision, recall, F1 by test set and type
       results/swapping/ner/{procedure}/jobs/{data}/{seed}.parquet   each job title, found or not
       results/swapping/ner/job_recall.csv                       recall of job titles by gender
       results/swapping/tables/, results/swapping/figures/
"""

NER_DIR = "results/swapping/ner/{procedure}"
NER_RUN = "{data}/{seed}"
NER_TRAINING = [
    f"{data}_{split}" for data in RECOGNITION.data for split in (TRAIN, DEV)
]
NER_TESTS = [f"{data}_{TEST}" for data in TEST_SETS]
NER_RUNS = (
    [
        [procedure, data, seed]
        for procedure in RECOGNITION.procedures
        for data in RECOGNITION.data
        for seed in RECOGNITION.seeds
    ]
    if RECOGNITION_ON
    else []
)


rule prepare_ner_data:
    input:
        documents=rules.count_entities.input.documents,
        entities=rules.count_entities.input.entities,
    output:
        corpora=collect(
            f"{NER_DIR}/data/{{part}}.spacy",
            part=NER_TRAINING + NER_TESTS,
            allow_missing=True,
        ),
        spans=f"{NER_DIR}/data/spans.parquet",
        counts=f"{NER_DIR}/data.csv",
    log:
        "logs/prepare_ner_data/{procedure}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.recognition.data:prepare_ner_data"),
        procedure="{procedure}",
        dev_share=RECOGNITION.dev_share,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule train_ner:
    input:
        config=resource(f"resources/swapping/ner/{RECOGNITION.architecture}.cfg"),
        train=f"{NER_DIR}/data/{{data}}_train.spacy",
        dev=f"{NER_DIR}/data/{{data}}_dev.spacy",
    output:
        model=directory(f"{NER_DIR}/models/{NER_RUN}"),
        training_log=f"{NER_DIR}/models/{NER_RUN}.csv",
    log:
        f"logs/train_ner/{{procedure}}/{NER_RUN}.log",
    wildcard_constraints:
        data=one_of(TRAINING_DATA),
        seed=r"\d+",
    conda:
        "../../envs/ml.yaml"
    threads: 1
    params:
        **step("textparity.studies.swapping.recognition.training:train_ner"),
        # Not an output: it lies there while a training goes on, also after a kill.
        state=f"{NER_DIR}/models/{NER_RUN}.state",
        max_steps=RECOGNITION.max_steps,
        seed=lambda wildcards: int(wildcards.seed),
    script:
        "../../scripts/step.py"


rule evaluate_ner:
    input:
        model=rules.train_ner.output.model,
        tests=collect(
            f"{NER_DIR}/data/{{part}}.spacy", part=NER_TESTS, allow_missing=True
        ),
        spans=rules.prepare_ner_data.output.spans,
    output:
        scores=f"{NER_DIR}/scores/{NER_RUN}.csv",
        jobs=f"{NER_DIR}/jobs/{NER_RUN}.parquet",
    log:
        f"logs/evaluate_ner/{{procedure}}/{NER_RUN}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.recognition.scores:evaluate_ner"),
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule measure_job_recall:
    input:
        jobs=of_ner_runs(rules.evaluate_ner.output.jobs),
        genders=rules.tabulate_composition.input.genders,
    output:
        recall="results/swapping/ner/job_recall.csv",
    log:
        "logs/measure_job_recall.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.recognition.tables:measure_job_recall"),
        runs=NER_RUNS,
    script:
        "../../scripts/step.py"


rule tabulate_ner:
    input:
        scores=of_ner_runs(rules.evaluate_ner.output.scores),
        recall=rules.measure_job_recall.output.recall,
    output:
        scores_csv=f"{ENTITY_TABLES}/ner_scores.csv",
        scores_latex=f"{ENTITY_TABLES}/ner_scores.tex",
        recall_csv=f"{ENTITY_TABLES}/job_recall.csv",
        recall_latex=f"{ENTITY_TABLES}/job_recall.tex",
    log:
        "logs/tabulate_ner.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.recognition.tables:tabulate_ner"),
        runs=NER_RUNS,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule plot_job_recall:
    input:
        recall=rules.measure_job_recall.output.recall,
    output:
        figures=[
            "results/swapping/figures/job_recall.pdf",
            in_report("results/swapping/figures/job_recall.svg"),
        ],
    log:
        "logs/plot_job_recall.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.recognition.tables:plot_job_recall"),
    script:
        "../../scripts/step.py"


STUDY_TARGETS["swapping"] += (
    [
        *collect(
            rules.prepare_ner_data.output.counts, procedure=RECOGNITION.procedures
        ),
        *of_ner_runs(rules.train_ner.output.training_log),
        *rules.tabulate_ner.output,
        *rules.plot_job_recall.output,
    ]
    if RECOGNITION_ON
    else []
)
