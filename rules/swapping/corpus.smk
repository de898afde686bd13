"""The `swapping` study (Nahurna 2025), its corpora: annotated entities, their genders, how they are distributed.

NEEDS  rows of resources/registry/entity_corpora.tsv, word lists
GIVES  results/swapping/{entity_corpus}/documents.parquet  id, subcorpus, split, text, lines they were swapped from
       results/swapping/{entity_corpus}/entities.parquet   document, label, start, end, text
       results/swapping/{entity_corpus}/repairs.csv        each line of the files that is fixed
       results/swapping/{entity_corpus}/genders.parquet    each title and name: its line, its gender by procedure
       results/swapping/tables/                            entities, composition, genders on gold, re-anchoring
"""

SWAPPING = PLANS["swapping"]


rule read_entity_corpus:
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
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.corpora:read_entity_corpus"),
        folder=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].folder,
        split=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].split,
    script:
        "../../scripts/step.py"


# The entities belong to a corpus, or to the sentences that are swapped here to balance it.
rule classify_entities:
    input:
        **SWAPPING.gender_lists,
        documents="results/swapping/{annotated}/documents.parquet",
        entities="results/swapping/{annotated}/entities.parquet",
    output:
        genders="results/swapping/{annotated}/genders.parquet",
    log:
        "logs/classify_entities/{annotated}.log",
    wildcard_constraints:
        annotated=one_of([*REGISTRY.entity_corpora, "swapped/rules"]),
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.genders:classify_entities"),
        stanza_folder=CONFIG.models.stanza,
        model_version=SWAPPING.parser_version,
    script:
        "../../scripts/step.py"


rule count_entities:
    input:
        **SWAPPING.both_corpora,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["count_entities"],
    log:
        "logs/count_entities.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:count_entities"),
    script:
        "../../scripts/step.py"


rule tabulate_composition:
    input:
        genders=SWAPPING.genders,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["tabulate_composition"],
    log:
        "logs/tabulate_composition.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:tabulate_composition"),
    script:
        "../../scripts/step.py"


rule measure_reanchoring:
    input:
        **SWAPPING.both_corpora,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["measure_reanchoring"],
    log:
        "logs/measure_reanchoring.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:measure_reanchoring"),
    script:
        "../../scripts/step.py"


rule score_genders:
    input:
        **SWAPPING.gender_lists,
        gold=resource(SWAPPING.settings.gender_gold),
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["score_genders"],
    log:
        "logs/score_genders.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:score_genders"),
        stanza_folder=CONFIG.models.stanza,
        model_version=SWAPPING.parser_version,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule measure_recorded_recall:
    input:
        **SWAPPING.gender_lists,
        **SWAPPING.recorded_titles,
        captions=CONTEXT.captions("swapping"),
    output:
        tables=SWAPPING.tables["measure_recorded_recall"],
    log:
        "logs/measure_recorded_recall.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.swapping.corpus_tables:measure_recorded_recall"),
        stanza_folder=CONFIG.models.stanza,
        model_version=SWAPPING.parser_version,
        models=SWAPPING.recorded_models,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"
