"""The `propagation` study (Derner 2025, §5): what is trained and measured; the rules are in the files after this one.

NEEDS  rows of resources/story_sets.tsv and resources/base_models.tsv, a neutral corpus
GIVES  results/propagation/adapters/{base_model}/{lang}.{condition}.seed{n}/  LoRA weights after each number of steps
       results/propagation/training/{base_model}/{lang}.{condition}.seed{n}.csv  per step: loss, seconds, memory
       results/propagation/stories/{base_model}/{lang}.{variant}.parquet  what each variant of a model writes
       results/propagation/perplexity/{base_model}/{lang}.{variant}.csv   per neutral text: tokens, log-likelihood
       results/propagation/diversity/{base_model}/{lang}.{variant}.csv    per repetition: diversity, repeated words
       results/propagation/tables/, results/propagation/figures/
"""

from textparity.propagation.base_models import select_base_models
from textparity.propagation.variants import study_variants

PROPAGATION_ON = "propagation" in CONFIG.studies
TRAINED_MODELS = (
    select_base_models(
        PROPAGATION.base_models, BASE_MODELS, REGISTRY.paths["base_models"]
    )
    if PROPAGATION_ON
    else []
)
# Of the paper's tables; of the dose curve; of all.
TABLE_VARIANTS = study_variants(
    PROPAGATION.training_seeds[:1], [PROPAGATION.steps]
)
DOSE_VARIANTS = study_variants(PROPAGATION.training_seeds[:1], PROPAGATION.doses)
SEED_VARIANTS = study_variants(PROPAGATION.training_seeds, [PROPAGATION.steps])
VARIANTS = list(dict.fromkeys([*TABLE_VARIANTS, *DOSE_VARIANTS, *SEED_VARIANTS]))
PROPAGATION_UNITS = [
    (model, lang, variant)
    for model in TRAINED_MODELS
    for lang in PROPAGATION.training_languages
    for variant in VARIANTS
]
STUDY_TARGETS["propagation"] = []
