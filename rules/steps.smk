"""The rules that all others are made of: scripts/step.py runs the function that `params` name, in one of two environments."""


rule core_step:
    log:
        "logs/core_step.log",
    conda:
        f"{workflow.basedir}/envs/core.yaml"
    script:
        f"{workflow.basedir}/scripts/step.py"


# Tools for languages, language models and training.
use rule core_step as ml_step with:
    log:
        "logs/ml_step.log",
    conda:
        f"{workflow.basedir}/envs/ml.yaml"
