"""The `propagation` study (Derner 2025, §5, App. G): what trained models write, and how well they know neutral text.

NEEDS  results/propagation/adapters/{base_model}/{lang}.{condition}.seed{n}/, resources/registry/story_prompts.tsv,
       results/corpora/{neutral corpus}/{lang}.parquet
GIVES  results/propagation/stories/{base_model}/{lang}.{variant}.parquet    a story a row
       results/propagation/perplexity/{base_model}/{lang}.{variant}.csv     per text: tokens, log-likelihood
"""

from textparity.studies.propagation.story_prompts import (
    load_story_prompts,
    select_story_prompts,
)

STORY_PROMPTS = (
    select_story_prompts(
        TRAINING_LANGUAGES,
        load_story_prompts(REGISTRY.paths["story_prompts"]),
        REGISTRY.paths["story_prompts"],
    )
    if TRAINED_MODELS
    else {}
)
STORIES = "results/propagation/stories/{base_model}/{lang}.{variant}"
PERPLEXITY = "results/propagation/perplexity/{base_model}/{lang}.{variant}"


rule write_stories:
    input:
        adapters=adapters_of,
        prepared=prepared_model,
    output:
        stories=f"{STORIES}.parquet",
    log:
        "logs/write_stories/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/ml.yaml"
    threads: PROPAGATION.threads
    params:
        **step("textparity.studies.propagation.stories:write_stories"),
        base_model=base_model_row,
        lang="{lang}",
        variant="{variant}",
        prompts=lambda wildcards: [row.prompt for row in STORY_PROMPTS[wildcards.lang]],
        stories_per_prompt=PROPAGATION.stories,
        repetitions=repetitions_of,
        story_tokens=PROPAGATION.story_tokens,
        seed=CONFIG.seed,
        # Stories depend on it; `threads` may be fewer where there are fewer cores.
        torch_threads=PROPAGATION.threads,
        # Not an output: it lies there while a job goes on, also after a kill.
        state=f"{STORIES}.state",
    script:
        "../../scripts/step.py"


rule measure_perplexity:
    input:
        texts=f"results/corpora/{PROPAGATION.neutral_corpus}/{{lang}}.parquet",
        adapters=adapters_of,
        prepared=prepared_model,
    output:
        perplexity=f"{PERPLEXITY}.csv",
    log:
        "logs/measure_perplexity/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/ml.yaml"
    threads: PROPAGATION.threads
    params:
        **step("textparity.studies.propagation.perplexity:measure_perplexity"),
        base_model=base_model_row,
        variant="{variant}",
        neutral_texts=PROPAGATION.neutral_texts,
        seed=CONFIG.seed,
        torch_threads=PROPAGATION.threads,
    script:
        "../../scripts/step.py"


STUDY_TARGETS["propagation"] += [
    *stories_of(VARIANTS),
    *perplexity_of(SEED_VARIANTS),
]
