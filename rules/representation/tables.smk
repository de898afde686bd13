"""The `representation` study (Derner 2025, §3–4, App. C, D, I): its tables.

NEEDS  results/polarity/corpora/{corpus}/eng.parquet, results/tagging/{answers,tags}/, annotated sentences, lexicons,
       results/persons/nouns/{lang}.txt and spaCy pipelines where installed
GIVES  results/gold/{gold}.parquet                         the annotated sentences, to be tagged like any corpus
       results/persons/corpora/{corpus}/{lang}.parquet     per text: mentions of each gender, by each method
       results/representation/{polarity,tags}_summary.csv  totals, ratios, intervals
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
        **step("textparity_studies.representation.scores:list_gold_texts"),
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
            "textparity_studies.representation.persons:count_persons",
            "textparity.persons.dictionary_finder",
        ),
        name="corpora/{corpus}/{lang}",
        counting=REPRESENTATION.counting,
    script:
        "../../scripts/step.py"


rule tabulate_published_numbers:
    input:
        published=resource("resources/representation/published.csv"),
        captions=CONTEXT.captions("representation"),
    output:
        tables=REPRESENTATION.tables["published"],
    log:
        "logs/tabulate_published_numbers.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.tables:tabulate_published_numbers"),
    script:
        "../../scripts/step.py"


rule tabulate_polarity:
    input:
        counts=REPRESENTATION.polarity_counts,
        captions=CONTEXT.captions("representation"),
    output:
        tables=REPRESENTATION.tables["polarity"],
    log:
        "logs/tabulate_polarity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.tables:tabulate_polarity"),
        **BOOTSTRAP,
        corpus_names=REPRESENTATION.corpus_names,
    script:
        "../../scripts/step.py"


rule tabulate_tags:
    input:
        tags=REPRESENTATION.corpus_tags,
        captions=CONTEXT.captions("representation"),
    output:
        tables=REPRESENTATION.tables["tags"],
    log:
        "logs/tabulate_tags.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.tables:tabulate_tags"),
        **BOOTSTRAP,
        corpus_names=REPRESENTATION.corpus_names,
    script:
        "../../scripts/step.py"


rule tabulate_persons:
    input:
        counts=REPRESENTATION.person_counts,
        published=resource("resources/representation/published.csv"),
        captions=CONTEXT.captions("representation"),
    output:
        tables=REPRESENTATION.tables["persons"],
    log:
        "logs/tabulate_persons.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.tables:tabulate_persons"),
        **BOOTSTRAP,
        corpus_names=REPRESENTATION.corpus_names,
    script:
        "../../scripts/step.py"


rule tabulate_answers:
    input:
        tags=REPRESENTATION.gold_tags + REPRESENTATION.corpus_tags,
        captions=CONTEXT.captions("representation"),
    output:
        tables=REPRESENTATION.tables["answers"],
    log:
        "logs/tabulate_answers.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.tables:tabulate_answers"),
    script:
        "../../scripts/step.py"


rule score_taggers:
    input:
        gold=REPRESENTATION.gold_files,
        answers=REPRESENTATION.gold_answers,
        tags=REPRESENTATION.gold_tags,
        captions=CONTEXT.captions("representation"),
    output:
        tables=REPRESENTATION.tables["scores"],
    log:
        "logs/score_taggers.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.representation.scores:tabulate_scores"),
        **BOOTSTRAP,
        gold_names=REPRESENTATION.gold,
    script:
        "../../scripts/step.py"


if DRY_RUN:
    REPRESENTATION.tagging.report_estimates(
        REPRESENTATION.units, recorded_answers(), logger.info
    )
