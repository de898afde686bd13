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
MEASURES = f"{NEWSROOM_DIR}/{{procedure}}/measures/{{part}}.parquet"
FIGURES = "results/newsroom/figures/{news}/{procedure}"
YEARLY = "results/newsroom/figures/taz2024full"
SHARES_KEPT = {"shown": SHARE_FIGURES, "allow_missing": True}
STEPS_KEPT = {"step": BALANCE_STEPS, "allow_missing": True}
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
        "../envs/core.yaml"
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
    conda:
        "../envs/core.yaml"
    params:
        code_digest=code_digest("textparity.newsroom.quality"),
    script:
        "../scripts/list_gold_passages.py"


rule parse_articles:
    input:
        articles=f"{NEWSROOM_DIR}/articles/{{part}}.parquet",
    output:
        annotations=f"{NEWSROOM_DIR}/annotations/{{part}}.parquet",
    log:
        "logs/parse_articles/{news}/{part}.log",
    conda:
        "../envs/ml.yaml"
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
        articles=f"{NEWSROOM_DIR}/articles/0.parquet",
    output:
        annotations=f"{NEWSROOM_DIR}/annotations/0.parquet",
    log:
        "logs/import_annotations/{news}.log",
    wildcard_constraints:
        news=one_of(NEWSROOM.annotations),
    conda:
        "../envs/core.yaml"
    params:
        code_digest=code_digest("textparity.newsroom.conllu_files"),
    script:
        "../scripts/import_annotations.py"


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
        "../envs/ml.yaml"
    params:
        procedure="{procedure}",
        pronoun_share=NEWSROOM.pronoun_share,
        sentiment=sentiment_method(NEWSROOM.sentiment),
        code_digest=code_digest("textparity.newsroom.measuring"),
    script:
        "../scripts/measure_articles.py"


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
        "../envs/core.yaml"
    params:
        pronoun_share=NEWSROOM.pronoun_share,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
        code_digest=code_digest("textparity.newsroom.quality"),
    script:
        "../scripts/score_rules.py"


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
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        minimum_count=NEWSROOM.minimum_count,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
        code_digest=code_digest("textparity.newsroom.report_numbers"),
    script:
        "../scripts/summarise_articles.py"


rule flag_articles:
    input:
        articles=ALL_MEASURES,
    output:
        flags=f"{NEWSROOM_DIR}/{{procedure}}/flags.parquet",
    log:
        "logs/flag_articles/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        thresholds=NEWSROOM.flags.model_dump(exclude={"minimum"}),
        minimum_flags=NEWSROOM.flags.minimum,
        code_digest=code_digest("textparity.newsroom.flags"),
    script:
        "../scripts/flag_articles.py"


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
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        lower=NEWSROOM.balance.lower,
        upper=NEWSROOM.balance.upper,
        seed=CONFIG.seed,
        code_digest=code_digest("textparity.newsroom.balancing"),
    script:
        "../scripts/balance_corpus.py"


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
        "../envs/core.yaml"
    params:
        corpus="{news}",
        form=lambda wildcards: REGISTRY.article_corpora[wildcards.news].form,
        code_digest=code_digest("textparity.newsroom.balanced_corpus"),
    script:
        "../scripts/write_balanced_corpus.py"


rule keep_articles:
    input:
        articles=ALL_MEASURES,
        excluded=rules.balance_corpus.output.excluded,
    output:
        kept=f"{NEWSROOM_DIR}/{{procedure}}/kept.parquet",
    log:
        "logs/keep_articles/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        code_digest=code_digest("textparity.newsroom.kept_articles"),
    script:
        "../scripts/keep_articles.py"


rule summarise_kept_articles:
    input:
        articles=rules.keep_articles.output.kept,
    output:
        summary=f"{NEWSROOM_DIR}/{{procedure}}/balanced_summary.csv",
    log:
        "logs/summarise_kept_articles/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
        code_digest=code_digest("textparity.newsroom.report_numbers"),
    script:
        "../scripts/summarise_kept_articles.py"


rule tabulate_flags:
    input:
        flags=rules.flag_articles.output.flags,
        excluded=rules.balance_corpus.output.excluded,
    output:
        table_csv="results/newsroom/tables/{news}/{procedure}/flags.csv",
        table_latex="results/newsroom/tables/{news}/{procedure}/flags.tex",
    log:
        "logs/tabulate_flags/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        code_digest=code_digest("textparity.newsroom.exclusion_tables"),
    script:
        "../scripts/tabulate_flags.py"


rule tabulate_exclusions:
    input:
        flags=rules.flag_articles.output.flags,
        excluded=rules.balance_corpus.output.excluded,
    output:
        table_csv="results/newsroom/tables/{news}/{procedure}/exclusions.csv",
        table_latex="results/newsroom/tables/{news}/{procedure}/exclusions.tex",
    log:
        "logs/tabulate_exclusions/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        code_digest=code_digest("textparity.newsroom.exclusion_tables"),
    script:
        "../scripts/tabulate_exclusions.py"


rule plot_gender_ratios:
    input:
        articles=ALL_MEASURES,
        excluded=rules.balance_corpus.output.excluded,
    output:
        figures_pdf=collect(f"{FIGURES}/gender_ratios_{{step}}.pdf", **STEPS_KEPT),
        figures_svg=[
            in_report(path)
            for path in collect(f"{FIGURES}/gender_ratios_{{step}}.svg", **STEPS_KEPT)
        ],
    log:
        "logs/plot_gender_ratios/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        steps=BALANCE_STEPS,
        code_digest=code_digest("textparity.newsroom.exclusion_figures"),
    script:
        "../scripts/plot_gender_ratios.py"


rule plot_flags:
    input:
        table=rules.tabulate_flags.output.table_csv,
    output:
        figure_pdf=f"{FIGURES}/flags.pdf",
        figure_svg=in_report(f"{FIGURES}/flags.svg"),
    log:
        "logs/plot_flags/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        code_digest=code_digest("textparity.newsroom.exclusion_figures"),
    script:
        "../scripts/plot_flags.py"


rule plot_exclusions:
    input:
        table=rules.tabulate_exclusions.output.table_csv,
    output:
        figure_pdf=f"{FIGURES}/exclusions.pdf",
        figure_svg=in_report(f"{FIGURES}/exclusions.svg"),
    log:
        "logs/plot_exclusions/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        procedure="{procedure}",
        code_digest=code_digest("textparity.newsroom.exclusion_figures"),
    script:
        "../scripts/plot_exclusions.py"


rule write_report:
    input:
        summary=rules.summarise_articles.output.summary,
        top_words=rules.summarise_articles.output.top_words,
        measures=MEASURES.replace("{part}", "0"),
        quality=(
            rules.score_rules.output.table_csv
            if not is_news_left_out(GOLD_CORPUS)
            else []
        ),
    output:
        tables_latex="results/newsroom/tables/{news}/{procedure}/report.tex",
        page_html="results/newsroom/pages/{news}.{procedure}.html",
    log:
        "logs/write_report/{news}/{procedure}.log",
    conda:
        "../envs/core.yaml"
    params:
        corpus=lambda wildcards: REGISTRY.article_corpora[wildcards.news].name,
        procedure="{procedure}",
        confidence_level=CONFIG.bootstrap.confidence_level,
        code_digest=code_digest("textparity.newsroom.report_tables"),
    script:
        "../scripts/write_report.py"


rule plot_shares:
    input:
        summary=f"{NEWSROOM_DIR}/{{procedure}}/{{summary}}.csv",
    output:
        figures_pdf=collect(f"{FIGURES}/{{summary}}_{{shown}}.pdf", **SHARES_KEPT),
        figures_svg=[
            in_report(path)
            for path in collect(f"{FIGURES}/{{summary}}_{{shown}}.svg", **SHARES_KEPT)
        ],
    log:
        "logs/plot_shares/{news}/{procedure}/{summary}.log",
    wildcard_constraints:
        summary="|".join(SUMMARIES),
    conda:
        "../envs/core.yaml"
    params:
        shown=SHARE_FIGURES,
        title=lambda wildcards: news_title(wildcards),
        confidence_level=CONFIG.bootstrap.confidence_level,
        code_digest=code_digest("textparity.newsroom.figures"),
    script:
        "../scripts/plot_shares.py"


rule plot_yearly_shares:
    input:
        yearly_figures=lambda wildcards: resource(YEARLY_FIGURES[wildcards.state]),
    output:
        figures_pdf=collect(f"{YEARLY}_{{state}}_{{shown}}.pdf", **SHARES_KEPT),
        figures_svg=[
            in_report(path)
            for path in collect(f"{YEARLY}_{{state}}_{{shown}}.svg", **SHARES_KEPT)
        ],
    log:
        "logs/plot_yearly_shares/{state}.log",
    wildcard_constraints:
        state="|".join(YEARLY_FIGURES),
    conda:
        "../envs/core.yaml"
    params:
        shown=SHARE_FIGURES,
        title=lambda wildcards: (
            f"taz2024full, {wildcards.state}: the authors' yearly reports"
        ),
        code_digest=code_digest("textparity.newsroom.figures"),
    script:
        "../scripts/plot_yearly_shares.py"


STUDY_TARGETS["newsroom"] = [
    *collect(rules.plot_yearly_shares.output, state=YEARLY_FIGURES),
    *(rules.score_rules.output if not is_news_left_out(GOLD_CORPUS) else []),
    *collect(f"{NEWSROOM_DIR}/rejected.csv", news=NEWSROOM_CORPORA),
    *collect(
        flatten(
            [
                rules.summarise_articles.output,
                rules.write_report.output,
                rules.plot_shares.output,
            ]
        ),
        news=NEWSROOM_CORPORA,
        procedure=PROCEDURES,
        summary="summary",
    ),
    *collect(
        flatten(
            [
                rules.write_balanced_corpus.output,
                rules.tabulate_flags.output,
                rules.tabulate_exclusions.output,
                rules.plot_flags.output,
                rules.plot_exclusions.output,
                rules.plot_gender_ratios.output,
                rules.plot_shares.output,
            ]
        ),
        news=NEWSROOM_CORPORA,
        procedure=NEWSROOM.balance.procedures,
        summary="balanced_summary",
    ),
]
