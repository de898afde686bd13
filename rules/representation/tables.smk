"""The `representation` study (Derner 2025, §3–4, App. C, D, I): its tables.

NEEDS  results/polarity/corpora/{corpus}/eng.parquet, results/tagging/{answers,tags}/, annotated sentences, lexicons,
       results/persons/nouns/{lang}.txt and spaCy pipelines where installed
GIVES  results/gold/{gold}.parquet                         the annotated sentences, to be tagged like any corpus
       results/persons/corpora/{corpus}/{lang}.parquet     per text: mentions of each gender, by each method
       results/representation/{polarity,tags}_summary.parquet  totals, ratios, intervals
       results/representation/scores.csv                   language models against annotators, per run
       results/representation/tables/
"""

REPRESENTATION = PLANS["representation"]


rule list_gold_texts:
    input:
        gold=lambda wildcards: REGISTRY.file_of(REGISTRY.gold[wildcards.gold]).path,
    output:
        texts="results/gold/{gold}.parquet",
    log:
        "logs/list_gold_texts/{gold}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.gold:list_gold_texts"),
        name="{gold}",
        lang=lambda wildcards: REGISTRY.gold[wildcards.gold].lang,
    script:
        "../../scripts/step.py"


rule count_persons:
    input:
        texts="results/corpora/{corpus}/{lang}.parquet",
        tools=REPRESENTATION.person_tools,
    output:
        counts="results/persons/corpora/{corpus}/{lang}.parquet",
    log:
        "logs/count_persons/{corpus}_{lang}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity_studies.measures.person_counts:count_persons",
            "textparity.persons.ukrainian.dictionary_finder",
        ),
        name="corpora/{corpus}/{lang}",
        counting=REPRESENTATION.counting,
    script:
        "../../scripts/step.py"


rule tabulate_representation:
    input:
        **REPRESENTATION.table_inputs(),
        published=resource("resources/representation/published.csv"),
    output:
        **REPRESENTATION.tables,
    log:
        "logs/tabulate_representation.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.tables:tabulate"),
        **BOOTSTRAP,
        gold_names=REPRESENTATION.gold,
        corpus_names=REPRESENTATION.corpus_names,
    script:
        "../../scripts/step.py"


if DRY_RUN:
    REPRESENTATION.tagging.say_estimates(
        REPRESENTATION.units, recorded_answers(), logger.info
    )
