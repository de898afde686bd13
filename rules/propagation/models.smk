"""The `propagation` study (Derner 2025, §5, App. F, G): models that continue training on sets of stories, and write.

A variant of a base model is the model itself, or one after some steps of a training. Each writes stories, in which the
words of each gender are counted. We also measure their diversity, and the perplexity of neutral texts.
"""

from textparity_studies.propagation.base_models import CONDITIONS, VARIANT_PATTERN

PROPAGATION = PLANS["propagation"]


wildcard_constraints:
    base_model=one_of(PROPAGATION.base_models),
    condition=one_of(CONDITIONS),
    variant=VARIANT_PATTERN,


use rule ml_step as prepare_base_model with:
    output:
        folder=directory("results/propagation/base_models/{base_model}"),
    log:
        "logs/prepare_base_model/{base_model}.log",
    params:
        **step("textparity_studies.propagation.stories:prepare_base_model"),
        base_model=lambda wildcards: vars(PROPAGATION.base_models[wildcards.base_model]),


use rule ml_step as train_adapter with:
    input:
        stories=lambda wildcards: f"results/{PROPAGATION.story_set(wildcards.condition, wildcards.lang).texts}.parquet",
        prepared=branch(PROPAGATION.is_dequantised, then="results/propagation/base_models/{base_model}"),
    output:
        adapters=directory("results/propagation/adapters/{base_model}/{lang}.{condition}.seed{seed}"),
        training_log="results/propagation/training/{base_model}/{lang}.{condition}.seed{seed}.csv",
    log:
        "logs/train_adapter/{base_model}/{lang}.{condition}.seed{seed}.log",
    wildcard_constraints:
        seed=r"\d+",
    threads: PROPAGATION.settings.threads
    params:
        **step("textparity_studies.propagation.stories:train_adapter"),
        # This is not an output, because it exists only during a training, and must survive a kill.
        state="results/propagation/training/{base_model}/{lang}.{condition}.seed{seed}.state",
        base_model=lambda wildcards: vars(PROPAGATION.base_models[wildcards.base_model]),
        saved_steps=lambda wildcards: PROPAGATION.saved_steps(wildcards.base_model, wildcards.lang),
        # This is a param because weights depend on it; `threads` may be smaller if there are fewer cores.
        torch_threads=PROPAGATION.settings.threads,
        seed=CONFIG.seed,
        training_seed=lambda wildcards: int(wildcards.seed),


use rule ml_step as write_stories with:
    input:
        adapters=lambda wildcards: each(
            "results/propagation/adapters/{base_model}/{lang}.{condition}.seed{seed}",
            PROPAGATION.trainings_of(**wildcards),
        ),
        prepared=branch(PROPAGATION.is_dequantised, then="results/propagation/base_models/{base_model}"),
    output:
        stories="results/propagation/stories/{base_model}/{lang}.{variant}.parquet",
    log:
        "logs/write_stories/{base_model}/{lang}.{variant}.log",
    threads: PROPAGATION.settings.threads
    params:
        **step("textparity_studies.propagation.stories:write_stories"),
        base_model=lambda wildcards: vars(PROPAGATION.base_models[wildcards.base_model]),
        lang="{lang}",
        variant="{variant}",
        wanted=lambda wildcards: {
            "prompts": PROPAGATION.prompts[wildcards.lang],
            "stories": PROPAGATION.settings.stories,
            "repetitions": PROPAGATION.repetitions(**wildcards),
            "tokens": PROPAGATION.settings.story_tokens,
        },
        seed=CONFIG.seed,
        # This is a param because stories depend on it; `threads` may be smaller if there are fewer cores.
        torch_threads=PROPAGATION.settings.threads,
        # This is not an output, because it exists only during a job, and must survive a kill.
        state="results/propagation/stories/{base_model}/{lang}.{variant}.state",


use rule ml_step as measure_perplexity with:
    input:
        adapters=lambda wildcards: each(
            "results/propagation/adapters/{base_model}/{lang}.{condition}.seed{seed}",
            PROPAGATION.trainings_of(**wildcards),
        ),
        prepared=branch(PROPAGATION.is_dequantised, then="results/propagation/base_models/{base_model}"),
        texts=f"results/corpora/{PROPAGATION.settings.neutral_corpus}/{{lang}}.parquet",
    output:
        perplexity="results/propagation/perplexity/{base_model}/{lang}.{variant}.csv",
    log:
        "logs/measure_perplexity/{base_model}/{lang}.{variant}.log",
    threads: PROPAGATION.settings.threads
    params:
        **step("textparity_studies.propagation.story_measures:measure_perplexity"),
        base_model=lambda wildcards: vars(PROPAGATION.base_models[wildcards.base_model]),
        variant="{variant}",
        neutral_texts=PROPAGATION.settings.neutral_texts,
        seed=CONFIG.seed,
        torch_threads=PROPAGATION.settings.threads,


# The sentences of stories, for the tagger.
use rule core_step as split_stories with:
    input:
        stories="results/propagation/stories/{base_model}/{lang}.{variant}.parquet",
    output:
        texts="results/propagation/sentences/{base_model}/{lang}.{variant}.parquet",
    log:
        "logs/split_stories/{base_model}/{lang}.{variant}.log",
    params:
        **step("textparity_studies.propagation.story_measures:split_stories"),
        icu_locale=lambda wildcards: REGISTRY.languages[wildcards.lang].icu_locale,


if PROPAGATION.settings.tagger:

    use rule core_step as count_tagged_persons with:
        input:
            stories="results/propagation/stories/{base_model}/{lang}.{variant}.parquet",
            texts="results/propagation/sentences/{base_model}/{lang}.{variant}.parquet",
            tags=expand(
                "results/tagging/tags/propagation/sentences/{base_model}/{lang}.{variant}.{tagger}.parquet",
                tagger=PROPAGATION.settings.tagger,
                allow_missing=True,
            ),
        output:
            counts="results/propagation/polarity/{base_model}/{lang}.{variant}.parquet",
        log:
            "logs/count_tagged_persons/{base_model}/{lang}.{variant}.log",
        params:
            **step("textparity_studies.propagation.story_measures:count_tagged_persons"),


use rule ml_step as measure_diversity with:
    input:
        stories="results/propagation/stories/{base_model}/{lang}.{variant}.parquet",
        story_sets=lambda wildcards: each(
            "results/{texts}.parquet", [PROPAGATION.story_set(condition, wildcards.lang) for condition in CONDITIONS]
        ),
    output:
        diversity="results/propagation/diversity/{base_model}/{lang}.{variant}.csv",
    log:
        "logs/measure_diversity/{base_model}/{lang}.{variant}.log",
    params:
        **step("textparity_studies.propagation.story_measures:measure_diversity"),
        encoder=PROPAGATION.encoder,
        icu_locale=lambda wildcards: REGISTRY.languages[wildcards.lang].icu_locale,
        not_available=PROPAGATION.encoder_gap if CONFIG.skip_unavailable else "",


for name in ("prepare_base_model", "train_adapter", "write_stories", "measure_perplexity"):
    NEEDS[name] = lambda wildcards: PROPAGATION.base_model_gaps.get(wildcards.base_model, "")
if not CONFIG.skip_unavailable:
    NEEDS["measure_diversity"] = lambda wildcards: PROPAGATION.encoder_gap
