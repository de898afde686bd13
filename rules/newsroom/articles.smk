"""The `newsroom` study (Urchs 2025): who is mentioned in newspaper articles, how, and a balanced corpus.

NEEDS  rows of resources/registry/article_corpora.tsv, a spaCy pipeline (or annotations) and word lists of their language, annotated passages
GIVES  results/newsroom/{article_corpus}/articles/{part}.parquet       id, group, text; what was not taken in rejected.csv
       results/newsroom/{article_corpus}/annotations/{part}.parquet    tokens, names, roles: parsed once
       results/newsroom/{article_corpus}/{procedure}/…/{part}.parquet  actors, measures (per article), words, inclusive forms, pronoun shares
       results/newsroom/{article_corpus}/{procedure}/                  summary, top words, flags, exclusions, ratios, what is kept
       results/newsroom/{article_corpus}/{procedure}/balanced/         the balanced corpus in the input's own format
"""

NEWSROOM = PLANS["newsroom"]
# The version is a param so that a different one parses again.
PARSER = {
    "model": NEWSROOM.model,
    "model_version": NEWSROOM.model_version,
    "coreference": NEWSROOM.settings.coreference,
}


wildcard_constraints:
    article_corpus=one_of(REGISTRY.article_corpora),
    gold_corpus=one_of(NEWSROOM.gold_corpora),


rule read_articles:
    input:
        sources=NEWSROOM.sources,
        document_ids=lambda wildcards: NEWSROOM.document_ids(wildcards.article_corpus),
    output:
        articles=NEWSROOM.of_unit(NEWSROOM.articles),
        rejected=NEWSROOM.rejected,
    log:
        "logs/read_articles/{article_corpus}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.articles:read_articles"),
        corpus="{article_corpus}",
        lang=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].lang,
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].form,
    script:
        "../../scripts/step.py"


rule annotate_gold:
    input:
        gold=lambda wildcards: NEWSROOM.gold(wildcards.gold_corpus),
        conllu_file=lambda wildcards: NEWSROOM.gold_conllu_files.get(wildcards.gold_corpus, []),
    output:
        annotations=NEWSROOM.gold_annotations,
    log:
        "logs/annotate_gold/{gold_corpus}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.newsroom.scores:annotate_gold"),
        **PARSER,
        lang=lambda wildcards: NEWSROOM.lang_of(wildcards.gold_corpus),
    script:
        "../../scripts/step.py"


rule parse_articles:
    input:
        articles=NEWSROOM.articles,
    output:
        annotations=NEWSROOM.annotations,
    log:
        "logs/parse_articles/{article_corpus}/{part}.log",
    conda:
        "../../envs/ml.yaml"
    threads: ALL_CORES
    params:
        **step("textparity_studies.newsroom.annotations:parse_articles"),
        **PARSER,
    script:
        "../../scripts/step.py"


rule import_annotations:
    input:
        conllu_file=lambda wildcards: NEWSROOM.conllu_files[wildcards.article_corpus],
        articles=f"{NEWSROOM.corpus}/articles/0.parquet",
    output:
        annotations=f"{NEWSROOM.corpus}/annotations/0.parquet",
    log:
        "logs/import_annotations/{article_corpus}.log",
    wildcard_constraints:
        article_corpus=one_of(NEWSROOM.conllu_files),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.annotations:import_annotations"),
    script:
        "../../scripts/step.py"


ruleorder: import_annotations > parse_articles


rule measure_articles:
    input:
        unpack(lambda wildcards: NEWSROOM.word_lists(wildcards.article_corpus)),
        annotations=NEWSROOM.annotations,
    output:
        actors=NEWSROOM.actors,
        articles=NEWSROOM.measures,
        words=NEWSROOM.words,
        pronoun_shares=NEWSROOM.pronoun_shares,
        inclusive_forms=NEWSROOM.inclusive_forms,
    log:
        "logs/measure_articles/{article_corpus}/{procedure}/{part}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.newsroom.measuring:measure_articles"),
        procedure="{procedure}",
        pronoun_share=NEWSROOM.settings.pronoun_share,
        sentiment=lambda wildcards: NEWSROOM.sentiment(wildcards.article_corpus),
        lang=lambda wildcards: NEWSROOM.lang_of(wildcards.article_corpus),
    script:
        "../../scripts/step.py"


rule summarise_articles:
    input:
        articles=NEWSROOM.of_unit(NEWSROOM.measures),
        words=NEWSROOM.of_unit(NEWSROOM.words),
    output:
        tables=[NEWSROOM.summary, NEWSROOM.top_words],
    log:
        "logs/summarise_articles/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.summary:summarise_articles"),
        **BOOTSTRAP,
        procedure="{procedure}",
        minimum_count=NEWSROOM.settings.minimum_count,
    script:
        "../../scripts/step.py"


rule flag_articles:
    input:
        articles=NEWSROOM.of_unit(NEWSROOM.measures),
    output:
        flags=NEWSROOM.flags,
    log:
        "logs/flag_articles/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.balance:flag_articles"),
        procedure="{procedure}",
        thresholds=NEWSROOM.settings.flags.model_dump(exclude={"minimum"}),
        minimum_flags=NEWSROOM.settings.flags.minimum,
    script:
        "../../scripts/step.py"


rule balance_corpus:
    input:
        articles=NEWSROOM.of_unit(NEWSROOM.measures),
        flags=NEWSROOM.flags,
    output:
        kept=NEWSROOM.kept,
        tables=[NEWSROOM.excluded, NEWSROOM.ratios, NEWSROOM.balanced_summary],
    log:
        "logs/balance_corpus/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.balance:balance_corpus"),
        **BOOTSTRAP,
        procedure="{procedure}",
        lower=NEWSROOM.settings.balance.lower,
        upper=NEWSROOM.settings.balance.upper,
    script:
        "../../scripts/step.py"


# If the range was not reached, the folder has the reason, and how far balancing got.
rule write_balanced_corpus:
    input:
        sources=rules.read_articles.input.sources,
        document_ids=rules.read_articles.input.document_ids,
        excluded=NEWSROOM.excluded,
        ratios=NEWSROOM.ratios,
    output:
        folder=directory(NEWSROOM.balanced),
    log:
        "logs/write_balanced_corpus/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.balance:write_balanced_corpus"),
        corpus="{article_corpus}",
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].form,
    script:
        "../../scripts/step.py"
