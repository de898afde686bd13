"""The `newsroom` study (Urchs 2025): who is mentioned in newspaper articles, how, and a balanced corpus.

NEEDS  rows of resources/registry/article_corpora.tsv, a spaCy pipeline (or annotations), German word lists, annotated passages
GIVES  results/newsroom/{news}/articles/{part}.parquet       id, group, text; what was not taken in rejected.csv
       results/newsroom/{news}/annotations/{part}.parquet    tokens, names, roles: parsed once
       results/newsroom/{news}/{procedure}/…/{part}.parquet  actors, measures (per article), words
       results/newsroom/{news}/{procedure}/                  summary, top words, flags, exclusions, ratios
       results/newsroom/{news}/{procedure}/balanced/         the balanced corpus in the input's own format
"""

NEWSROOM_DIR = "results/newsroom/{news}"
MEASURES = f"{NEWSROOM_DIR}/{{procedure}}/measures/{{part}}.parquet"
WORD_COUNTS = f"{NEWSROOM_DIR}/{{procedure}}/words/{{part}}.parquet"
# Of one corpus by one procedure, whatever jobs it was split into.
ALL_MEASURES = collect(MEASURES, part=NEWSROOM_PARTS, allow_missing=True)
ALL_WORD_COUNTS = collect(WORD_COUNTS, part=NEWSROOM_PARTS, allow_missing=True)


rule read_articles:
    input:
        sources=lambda wildcards: paths_of(REGISTRY.article_files(wildcards.news)),
        document_ids=lambda wildcards: article_document_ids(wildcards.news),
    output:
        articles=collect(
            f"{NEWSROOM_DIR}/articles/{{part}}.parquet",
            part=NEWSROOM_PARTS,
            allow_missing=True,
        ),
        rejected=f"{NEWSROOM_DIR}/rejected.csv",
    log:
        "logs/read_articles/{news}.log",
    wildcard_constraints:
        news=one_of(REGISTRY.article_corpora),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.articles:read_articles"),
        corpus="{news}",
        lang=lambda wildcards: REGISTRY.article_corpora[wildcards.news].lang,
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.news].form,
    script:
        "../../scripts/step.py"


rule list_gold_passages:
    input:
        gold=resource(NEWSROOM.gold),
    output:
        articles=f"results/newsroom/{GOLD_CORPUS}/articles/0.parquet",
    log:
        "logs/list_gold_passages.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.scores:list_gold_passages"),
    script:
        "../../scripts/step.py"


rule parse_articles:
    input:
        articles=f"{NEWSROOM_DIR}/articles/{{part}}.parquet",
    output:
        annotations=f"{NEWSROOM_DIR}/annotations/{{part}}.parquet",
    log:
        "logs/parse_articles/{news}/{part}.log",
    conda:
        "../../envs/ml.yaml"
    threads: ALL_CORES
    params:
        **step("textparity.studies.newsroom.pipelines:parse_articles"),
        model=NEWSROOM.spacy_model,
        coreference=NEWSROOM.coreference,
        model_version=pipeline_version(NEWSROOM.spacy_model),
    script:
        "../../scripts/step.py"


rule import_annotations:
    input:
        conllu_file=lambda wildcards: resource(NEWSROOM.annotations[wildcards.news]),
        articles=f"{NEWSROOM_DIR}/articles/0.parquet",
    output:
        annotations=f"{NEWSROOM_DIR}/annotations/0.parquet",
    log:
        "logs/import_annotations/{news}.log",
    wildcard_constraints:
        news=one_of(NEWSROOM.annotations),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.conllu_files:import_annotations"),
    script:
        "../../scripts/step.py"


ruleorder: import_annotations > parse_articles


rule measure_articles:
    input:
        **NEWSROOM_WORD_LISTS,
        annotations=f"{NEWSROOM_DIR}/annotations/{{part}}.parquet",
    output:
        actors=f"{NEWSROOM_DIR}/{{procedure}}/actors/{{part}}.parquet",
        articles=MEASURES,
        words=WORD_COUNTS,
    log:
        "logs/measure_articles/{news}/{procedure}/{part}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.newsroom.extraction.measuring:measure_articles"),
        procedure="{procedure}",
        pronoun_share=NEWSROOM.pronoun_share,
        sentiment=sentiment_method(NEWSROOM.sentiment),
    script:
        "../../scripts/step.py"


rule count_by_pronoun_share:
    input:
        **NEWSROOM_WORD_LISTS,
        annotations=f"{NEWSROOM_DIR}/annotations/{{part}}.parquet",
    output:
        counts=f"{NEWSROOM_DIR}/{{procedure}}/pronoun_shares/{{part}}.csv",
    log:
        "logs/count_by_pronoun_share/{news}/{procedure}/{part}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.extraction.pronoun_shares:count_by_pronoun_share"
        ),
        procedure="{procedure}",
        configured=NEWSROOM.pronoun_share,
    script:
        "../../scripts/step.py"


rule score_rules:
    input:
        **NEWSROOM_WORD_LISTS,
        gold=resource(NEWSROOM.gold),
        annotations=f"results/newsroom/{GOLD_CORPUS}/annotations/0.parquet",
    output:
        table_csv="results/newsroom/tables/quality.csv",
        table_latex="results/newsroom/tables/quality.tex",
    log:
        "logs/score_rules.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.scores:score_rules"),
        pronoun_share=NEWSROOM.pronoun_share,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule summarise_articles:
    input:
        articles=ALL_MEASURES,
        words=ALL_WORD_COUNTS,
    output:
        summary=f"{NEWSROOM_DIR}/{{procedure}}/summary.csv",
        top_words=f"{NEWSROOM_DIR}/{{procedure}}/top_words.csv",
    log:
        "logs/summarise_articles/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.summary:summarise_articles"),
        procedure="{procedure}",
        minimum_count=NEWSROOM.minimum_count,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule flag_articles:
    input:
        articles=ALL_MEASURES,
    output:
        flags=f"{NEWSROOM_DIR}/{{procedure}}/flags.parquet",
    log:
        "logs/flag_articles/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.flags:flag_articles"),
        procedure="{procedure}",
        thresholds=NEWSROOM.flags.model_dump(exclude={"minimum"}),
        minimum_flags=NEWSROOM.flags.minimum,
    script:
        "../../scripts/step.py"


rule balance_corpus:
    input:
        articles=ALL_MEASURES,
        flags=rules.flag_articles.output.flags,
    output:
        excluded=f"{NEWSROOM_DIR}/{{procedure}}/excluded.csv",
        ratios=f"{NEWSROOM_DIR}/{{procedure}}/ratios.csv",
    log:
        "logs/balance_corpus/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.balance:balance_corpus"),
        procedure="{procedure}",
        lower=NEWSROOM.balance.lower,
        upper=NEWSROOM.balance.upper,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


# Fails, and says how far it got, if the range was not reached.
rule write_balanced_corpus:
    input:
        sources=rules.read_articles.input.sources,
        document_ids=rules.read_articles.input.document_ids,
        excluded=rules.balance_corpus.output.excluded,
        ratios=rules.balance_corpus.output.ratios,
    output:
        folder=directory(f"{NEWSROOM_DIR}/{{procedure}}/balanced"),
    log:
        "logs/write_balanced_corpus/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.balanced_corpus:write_checked_corpus"
        ),
        corpus="{news}",
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.news].form,
    script:
        "../../scripts/step.py"


rule keep_articles:
    input:
        articles=ALL_MEASURES,
        excluded=rules.balance_corpus.output.excluded,
    output:
        kept=f"{NEWSROOM_DIR}/{{procedure}}/kept.parquet",
    log:
        "logs/keep_articles/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.filtered_articles:keep_articles"),
    script:
        "../../scripts/step.py"


rule summarise_kept_articles:
    input:
        articles=rules.keep_articles.output.kept,
    output:
        summary=f"{NEWSROOM_DIR}/{{procedure}}/balanced_summary.csv",
    log:
        "logs/summarise_kept_articles/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.summary:summarise_kept_articles"),
        procedure="{procedure}",
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"
