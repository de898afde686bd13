"""The `newsroom` study, shown: tables, Figures 1 to 10 and a page for each corpus of articles.

NEEDS  results/newsroom/{news}/{procedure}/  summary, top words, flags, exclusions, ratios
GIVES  results/newsroom/{tables,figures,pages}/
"""

FIGURES = "results/newsroom/figures/{news}/{procedure}"
YEARLY = "results/newsroom/figures/taz2024full"
SHARES_KEPT = {"shown": SHARE_FIGURES, "allow_missing": True}
STEPS_KEPT = {"step": BALANCE_STEPS, "allow_missing": True}


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
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.exclusion_tables:tabulate_flags"),
    script:
        "../../scripts/step.py"


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
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.exclusion_tables:tabulate_exclusions"
        ),
    script:
        "../../scripts/step.py"


rule vary_thresholds:
    input:
        articles=ALL_MEASURES,
        flags=rules.flag_articles.output.flags,
    output:
        table_csv="results/newsroom/tables/{news}/{procedure}/thresholds.csv",
        table_latex="results/newsroom/tables/{news}/{procedure}/thresholds.tex",
    log:
        "logs/vary_thresholds/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.thresholds:vary_thresholds"),
    script:
        "../../scripts/step.py"


rule tabulate_pronoun_shares:
    input:
        counts=collect(
            rules.count_by_pronoun_share.output.counts,
            part=NEWSROOM_PARTS,
            allow_missing=True,
        ),
    output:
        table_csv="results/newsroom/tables/{news}/{procedure}/pronoun_shares.csv",
        table_latex="results/newsroom/tables/{news}/{procedure}/pronoun_shares.tex",
    log:
        "logs/tabulate_pronoun_shares/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.extraction.pronoun_shares:tabulate_pronoun_shares"
        ),
        procedure="{procedure}",
        configured=NEWSROOM.pronoun_share,
    script:
        "../../scripts/step.py"


rule tabulate_inclusive_forms:
    input:
        forms=resource("resources/newsroom/gold/inclusive_forms_deu.tsv"),
        annotations=collect(
            f"{NEWSROOM_DIR}/annotations/{{part}}.parquet",
            news=NEWSROOM_CORPORA,
            part=NEWSROOM_PARTS,
        ),
    output:
        table_csv="results/newsroom/tables/inclusive_forms.csv",
        table_latex="results/newsroom/tables/inclusive_forms.tex",
    log:
        "logs/tabulate_inclusive_forms.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.inclusive_forms:tabulate_inclusive_forms"
        ),
        corpora=[news for news in NEWSROOM_CORPORA for _ in NEWSROOM_PARTS],
    script:
        "../../scripts/step.py"


# By the paper's rules, whether or not the config balances by them.
rule simulate_balancing:
    input:
        articles=collect(
            MEASURES,
            news=NEWSROOM_CORPORA,
            procedure="published",
            part=NEWSROOM_PARTS,
        ),
        flags=collect(
            rules.flag_articles.output.flags,
            news=NEWSROOM_CORPORA,
            procedure="published",
        ),
        published=resource("resources/newsroom/published.csv"),
        unbalanced=resource(YEARLY_FIGURES["unbalanced"]),
        balanced=resource(YEARLY_FIGURES["balanced"]),
    output:
        table_csv="results/newsroom/tables/balancing_stops.csv",
        table_latex="results/newsroom/tables/balancing_stops.tex",
    log:
        "logs/simulate_balancing.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.stopping:simulate_balancing"),
        corpora=NEWSROOM_CORPORA,
        parts=NEWSROOM.parts,
    script:
        "../../scripts/step.py"


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
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.exclusion_figures:plot_all_gender_ratios"
        ),
        procedure="{procedure}",
        steps=BALANCE_STEPS,
    script:
        "../../scripts/step.py"


rule plot_flags:
    input:
        table=rules.tabulate_flags.output.table_csv,
    output:
        figure_pdf=f"{FIGURES}/flags.pdf",
        figure_svg=in_report(f"{FIGURES}/flags.svg"),
    log:
        "logs/plot_flags/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.exclusion_figures:plot_flags"),
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule plot_exclusions:
    input:
        table=rules.tabulate_exclusions.output.table_csv,
    output:
        figure_pdf=f"{FIGURES}/exclusions.pdf",
        figure_svg=in_report(f"{FIGURES}/exclusions.svg"),
    log:
        "logs/plot_exclusions/{news}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.exclusion_figures:plot_exclusions"
        ),
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


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
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.report:write_report"),
        corpus=lambda wildcards: REGISTRY.article_corpora[wildcards.news].name,
        procedure="{procedure}",
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


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
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.figures:plot_all_shares"),
        shown=SHARE_FIGURES,
        title=lambda wildcards: news_title(wildcards),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


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
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.figures:plot_all_yearly_shares"),
        shown=SHARE_FIGURES,
        title=lambda wildcards: (
            f"taz2024full, {wildcards.state}: the authors' yearly reports"
        ),
    script:
        "../../scripts/step.py"


rule plot_yearly_exclusions:
    input:
        unbalanced=resource(YEARLY_FIGURES["unbalanced"]),
        balanced=resource(YEARLY_FIGURES["balanced"]),
    output:
        figure_pdf="results/newsroom/figures/taz2024full/exclusions.pdf",
        figure_svg=in_report("results/newsroom/figures/taz2024full/exclusions.svg"),
    log:
        "logs/plot_yearly_exclusions.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.newsroom.exclusion_figures:plot_yearly_exclusions"
        ),
    script:
        "../../scripts/step.py"


STUDY_TARGETS["newsroom"] = [
    *collect(rules.plot_yearly_shares.output, state=YEARLY_FIGURES),
    *rules.plot_yearly_exclusions.output,
    *rules.simulate_balancing.output,
    *rules.tabulate_inclusive_forms.output,
    *(rules.score_rules.output if not is_news_left_out(GOLD_CORPUS) else []),
    *collect(f"{NEWSROOM_DIR}/rejected.csv", news=NEWSROOM_CORPORA),
    *collect(
        flatten(
            [
                rules.summarise_articles.output,
                rules.write_report.output,
                rules.plot_shares.output,
                rules.tabulate_pronoun_shares.output,
                rules.vary_thresholds.output,
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
