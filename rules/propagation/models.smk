"""The `propagation` study (Derner 2025, §5, App. F, G): models that continue training on sets of stories, and write.

NEEDS  sets of stories, rows of resources/registry/{base_models,story_prompts}.tsv, a neutral corpus, an encoder
GIVES  results/propagation/base_models/{base_model}/  a model of a GGUF file, dequantised
       results/propagation/adapters/{base_model}/{lang}.{condition}.seed{n}/step{k}/  LoRA weights, as peft writes them
       results/propagation/training/{base_model}/{lang}.{condition}.seed{n}.csv  step, loss, learning_rate, tokens,
                                                                               seconds, peak_memory_mb
       results/propagation/stories/{base_model}/{lang}.{variant}.parquet    a story a row
       results/propagation/sentences/{base_model}/{lang}.{variant}.parquet  of stories, for the tagger
       results/propagation/polarity/{base_model}/{lang}.{variant}.parquet   per story: tagged persons of each gender
       results/propagation/diversity/{base_model}/{lang}.{variant}.csv      per repetition: diversity, repeated words
       results/propagation/perplexity/{base_model}/{lang}.{variant}.csv     per neutral text: tokens, log-likelihood
"""

PROPAGATION = PLANS["propagation"]


wildcard_constraints:
    base_model=one_of(PROPAGATION.base_models),
    condition=one_of(PROPAGATION.conditions),
    variant=PROPAGATION.variant_pattern,


rule prepare_base_model:
    output:
        folder=directory(PROPAGATION.prepared),
    log:
        "logs/prepare_base_model/{base_model}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.propagation.stories:prepare_base_model"),
        base_model=lambda wildcards: PROPAGATION.base_model_row(wildcards.base_model),
    script:
        "../../scripts/step.py"


rule train_adapter:
    input:
        stories=lambda wildcards: PROPAGATION.story_set(wildcards.condition, wildcards.lang),
        prepared=lambda wildcards: PROPAGATION.prepared_model(wildcards.base_model),
    output:
        adapters=directory(PROPAGATION.adapters),
        training_log=f"{PROPAGATION.training}.csv",
    log:
        "logs/train_adapter/{base_model}/{lang}.{condition}.seed{seed}.log",
    wildcard_constraints:
        seed=r"\d+",
    conda:
        "../../envs/ml.yaml"
    threads: PROPAGATION.settings.threads
    params:
        **step("textparity_studies.propagation.stories:train_adapter"),
        # This is not an output, because it exists only during a training, and must survive a kill.
        state=f"{PROPAGATION.training}.state",
        base_model=lambda wildcards: PROPAGATION.base_model_row(wildcards.base_model),
        saved_steps=lambda wildcards: PROPAGATION.saved_steps(wildcards.base_model, wildcards.lang),
        # This is a param because weights depend on it; `threads` may be smaller if there are fewer cores.
        torch_threads=PROPAGATION.settings.threads,
        seed=CONFIG.seed,
        training_seed=lambda wildcards: int(wildcards.seed),
    script:
        "../../scripts/step.py"


rule write_stories:
    input:
        unpack(lambda wildcards: PROPAGATION.model_inputs(**wildcards)),
    output:
        stories=f"{PROPAGATION.stories}.parquet",
    log:
        "logs/write_stories/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/ml.yaml"
    threads: PROPAGATION.settings.threads
    params:
        **step("textparity_studies.propagation.stories:write_stories"),
        base_model=lambda wildcards: PROPAGATION.base_model_row(wildcards.base_model),
        lang="{lang}",
        variant="{variant}",
        wanted=lambda wildcards: PROPAGATION.story_request(**wildcards),
        seed=CONFIG.seed,
        # This is a param because stories depend on it; `threads` may be smaller if there are fewer cores.
        torch_threads=PROPAGATION.settings.threads,
        # This is not an output, because it exists only during a job, and must survive a kill.
        state=f"{PROPAGATION.stories}.state",
    script:
        "../../scripts/step.py"


rule measure_perplexity:
    input:
        unpack(lambda wildcards: PROPAGATION.model_inputs(**wildcards)),
        texts=f"results/corpora/{PROPAGATION.settings.neutral_corpus}/{{lang}}.parquet",
    output:
        perplexity=PROPAGATION.perplexity,
    log:
        "logs/measure_perplexity/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/ml.yaml"
    threads: PROPAGATION.settings.threads
    params:
        **step("textparity_studies.propagation.story_measures:measure_perplexity"),
        base_model=lambda wildcards: PROPAGATION.base_model_row(wildcards.base_model),
        variant="{variant}",
        neutral_texts=PROPAGATION.settings.neutral_texts,
        seed=CONFIG.seed,
        torch_threads=PROPAGATION.settings.threads,
    script:
        "../../scripts/step.py"


rule split_stories:
    input:
        stories=f"{PROPAGATION.stories}.parquet",
    output:
        texts=PROPAGATION.sentences,
    log:
        "logs/split_stories/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.story_measures:split_stories"),
        icu_locale=lambda wildcards: PROPAGATION.locale(wildcards.lang),
    script:
        "../../scripts/step.py"


rule count_tagged_persons:
    input:
        stories=f"{PROPAGATION.stories}.parquet",
        texts=PROPAGATION.sentences,
        tags=PROPAGATION.sentence_tags,
    output:
        counts=PROPAGATION.persons,
    log:
        "logs/count_tagged_persons/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.story_measures:count_tagged_persons"),
    script:
        "../../scripts/step.py"


rule measure_diversity:
    input:
        stories=f"{PROPAGATION.stories}.parquet",
        story_sets=lambda wildcards: PROPAGATION.story_sets(wildcards.lang),
    output:
        diversity=PROPAGATION.diversity,
    log:
        "logs/measure_diversity/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.propagation.story_measures:measure_diversity"),
        encoder=PROPAGATION.encoder,
        icu_locale=lambda wildcards: PROPAGATION.locale(wildcards.lang),
        not_available=PROPAGATION.encoder_gap if CONFIG.skip_unavailable else "",
    script:
        "../../scripts/step.py"
