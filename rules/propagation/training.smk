"""The `propagation` study (Derner 2025, §5): continual pretraining of adapters on each set of stories.

NEEDS  sets of stories, rows of resources/registry/base_models.tsv
GIVES  results/propagation/base_models/{base_model}/  a model of a GGUF file, dequantised
       results/propagation/adapters/{base_model}/{lang}.{condition}.seed{n}/step{k}/  LoRA weights, as peft writes them
       results/propagation/training/{base_model}/{lang}.{condition}.seed{n}.csv  step, loss, learning_rate, tokens,
                                                                               seconds, peak_memory_mb
       results/propagation/figures/loss.{pdf,svg}
"""

TRAINING = "{base_model}/{lang}.{condition}.seed{seed}"
TRAININGS = [
    {"base_model": model, "lang": lang, "condition": condition, "seed": seed}
    for model in TRAINED_MODELS
    for lang in TRAINING_LANGUAGES
    for condition in CONDITIONS
    for seed in PROPAGATION.training_seeds
]


rule prepare_base_model:
    output:
        folder=directory("results/propagation/base_models/{base_model}"),
    log:
        "logs/prepare_base_model/{base_model}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.propagation.language_model:prepare_base_model"),
        base_model=base_model_row,
    script:
        "../../scripts/step.py"


rule train_adapter:
    input:
        stories=lambda wildcards: story_set(wildcards.condition, wildcards.lang),
        prepared=prepared_model,
    output:
        adapters=directory(f"results/propagation/adapters/{TRAINING}"),
        training_log=f"results/propagation/training/{TRAINING}.csv",
    log:
        f"logs/train_adapter/{TRAINING}.log",
    wildcard_constraints:
        seed=r"\d+",
    conda:
        "../../envs/ml.yaml"
    threads: PROPAGATION.threads
    params:
        **step("textparity.studies.propagation.training:train_adapter"),
        # Not an output: it lies there while a training goes on, also after a kill.
        state=f"results/propagation/training/{TRAINING}.state",
        base_model=base_model_row,
        saved_steps=sorted({*PROPAGATION.doses, PROPAGATION.steps}),
        # Weights depend on it; `threads` may be fewer where there are fewer cores.
        torch_threads=PROPAGATION.threads,
        seed=CONFIG.seed,
        training_seed=lambda wildcards: int(wildcards.seed),
    script:
        "../../scripts/step.py"


rule plot_loss:
    input:
        training_logs=[
            rules.train_adapter.output.training_log.format(**training)
            for training in TRAININGS
        ],
    output:
        figure_pdf="results/propagation/figures/loss.pdf",
        figure_svg=in_report("results/propagation/figures/loss.svg"),
    log:
        "logs/plot_loss.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.loss_figure:plot_loss"),
        trainings=[
            (
                training["base_model"],
                REGISTRY.languages[training["lang"]].name,
                training["condition"],
            )
            for training in TRAININGS
        ],
    script:
        "../../scripts/step.py"


if TRAININGS:
    STUDY_TARGETS["propagation"] += rules.plot_loss.output
