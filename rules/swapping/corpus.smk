"""The `swapping` study (Nahurna 2025), its corpora: annotated entities, their genders, how they are distributed."""

GENDER_LISTS = SWAP_LISTS | {"exceptions": resource(SWAPPING.settings.gender_exceptions)}


use rule core_step as read_entity_corpus with:
    input:
        sources=lambda wildcards: paths_of(REGISTRY.entity_files(wildcards.entity_corpus)),
    output:
        documents="results/swapping/{entity_corpus}/documents.parquet",
        entities="results/swapping/{entity_corpus}/entities.parquet",
        repairs="results/swapping/{entity_corpus}/repairs.csv",
    log:
        "logs/read_entity_corpus/{entity_corpus}.log",
    wildcard_constraints:
        entity_corpus=one_of(REGISTRY.entity_corpora),
    params:
        **step("textparity_studies.swapping.corpora:read_entity_corpus"),
        folder=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].folder,
        split=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].split,


# The entities belong to a corpus, or to the sentences that are swapped here to balance it.
use rule ml_step as classify_entities with:
    input:
        **GENDER_LISTS,
        documents="results/swapping/{annotated}/documents.parquet",
        entities="results/swapping/{annotated}/entities.parquet",
    output:
        genders="results/swapping/{annotated}/genders.parquet",
    log:
        "logs/classify_entities/{annotated}.log",
    wildcard_constraints:
        annotated=one_of([*REGISTRY.entity_corpora, "swapped/rules"]),
    params:
        **step("textparity_studies.swapping.genders:classify_entities"),
        stanza_folder=CONFIG.models.stanza,
        model_version=SWAPPING.parser_version,


if SWAPPING.runs:

    use rule core_step as count_entities with:
        input:
            **SWAP_CORPORA,
            captions=CONTEXT.captions("swapping"),
        output:
            tables=expand("results/swapping/tables/entities.{ending}", ending=TABLE),
        log:
            "logs/count_entities.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:count_entities"),

    use rule core_step as tabulate_composition with:
        input:
            genders=expand("results/swapping/{annotated}/genders.parquet", annotated=SWAPPING.annotated),
            captions=CONTEXT.captions("swapping"),
        output:
            tables=[
                *expand("results/swapping/tables/composition.{ending}", ending=TABLE),
                "results/swapping/tables/job_lines.csv",
            ],
        log:
            "logs/tabulate_composition.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:tabulate_composition"),


if SWAPPING.recorded_models:

    use rule ml_step as measure_recorded_recall with:
        input:
            **GENDER_LISTS,
            **SWAP_CORPORA,
            found=[SWAPPING.recorded_titles(model, "tp").path for model in SWAPPING.recorded_models],
            missed=[SWAPPING.recorded_titles(model, "fn").path for model in SWAPPING.recorded_models],
            captions=CONTEXT.captions("swapping"),
        output:
            tables=expand("results/swapping/tables/recorded_recall.{ending}", ending=TABLE),
        log:
            "logs/measure_recorded_recall.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:measure_recorded_recall"),
            stanza_folder=CONFIG.models.stanza,
            model_version=SWAPPING.parser_version,
            models=SWAPPING.recorded_models,
            confidence_level=CONFIG.bootstrap.confidence_level,


if SWAPPING.runs:

    use rule ml_step as score_genders with:
        input:
            **GENDER_LISTS,
            gold=resource(SWAPPING.settings.gender_gold),
            captions=CONTEXT.captions("swapping"),
        output:
            tables=[
                *expand("results/swapping/tables/gender_quality.{ending}", ending=TABLE),
                "results/swapping/tables/gender_errors.csv",
            ],
        log:
            "logs/score_genders.log",
        params:
            **step("textparity_studies.swapping.corpus_tables:score_genders"),
            stanza_folder=CONFIG.models.stanza,
            model_version=SWAPPING.parser_version,
            confidence_level=CONFIG.bootstrap.confidence_level,
