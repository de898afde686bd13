"""The `swapping` study (Nahurna 2025), its corpus: annotated entities and how they are distributed.

NEEDS  rows of resources/registry/entity_corpora.tsv
GIVES  results/swapping/{entity_corpus}/documents.parquet  id, subcorpus, split, text, lines they were swapped from
       results/swapping/{entity_corpus}/entities.parquet   document, label, start, end, text
       results/swapping/{entity_corpus}/repairs.csv        each line of the files that had to be mended
       results/swapping/{entity_corpus}/genders.parquet    each title and name: its line, its gender by procedure
       results/swapping/tables/                            entities, composition, recall by gender, errors on gold
"""

ENTITY_DIR = "results/swapping/{entity_corpus}"
ENTITY_TABLES = "results/swapping/tables"
SWAPPED_DIR = "results/swapping/swapped/{system}"
RULES_DIR = SWAPPED_DIR.format(system=RULES)
RECORDED_DIR = SWAPPED_DIR.format(system=RECORDED)
REVIEWED_DIR = SWAPPED_DIR.format(system=RECORDED_REVIEWED)
GENDER_LISTS = SWAPPING_WORD_LISTS | {
    "exceptions": resource(SWAPPING.gender_exceptions)
}


rule read_entity_corpus:
    input:
        sources=lambda wildcards: paths_of(
            REGISTRY.entity_files(wildcards.entity_corpus)
        ),
    output:
        documents=f"{ENTITY_DIR}/documents.parquet",
        entities=f"{ENTITY_DIR}/entities.parquet",
        repairs=f"{ENTITY_DIR}/repairs.csv",
    log:
        "logs/read_entity_corpus/{entity_corpus}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.entity_corpora:read_entity_corpus"),
        folder=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].folder,
        split=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].split,
    script:
        "../../scripts/step.py"


rule count_entities:
    input:
        **SCORED_CORPORA,
    output:
        table_csv=f"{ENTITY_TABLES}/entities.csv",
        table_latex=f"{ENTITY_TABLES}/entities.tex",
    log:
        "logs/count_entities.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.tables:count_entities"),
    script:
        "../../scripts/step.py"


rule classify_entities:
    input:
        **GENDER_LISTS,
        documents=rules.read_entity_corpus.output.documents,
        entities=rules.read_entity_corpus.output.entities,
    output:
        genders=f"{ENTITY_DIR}/genders.parquet",
    log:
        "logs/classify_entities/{entity_corpus}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.gender.classification:classify_entities"),
        stanza_folder=CONFIG.models.stanza,
        model_version=parser_version(CONFIG.models.stanza),
    script:
        "../../scripts/step.py"


# Of the sentences that are swapped here, where they balance the corpus.
use rule classify_entities as classify_swapped_entities with:
    input:
        **GENDER_LISTS,
        documents=f"{SWAPPED_DIR}/documents.parquet",
        entities=f"{SWAPPED_DIR}/entities.parquet",
    output:
        genders=f"{SWAPPED_DIR}/genders.parquet",
    log:
        "logs/classify_swapped_entities/{system}.log",
    wildcard_constraints:
        system=RULES,


rule tabulate_composition:
    input:
        genders=BOTH_CORPORA["genders"],
    output:
        composition_csv=f"{ENTITY_TABLES}/composition.csv",
        composition_latex=f"{ENTITY_TABLES}/composition.tex",
        job_lines_csv=f"{ENTITY_TABLES}/job_lines.csv",
    log:
        "logs/tabulate_composition.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.tables:tabulate_composition"),
    script:
        "../../scripts/step.py"


rule measure_recorded_recall:
    input:
        **GENDER_LISTS,
        **SCORED_CORPORA,
        found=recorded_titles("found"),
        missed=recorded_titles("missed"),
    output:
        recall_csv=f"{ENTITY_TABLES}/recorded_recall.csv",
        recall_latex=f"{ENTITY_TABLES}/recorded_recall.tex",
    log:
        "logs/measure_recorded_recall.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity.studies.swapping.gender.evaluation:measure_recorded_recall"
        ),
        stanza_folder=CONFIG.models.stanza,
        model_version=parser_version(CONFIG.models.stanza),
        models=RECORDED_MODELS,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule score_genders:
    input:
        **GENDER_LISTS,
        gold=resource(SWAPPING.gender_gold),
    output:
        quality_csv=f"{ENTITY_TABLES}/gender_quality.csv",
        quality_latex=f"{ENTITY_TABLES}/gender_quality.tex",
        errors_csv=f"{ENTITY_TABLES}/gender_errors.csv",
    log:
        "logs/score_genders.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.swapping.gender.evaluation:score_genders"),
        stanza_folder=CONFIG.models.stanza,
        model_version=parser_version(CONFIG.models.stanza),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


STUDY_TARGETS["swapping"] = (
    [
        *collect(rules.read_entity_corpus.output.repairs, entity_corpus=ENTITY_CORPORA),
        *rules.count_entities.output,
        *rules.tabulate_composition.output,
        # Recorded for the paper's corpus alone.
        *(
            rules.measure_recorded_recall.output
            if IS_PAPERS_CORPUS and RECORDED_MODELS
            else []
        ),
        *rules.score_genders.output,
    ]
    if SWAPPING_ON
    else []
)
