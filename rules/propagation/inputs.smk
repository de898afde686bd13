"""Functions for the rules of the `propagation` study: their inputs and params; no rules."""

from textparity.studies.propagation.base_models import is_gguf
from textparity.studies.propagation.variants import BASE, Variant


def prepared_model(wildcards):
    """Return the dequantised model of a GGUF file, as a list of no or one path."""
    if not is_gguf(BASE_MODELS[wildcards.base_model]):
        return []
    return [f"results/propagation/base_models/{wildcards.base_model}"]


def base_model_row(wildcards):
    """Return the row of a base model."""
    return asdict(BASE_MODELS[wildcards.base_model])


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


def is_gender_counted(lang):
    """Whether this run counts the words of each gender in a language."""
    return (
        lang == ENGLISH
        or bool(STORY_TAGGER)
        and not (CONFIG.skip_unavailable and TAGGER_GAP)
    )


def icu_locale_of(wildcards):
    """Return the locale of the job's language."""
    return STORY_LOCALES[wildcards.lang]


def written_stories(wildcards):
    """Return what a variant of a model wrote."""
    return "results/propagation/stories/{base_model}/{lang}.{variant}.parquet".format(
        **wildcards
    )


def story_prompt(wildcards):
    """Return the parts of the prompt for stories that are sent; an empty list for one that there is not."""
    mode = LANGUAGE_MODELS[wildcards.generator].mode
    name = f"stories_{wildcards.condition}"
    files = REGISTRY.prompt_files(name, wildcards.lang, mode)
    return {
        part: files[part].path if part in files else [] for part in ("prompt", "system")
    }


def tagged_set(condition, lang):
    """Return what was tagged in a set of stories."""
    texts = story_set(condition, lang).removeprefix("results/").removesuffix(".parquet")
    return TAGS.format(texts, STORY_TAGGER)


def variants_of(variants, langs=TRAINING_LANGUAGES):
    """Return base model, language and name of every one of `variants`, for the models and languages of this run."""
    return [
        (model, lang, variant.name)
        for model in TRAINED_MODELS
        for lang in langs
        for variant in variants
    ]


def files_of(pattern, units):
    """Return the file of each base model, language and variant."""
    return [
        pattern.format(base_model=model, lang=lang, variant=variant)
        for model, lang, variant in units
    ]
