"""The `swapping` study (Nahurna 2025), its corpus: annotated entities and how they are distributed.

NEEDS  rows of resources/entity_corpora.tsv
GIVES  results/swapping/{entity_corpus}/documents.parquet  id, subcorpus, split, text, lines they were swapped from
       results/swapping/{entity_corpus}/entities.parquet   document, label, start, end, text
       results/swapping/{entity_corpus}/repairs.csv        each line of the files that had to be mended
       results/swapping/tables/
"""

ENTITY_DIR = "results/swapping/{entity_corpus}"
ENTITY_TABLES = "results/swapping/tables"


rule read_entity_corpus:
    input:
        sources=lambda wildcards: entity_sources(wildcards.entity_corpus),
    output:
        documents=ENTITY_DIR + "/documents.parquet",
        entities=ENTITY_DIR + "/entities.parquet",
        repairs=ENTITY_DIR + "/repairs.csv",
    log:
        "logs/read_entity_corpus/{entity_corpus}.log",
    params:
        folder=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].folder,
        split=lambda wildcards: REGISTRY.entity_corpora[wildcards.entity_corpus].split,
        code_digest=code_digest("textparity.swapping.entity_corpora"),
    script:
        "../scripts/read_entity_corpus.py"


rule count_entities:
    input:
        documents=[
            entity_rows(SWAPPING.corpus, "documents"),
            entity_rows(SWAPPING.swapped, "documents"),
        ],
        entities=[
            entity_rows(SWAPPING.corpus, "entities"),
            entity_rows(SWAPPING.swapped, "entities"),
        ],
    output:
        table_csv=ENTITY_TABLES + "/entities.csv",
        table_latex=ENTITY_TABLES + "/entities.tex",
    log:
        "logs/count_entities.log",
    params:
        code_digest=code_digest("textparity.swapping.entity_counts"),
    script:
        "../scripts/count_entities.py"


STUDY_TARGETS["swapping"] = (
    [
        *collect(rules.read_entity_corpus.output.repairs, entity_corpus=ENTITY_CORPORA),
        *rules.count_entities.output,
    ]
    if SWAPPING_ON
    else []
)
