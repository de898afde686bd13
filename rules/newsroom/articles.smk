"""The `newsroom` study (Urchs 2025): who is mentioned in newspaper articles, how, and a balanced corpus.

Each corpus of articles is parsed once. Both procedures measure it in parts, flag its articles, and balance it. The
annotated passages, on which tables.smk scores the rules, are parsed like a corpus.
"""

from functools import partial

from textparity_studies.newsroom.rows import article_files, document_ids_files
from textparity_studies.newsroom.settings import (
    STAGES,
    language_suffix,
    missing_pipeline,
    pipeline_version,
    sentiment_method,
)

NEWSROOM = PLANS["newsroom"]
# The panels of Figures 1 to 3.
PANELS = ["references", "quotes", "roles"]
PARTS = range(CONFIG.newsroom.parts)
# The values of wildcards in the files of all corpora, and of the balanced ones.
MEASURED = {"article_corpus": NEWSROOM.corpora, "procedure": PROCEDURES}
BALANCED = MEASURED | {"procedure": [name for name in PROCEDURES if name in CONFIG.newsroom.balance.procedures]}
# Wildcards without values stay.
fill = partial(expand, allow_missing=True)


wildcard_constraints:
    article_corpus=one_of(REGISTRY.article_corpora),
    gold_corpus=one_of(NEWSROOM.gold_corpora),


use rule core_step as read_articles with:
    input:
        sources=lambda wildcards: paths_of(article_files(REGISTRY, wildcards.article_corpus)),
        document_ids=lambda wildcards: paths_of(document_ids_files(REGISTRY, wildcards.article_corpus)),
    output:
        articles=fill("results/newsroom/{article_corpus}/articles/{part}.parquet", part=PARTS),
        rejected="results/newsroom/{article_corpus}/rejected.csv",
    log:
        "logs/read_articles/{article_corpus}.log",
    params:
        **step("textparity_studies.newsroom.articles:read_articles"),
        corpus="{article_corpus}",
        lang=lambda wildcards: NEWSROOM.langs[wildcards.article_corpus],
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].form,


# The version of the pipeline is a param so that a different one parses again.
use rule ml_step as parse_articles with:
    input:
        articles="results/newsroom/{article_corpus}/articles/{part}.parquet",
    output:
        annotations="results/newsroom/{article_corpus}/annotations/{part}.parquet",
    log:
        "logs/parse_articles/{article_corpus}/{part}.log",
    threads: ALL_CORES
    params:
        **step("textparity_studies.newsroom.annotations:parse_articles"),
        model=lambda wildcards: NEWSROOM.model(wildcards.article_corpus),
        model_version=lambda wildcards: pipeline_version(NEWSROOM.model(wildcards.article_corpus)),
        coreference=CONFIG.newsroom.coreference,


NEEDS["parse_articles"] = lambda wildcards: missing_pipeline(NEWSROOM.model(wildcards.article_corpus))


use rule ml_step as annotate_gold with:
    input:
        gold=lambda wildcards: NEWSROOM.gold(wildcards.gold_corpus),
        conllu_file=lambda wildcards: NEWSROOM.annotations.get(wildcards.gold_corpus, []),
    output:
        annotations="results/newsroom/{gold_corpus}/annotations/0.parquet",
    log:
        "logs/annotate_gold/{gold_corpus}.log",
    params:
        **step("textparity_studies.newsroom.scores:annotate_gold"),
        model=lambda wildcards: NEWSROOM.model(wildcards.gold_corpus),
        model_version=lambda wildcards: pipeline_version(NEWSROOM.model(wildcards.gold_corpus)),
        coreference=CONFIG.newsroom.coreference,
        lang=lambda wildcards: NEWSROOM.langs[wildcards.gold_corpus],


use rule core_step as import_annotations with:
    input:
        conllu_file=lambda wildcards: NEWSROOM.annotations[wildcards.article_corpus],
        articles="results/newsroom/{article_corpus}/articles/0.parquet",
    output:
        annotations="results/newsroom/{article_corpus}/annotations/0.parquet",
    log:
        "logs/import_annotations/{article_corpus}.log",
    wildcard_constraints:
        article_corpus=one_of(name for name in NEWSROOM.annotations if name in REGISTRY.article_corpora),
    params:
        **step("textparity_studies.newsroom.annotations:import_annotations"),


ruleorder: import_annotations > parse_articles


use rule ml_step as measure_articles with:
    input:
        unpack(lambda wildcards: NEWSROOM.word_lists(wildcards.article_corpus)),
        annotations="results/newsroom/{article_corpus}/annotations/{part}.parquet",
    output:
        actors="results/newsroom/{article_corpus}/{procedure}/actors/{part}.parquet",
        measures="results/newsroom/{article_corpus}/{procedure}/measures/{part}.parquet",
        words="results/newsroom/{article_corpus}/{procedure}/words/{part}.parquet",
        pronoun_shares="results/newsroom/{article_corpus}/{procedure}/pronoun_shares/{part}.csv",
        inclusive_forms="results/newsroom/{article_corpus}/{procedure}/inclusive_forms/{part}.parquet",
    log:
        "logs/measure_articles/{article_corpus}/{procedure}/{part}.log",
    params:
        **step("textparity_studies.newsroom.measuring:measure_articles"),
        procedure="{procedure}",
        pronoun_share=CONFIG.newsroom.pronoun_share,
        sentiment=lambda wildcards: sentiment_method(
            CONFIG.newsroom.sentiment, NEWSROOM.langs[wildcards.article_corpus]
        ),
        lang=lambda wildcards: NEWSROOM.langs[wildcards.article_corpus],


use rule core_step as summarise_articles with:
    input:
        measures=fill("results/newsroom/{article_corpus}/{procedure}/measures/{part}.parquet", part=PARTS),
        words=fill("results/newsroom/{article_corpus}/{procedure}/words/{part}.parquet", part=PARTS),
    output:
        tables=[
            "results/newsroom/{article_corpus}/{procedure}/summary.csv",
            "results/newsroom/{article_corpus}/{procedure}/top_words.csv",
        ],
    log:
        "logs/summarise_articles/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.summary:summarise_articles"),
        **BOOTSTRAP,
        procedure="{procedure}",
        minimum_count=CONFIG.newsroom.minimum_count,


use rule core_step as flag_articles with:
    input:
        measures=fill("results/newsroom/{article_corpus}/{procedure}/measures/{part}.parquet", part=PARTS),
    output:
        flags="results/newsroom/{article_corpus}/{procedure}/flags.parquet",
    log:
        "logs/flag_articles/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.balance:flag_articles"),
        procedure="{procedure}",
        thresholds=CONFIG.newsroom.flags.model_dump(exclude={"minimum"}),
        minimum_flags=CONFIG.newsroom.flags.minimum,


use rule core_step as balance_corpus with:
    input:
        measures=fill("results/newsroom/{article_corpus}/{procedure}/measures/{part}.parquet", part=PARTS),
        flags="results/newsroom/{article_corpus}/{procedure}/flags.parquet",
    output:
        kept="results/newsroom/{article_corpus}/{procedure}/kept.parquet",
        excluded="results/newsroom/{article_corpus}/{procedure}/excluded.csv",
        ratios="results/newsroom/{article_corpus}/{procedure}/ratios.csv",
        balanced_summary="results/newsroom/{article_corpus}/{procedure}/balanced_summary.csv",
    log:
        "logs/balance_corpus/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.balance:balance_corpus"),
        **BOOTSTRAP,
        procedure="{procedure}",
        lower=CONFIG.newsroom.balance.lower,
        upper=CONFIG.newsroom.balance.upper,


# The corpus in the format of its files. If the range was not reached, the folder has the reason, and how far balancing
# got.
use rule core_step as write_balanced_corpus with:
    input:
        sources=rules.read_articles.input.sources,
        document_ids=rules.read_articles.input.document_ids,
        excluded="results/newsroom/{article_corpus}/{procedure}/excluded.csv",
        ratios="results/newsroom/{article_corpus}/{procedure}/ratios.csv",
    output:
        folder=directory("results/newsroom/{article_corpus}/{procedure}/balanced"),
    log:
        "logs/write_balanced_corpus/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.balance:write_balanced_corpus"),
        corpus="{article_corpus}",
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].form,
