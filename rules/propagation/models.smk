"""The `propagation` study (Derner 2025, §5): what is trained and measured; the rules are in the files after this one.

NEEDS  rows of resources/registry/story_sets.tsv and resources/registry/base_models.tsv, a neutral corpus
GIVES  results/propagation/story_sets/{condition}/{lang}.parquet  where a language model writes the sets of stories
       results/propagation/adapters/{base_model}/{lang}.{condition}.seed{n}/  LoRA weights after each number of steps
       results/propagation/training/{base_model}/{lang}.{condition}.seed{n}.csv  per step: loss, seconds, memory
       results/propagation/stories/{base_model}/{lang}.{variant}.parquet  what each variant of a model writes
       results/propagation/perplexity/{base_model}/{lang}.{variant}.csv   per neutral text: tokens, log-likelihood
       results/propagation/diversity/{base_model}/{lang}.{variant}.csv    per repetition: diversity, repeated words
       results/propagation/tables/, results/propagation/figures/
"""

from textparity.report.ledger import NOT_ASKED, NOT_HERE
from textparity.studies.propagation.availability import (
    check_story_models,
    story_set_gaps,
)
from textparity.studies.propagation.base_models import (
    missing_base_model,
    select_base_models,
)
from textparity.studies.propagation.story_sets import (
    ASKED_CONDITIONS,
    check_story_languages,
    load_story_sets,
)
from textparity.studies.propagation.variants import study_variants

PROPAGATION_ON = "propagation" in CONFIG.studies
BASE_MODEL_GAPS = {
    name: f"{NOT_HERE}: {reason}"
    for name in select_base_models(
        PROPAGATION.base_models, BASE_MODELS, REGISTRY.paths["base_models"]
    )
    if PROPAGATION_ON and (reason := missing_base_model(BASE_MODELS[name]))
}
TRAINED_MODELS = [
    name
    for name in (PROPAGATION.base_models if PROPAGATION_ON else [])
    if not (CONFIG.skip_unavailable and name in BASE_MODEL_GAPS)
]
# Of the paper's tables; of the dose curve; of all.
TABLE_VARIANTS = study_variants(PROPAGATION.training_seeds[:1], [PROPAGATION.steps])
DOSE_VARIANTS = study_variants(PROPAGATION.training_seeds[:1], PROPAGATION.doses)
SEED_VARIANTS = study_variants(PROPAGATION.training_seeds, [PROPAGATION.steps])
VARIANTS = list(dict.fromkeys([*TABLE_VARIANTS, *DOSE_VARIANTS, *SEED_VARIANTS]))
STORY_SETS = load_story_sets(REGISTRY.paths["story_sets"])
STORY_GENERATOR = PROPAGATION.story_generator
STORY_SET_GAPS = {}
if PROPAGATION_ON:
    for key in ("languages", "training_languages"):
        check_story_languages(
            getattr(PROPAGATION, key), STORY_SETS, key, REGISTRY.paths["story_sets"]
        )
    check_story_models(
        REGISTRY,
        CONFIG,
        LANGUAGE_MODELS,
        tagger=[REPRESENTATION.prompt],
        story_generator=[f"stories_{condition}" for condition in ASKED_CONDITIONS],
    )
    STORY_SET_GAPS = (
        {unit: gap for unit in STORY_SETS if (gap := MODEL_GAPS[STORY_GENERATOR])}
        if STORY_GENERATOR
        else story_set_gaps(REGISTRY, CONFIG, STORY_SETS)
    )


def story_set(condition, lang):
    """Return the stories of a condition: the published set, or what a language model wrote."""
    if STORY_GENERATOR:
        return f"results/propagation/story_sets/{condition}/{lang}.parquet"
    return f"results/corpora/{STORY_SETS[condition, lang]}/{lang}.parquet"


def has_story_sets(lang):
    """Whether this run has, or makes, the sets of stories of a language."""
    gaps = [gap for gap in STORY_SET_GAPS if gap[1] == lang]
    return not (CONFIG.skip_unavailable and gaps)


TRAINING_LANGUAGES = list(filter(has_story_sets, PROPAGATION.training_languages))
PROPAGATION_UNITS = [
    (model, lang, variant)
    for model in TRAINED_MODELS
    for lang in TRAINING_LANGUAGES
    for variant in VARIANTS
]
if CONFIG.skip_unavailable:
    NOT_RUN["propagation"] += [
        [name, lang, "", reason]
        for name, reason in BASE_MODEL_GAPS.items()
        for lang in TRAINING_LANGUAGES
    ]
STUDY_TARGETS["propagation"] = []
