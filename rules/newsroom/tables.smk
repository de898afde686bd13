"""The tables and Figures 1 to 10 of the `newsroom` study, a report of each corpus of articles, and the ledger.

The corpora are measured in articles.smk. The authors' yearly reports and the annotated passages come with this
repository.
"""


# In files of the annotated passages, only the paper's language has no suffix.
use rule core_step as score_rules with:
    input:
        unpack(lambda wildcards: NEWSROOM.word_lists(f"newsroom_gold{wildcards.suffix}")),
        gold=lambda wildcards: NEWSROOM.gold(f"newsroom_gold{wildcards.suffix}"),
        annotations="results/newsroom/newsroom_gold{suffix}/annotations/0.parquet",
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=fill("results/newsroom/tables/quality{suffix}.{ending}", ending=TABLE),
    log:
        "logs/score_rules/gold{suffix}.log",
    wildcard_constraints:
        suffix="(_[a-z]{3})?",
    params:
        **step("textparity_studies.newsroom.scores:score_rules"),
        **BOOTSTRAP,
        lang=lambda wildcards: NEWSROOM.langs[f"newsroom_gold{wildcards.suffix}"],
        pronoun_share=CONFIG.newsroom.pronoun_share,


use rule core_step as tabulate_actor_errors with:
    input:
        judged=resource("resources/newsroom/gold/actors_ntrex_eng.tsv"),
    output:
        tables=["results/newsroom/tables/actor_errors.csv"],
    log:
        "logs/tabulate_actor_errors.log",
    params:
        **step("textparity_studies.newsroom.tables:tabulate_actor_errors"),


use rule core_step as tabulate_inclusive_forms with:
    input:
        listed_forms=resource("resources/newsroom/gold/inclusive_forms_deu.tsv"),
        inclusive_forms=expand(
            "results/newsroom/{article_corpus}/{procedure}/inclusive_forms/{part}.parquet", **MEASURED, part=PARTS
        ),
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=expand("results/newsroom/tables/inclusive_forms.{ending}", ending=TABLE),
    log:
        "logs/tabulate_inclusive_forms.log",
    params:
        **step("textparity_studies.newsroom.tables:tabulate_inclusive_forms"),
        langs={corpus: NEWSROOM.langs[corpus] for corpus in NEWSROOM.corpora},


use rule core_step as tabulate_pronoun_shares with:
    input:
        pronoun_shares=fill("results/newsroom/{article_corpus}/{procedure}/pronoun_shares/{part}.csv", part=PARTS),
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=fill("results/newsroom/tables/{article_corpus}/{procedure}/pronoun_shares.{ending}", ending=TABLE),
    log:
        "logs/tabulate_pronoun_shares/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.tables:tabulate_pronoun_shares"),
        procedure="{procedure}",
        pronoun_share=CONFIG.newsroom.pronoun_share,


use rule core_step as tabulate_exclusions with:
    input:
        flags="results/newsroom/{article_corpus}/{procedure}/flags.parquet",
        excluded="results/newsroom/{article_corpus}/{procedure}/excluded.csv",
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=[
            *fill("results/newsroom/tables/{article_corpus}/{procedure}/flags.{ending}", ending=TABLE),
            *fill("results/newsroom/tables/{article_corpus}/{procedure}/exclusions.{ending}", ending=TABLE),
        ],
    log:
        "logs/tabulate_exclusions/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.tables:tabulate_exclusions"),


use rule core_step as write_report with:
    input:
        summary="results/newsroom/{article_corpus}/{procedure}/summary.csv",
        top_words="results/newsroom/{article_corpus}/{procedure}/top_words.csv",
        measures="results/newsroom/{article_corpus}/{procedure}/measures/0.parquet",
        quality=lambda wildcards: [
            f"results/newsroom/tables/quality{language_suffix(lang)}.csv"
            for lang in NEWSROOM.gold_langs
            if lang == NEWSROOM.langs[wildcards.article_corpus]
        ],
    output:
        latex="results/newsroom/tables/{article_corpus}/{procedure}/report.tex",
        page="results/newsroom/pages/{article_corpus}.{procedure}.html",
    log:
        "logs/write_report/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.report:write_report"),
        corpus_name=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].name,
        procedure="{procedure}",
        lang=lambda wildcards: NEWSROOM.langs[wildcards.article_corpus],
        confidence_level=CONFIG.bootstrap.confidence_level,


use rule core_step as plot_yearly_reports with:
    input:
        unbalanced=resource("resources/newsroom/published_yearly_unbalanced.csv"),
        balanced=resource("resources/newsroom/published_yearly_balanced.csv"),
    output:
        figures=figures(
            expand(
                [
                    "results/newsroom/figures/taz2024full_{state}_{panels}.{ending}",
                    "results/newsroom/figures/taz2024full/exclusions.{ending}",
                ],
                panels=PANELS,
                state=["unbalanced", "balanced"],
                ending=FIGURE,
            )
        ),
    log:
        "logs/plot_yearly_reports.log",
    params:
        **step("textparity_studies.newsroom.figures:plot_yearly_reports"),


use rule core_step as plot_shares with:
    input:
        summary="results/newsroom/{article_corpus}/{procedure}/summary.csv",
    output:
        figures=figures(
            fill(
                "results/newsroom/figures/{article_corpus}/{procedure}/summary_{panels}.{ending}",
                panels=PANELS,
                ending=FIGURE,
            )
        ),
    log:
        "logs/plot_shares/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.figures:plot_shares"),
        corpus_name=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].name,
        procedure="{procedure}",
        confidence_level=CONFIG.bootstrap.confidence_level,


use rule plot_shares as plot_balancing with:
    input:
        balanced_summary="results/newsroom/{article_corpus}/{procedure}/balanced_summary.csv",
        measures=fill("results/newsroom/{article_corpus}/{procedure}/measures/{part}.parquet", part=PARTS),
        excluded="results/newsroom/{article_corpus}/{procedure}/excluded.csv",
        flags="results/newsroom/tables/{article_corpus}/{procedure}/flags.csv",
        exclusions="results/newsroom/tables/{article_corpus}/{procedure}/exclusions.csv",
    output:
        figures=figures(
            fill(
                [
                    "results/newsroom/figures/{article_corpus}/{procedure}/flags.{ending}",
                    "results/newsroom/figures/{article_corpus}/{procedure}/exclusions.{ending}",
                    "results/newsroom/figures/{article_corpus}/{procedure}/gender_ratios_{stage}.{ending}",
                    "results/newsroom/figures/{article_corpus}/{procedure}/balanced_summary_{panels}.{ending}",
                ],
                stage=STAGES,
                panels=PANELS,
                ending=FIGURE,
            )
        ),
    log:
        "logs/plot_balancing/{article_corpus}/{procedure}.log",
    params:
        **step("textparity_studies.newsroom.figures:plot_balancing"),


# The paper's corpus is not public; if it is here, our run of it is compared.
use rule core_step as build_newsroom_ledger with:
    input:
        **rules.plot_yearly_reports.input,
        **ledger_inputs("newsroom"),
        report_2023=[
            resource("resources/newsroom/published_per_text_2023.csv"),
            resource("resources/newsroom/published_top_words_2023.csv"),
        ],
        tables=expand(
            [
                "results/newsroom/taz/{procedure}/summary.csv",
                "results/newsroom/taz/{procedure}/top_words.csv",
            ],
            procedure=NEWSROOM.paper_procedures,
        ),
        measures=expand("results/newsroom/taz/{procedure}/measures/0.parquet", procedure=NEWSROOM.paper_procedures),
    output:
        ledger="results/ledger/newsroom.csv",
        gaps="results/newsroom/not_run.csv",
    log:
        "logs/build_newsroom_ledger.log",
    params:
        **step("textparity_studies.newsroom.ledger:build_newsroom_ledger"),
        not_run=NEWSROOM.not_run,


rule newsroom:
    input:
        final_outputs("newsroom"),
        expand(
            "results/newsroom/tables/quality{suffix}.{ending}",
            suffix=map(language_suffix, NEWSROOM.gold_langs),
            ending=TABLE,
        ),
        expand("results/newsroom/{article_corpus}/rejected.csv", article_corpus=NEWSROOM.corpora),
        expand(rules.summarise_articles.output, **MEASURED),
        expand(rules.write_report.output, **MEASURED),
        expand(map(str, rules.plot_shares.output), **MEASURED),
        expand(rules.tabulate_pronoun_shares.output, **MEASURED),
        expand("results/newsroom/{article_corpus}/{procedure}/balanced", **BALANCED),
        expand(rules.tabulate_exclusions.output, **BALANCED),
        expand(map(str, rules.plot_balancing.output), **BALANCED),
        rules.build_newsroom_ledger.output.ledger,
