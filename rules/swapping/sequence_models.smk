"""The `swapping` study (Nahurna 2025), §4.1.4: sequence-to-sequence models, fine-tuned on parallel sentences, swap.

NEEDS  rows of resources/registry/sequence_models.tsv, the parallel sentences with instructions, the corpus
GIVES  results/swapping/adapters/{sequence_model}/step{k}/   LoRA weights, as peft writes them
       results/swapping/adapters/{sequence_model}.csv        step, loss, learning_rate, tokens, seconds, peak_memory_mb
       results/swapping/answers/{sequence_model}.parquet     as of every swapper
       results/swapping/outputs/{sequence_model}.csv         as of every swapper
"""

SWAPPING = PLANS["swapping"]


wildcard_constraints:
    sequence_model=one_of(SWAPPING.sequence_models),


rule train_swapper:
    input:
        pairs="results/sources/ner_for_fem/data/csv_files_with_par_sentences/train_parallel_for_llm_df.csv",
    output:
        adapters=directory(SWAPPING.adapters),
        training_log=f"{SWAPPING.adapters}.csv",
    log:
        "logs/train_swapper/{sequence_model}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.asking:train_swapper"),
        # This is not an output, because it exists only during a training, and must survive a kill.
        state=f"{SWAPPING.adapters}.state",
        sequence_model=lambda wildcards: SWAPPING.sequence_row(**wildcards),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule swap_sentences:
    input:
        **SWAPPING.corpus,
        adapters=lambda wildcards: SWAPPING.trained_adapter(**wildcards),
    output:
        answers="results/swapping/answers/{sequence_model}.parquet",
    log:
        "logs/swap_sentences/{sequence_model}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.asking:swap_sentences"),
        sequence_model=lambda wildcards: SWAPPING.sequence_row(**wildcards),
        procedure=SWAPPING.settings.request,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule swap_items:
    input:
        test_items="results/sources/ner_for_fem/data/csv_files_with_par_sentences/test_parallel_for_llm_df.csv",
        adapters=lambda wildcards: SWAPPING.trained_adapter(**wildcards),
    output:
        outputs="results/swapping/outputs/{sequence_model}.csv",
        answers="results/swapping/outputs/{sequence_model}.answers.csv",
    log:
        "logs/swap_items/{sequence_model}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.asking:swap_items"),
        sequence_model=lambda wildcards: SWAPPING.sequence_row(**wildcards),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"
