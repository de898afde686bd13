"""The `newsroom` study (Urchs 2025): who is mentioned in newspaper articles, how, and a balanced corpus.

NEEDS  rows of resources/article_corpora.tsv, a spaCy pipeline (or annotations), German word lists, annotated passages
GIVES  results/newsroom/{news}/articles/{part}.parquet       id, group, text; what was not taken in rejected.csv
       results/newsroom/{news}/annotations/{part}.parquet    tokens, names, roles: parsed once
       results/newsroom/{news}/{procedure}/…/{part}.parquet  actors, measures (per article), words
       results/newsroom/{news}/{procedure}/                  summary, top words, flags, exclusions, ratios
       results/newsroom/{news}/{procedure}/balanced/         the balanced corpus in the input's own format
       results/newsroom/{tables,figures,pages}/
"""

NEWSROOM_DIR = "results/newsroom/{news}"
MEASURES = NEWSROOM_DIR + "/{procedure}/measures/{part}.parquet"
WORD_COUNTS = NEWSROOM_DIR + "/{procedure}/words/{part}.parquet"


rule read_articles:
    input:
        sources=lambda wildcards: article_sources(wildcards.news),
        document_ids=lambda wildcards: article_document_ids(wildcards.news),
    output:
        articles=collect(
            NEWSROOM_DIR + "/articles/{part}.parquet",
            part=NEWSROOM_PARTS,
            allow_missing=True,
        ),
        rejected=NEWSROOM_DIR + "/rejected.csv",
    log:
        "logs/read_articles/{news}.log",
    wildcard_constraints:
        news=one_of(REGISTRY.article_corpora),
    params:
        corpus="{news}",
        lang=lambda wildcards: REGISTRY.article_corpora[wildcards.news].lang,
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.news].form,
        code_digest=code_digest("textparity.newsroom.articles"),
    script:
        "../scripts/read_articles.py"


rule list_gold_passages:
    input:
        gold=resource(NEWSROOM.gold),
    output:
        articles=f"results/newsroom/{GOLD_CORPUS}/articles/0.parquet",
    log:
        "logs/list_gold_passages.log",
    params:
        code_digest=code_digest("textparity.newsroom.quality"),
    script:
        "../scripts/list_gold_passages.py"


rule parse_articles:
    input:
        articles=NEWSROOM_DIR + "/articles/{part}.parquet",
    output:
        annotations=NEWSROOM_DIR + "/annotations/{part}.parquet",
    log:
        "logs/parse_articles/{news}/{part}.log",
    threads: workflow.cores
    params:
        model=NEWSROOM.spacy_model,
        coreference=NEWSROOM.coreference,
        model_version=pipeline_version(NEWSROOM.spacy_model),
        code_digest=code_digest("textparity.newsroom.parsing"),
    script:
        "../scripts/parse_articles.py"


rule import_annotations:
    input:
        conllu_file=lambda wildcards: resource(NEWSROOM.annotations[wildcards.news]),
        articles=NEWSROOM_DIR + "/articles/0.parquet",
    output:
        annotations=NEWSROOM_DIR + "/annotations/0.parquet",
    log:
        "logs/import_annotations/{news}.log",
    wildcard_constraints:
        news=one_of(NEWSROOM.annotations),
    params:
        code_digest=code_digest("textparity.newsroom.conllu_files"),
    script:
        "../scripts/import_annotations.py"


ruleorder: import_annotations > parse_articles


rule measure_articles:
    input:
        annotations=NEWSROOM_DIR + "/annotations/{part}.parquet",
        **NEWSROOM_WORD_LISTS,
    output:
        actors=NEWSROOM_DIR + "/{procedure}/actors/{part}.parquet",
        articles=MEASURES,
        words=WORD_COUNTS,
    log:
        "logs/measure_articles/{news}/{procedure}/{part}.log",
    params:
        procedure="{procedure}",
        pronoun_share=NEWSROOM.pronoun_share,
        sentiment=sentiment_method(NEWSROOM.sentiment),
        code_digest=code_digest("textparity.newsroom.measuring"),
    script:
        "../scripts/measure_articles.py"


rule score_rules:
    input:
        gold=resource(NEWSROOM.gold),
        annotations=f"results/newsroom/{GOLD_CORPUS}/annotations/0.parquet",
        **NEWSROOM_WORD_LISTS,
    output:
        table_csv="results/newsroom/tables/quality.csv",
        table_latex="results/newsroom/tables/quality.tex",
    log:
        "logs/score_rules.log",
    params:
        pronoun_share=NEWSROOM.pronoun_share,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
        code_digest=code_digest("textparity.newsroom.quality"),
    script:
        "../scripts/score_rules.py"
