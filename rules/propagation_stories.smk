"""The `propagation` study (Derner 2025, §5, App. G): what trained models write, and how well they know neutral text.

NEEDS  results/propagation/adapters/{base_model}/{lang}.{condition}.seed{n}/, resources/story_prompts.tsv,
       results/corpora/{neutral corpus}/{lang}.parquet
GIVES  results/propagation/stories/{base_model}/{lang}.{variant}.parquet    a story a row
       results/propagation/perplexity/{base_model}/{lang}.{variant}.csv     per text: tokens, log-likelihood
"""

from textparity.propagation.story_prompts import (
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


def adapters_of(wildcards):
    """Return the folder of the training of a variant, as a list of no or one path."""
    variant = Variant.parse(wildcards.variant)
    if variant.condition == BASE:
        return []
    folder = f"{wildcards.lang}.{variant.condition}.seed{variant.seed}"
    return [f"results/propagation/adapters/{wildcards.base_model}/{folder}"]


def repetitions_of(wildcards):
    """Return how often a variant writes its stories: more for the paper's tables."""
    in_tables = wildcards.variant in [variant.name for variant in TABLE_VARIANTS]
    return PROPAGATION.repetitions if in_tables else PROPAGATION.dose_repetitions


def stories_of(variants):
    """Return the stories of variants, for all base models and languages."""
    return [
        f"{STORIES}.parquet".format(base_model=model, lang=lang, variant=variant.name)
        for model, lang, variant in PROPAGATION_UNITS
        if variant in variants
    ]


def perplexity_of(variants):
    """Return the likelihoods of neutral texts by variants, for all base models and languages."""
    return [
        f"{PERPLEXITY}.csv".format(base_model=model, lang=lang, variant=variant.name)
        for model, lang, variant in PROPAGATION_UNITS
        if variant in variants
    ]


rule write_stories:
    input:
        adapters=adapters_of,
        prepared=prepared_model,
    output:
        stories=f"{STORIES}.parquet",
    log:
        "logs/write_stories/{base_model}/{lang}.{variant}.log",
    threads: PROPAGATION.threads
    params:
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
        code_digest=code_digest("textparity.propagation.stories"),
    script:
        "../scripts/write_stories.py"


rule measure_perplexity:
    input:
        texts=f"results/corpora/{PROPAGATION.neutral_corpus}/{{lang}}.parquet",
        adapters=adapters_of,
        prepared=prepared_model,
    output:
        perplexity=f"{PERPLEXITY}.csv",
    log:
        "logs/measure_perplexity/{base_model}/{lang}.{variant}.log",
    threads: PROPAGATION.threads
    params:
        base_model=base_model_row,
        variant="{variant}",
        neutral_texts=PROPAGATION.neutral_texts,
        seed=CONFIG.seed,
        torch_threads=PROPAGATION.threads,
        code_digest=code_digest("textparity.propagation.perplexity"),
    script:
        "../scripts/measure_perplexity.py"


STUDY_TARGETS["propagation"] += [
    *stories_of(VARIANTS),
    *perplexity_of(SEED_VARIANTS),
]
